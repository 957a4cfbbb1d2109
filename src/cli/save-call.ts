import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesFromPcm16 } from '../audio/pcm16.ts';
import { wavHeader } from '../audio/wav-header.ts';
import type { Conversation } from './conversation.ts';
import type { ServiceClient } from './service-client.ts';

export interface SavedCall {
  readonly dir: string;
  readonly files: readonly string[];
  /** Files that the service could not provide, with the reason. */
  readonly missing: readonly string[];
}

/** Writes the caller's own recording, and the service's recording, transcript and journal of the call. */
export async function saveCall(
  client: ServiceClient,
  conversation: Conversation,
  options: { readonly dir: string; readonly sampleRateHz: number },
): Promise<SavedCall> {
  const { dir, sampleRateHz } = options;
  await mkdir(dir, { recursive: true });
  const files: string[] = [];
  const missing: string[] = [];
  const keep = async (name: string, content: () => Promise<Uint8Array | string>) => {
    try {
      await writeFile(join(dir, name), await content());
      files.push(name);
    } catch (error) {
      missing.push(`${name}: ${(error as Error).message}`);
    }
  };
  const { callId, microphone, speaker } = conversation;
  await keep('caller.wav', async () => stereoWav(microphone, speaker, sampleRateHz));
  await keep('recording.wav', () => client.getRecording(callId));
  await keep('transcript.txt', () => client.getTranscript(callId));
  await keep('journal.ndjson', () => client.getEvents(callId));
  return { dir, files, missing };
}

/** Writes both channels as one WAV file; the shorter one is padded with silence. */
function stereoWav(left: Int16Array, right: Int16Array, sampleRateHz: number): Uint8Array {
  const samples = new Int16Array(2 * Math.max(left.length, right.length));
  for (const [channel, pcm] of [left, right].entries()) {
    for (let i = 0; i < pcm.length; i++) samples[2 * i + channel] = pcm[i] as number;
  }
  const audio = bytesFromPcm16(samples);
  const header = wavHeader({ sampleRateHz, channels: 2, dataBytes: audio.byteLength });
  const file = new Uint8Array(header.byteLength + audio.byteLength);
  file.set(header);
  file.set(audio, header.byteLength);
  return file;
}
