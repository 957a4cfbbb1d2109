import { parentPort } from 'node:worker_threads';
import { loadNetwork } from './load-network.ts';
import { VadBatch } from './vad-batch.ts';
import { VAD_RATE_HZ, type VadReply, type WindowBatch } from './vad-message.ts';

// The thread that runs the VAD network, one batch at a time.
if (!parentPort) throw new Error('vad-worker runs as a worker thread');
const port = parentPort;

function reply(message: VadReply, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

function load(): VadBatch | undefined {
  try {
    const vad = new VadBatch(loadNetwork(VAD_RATE_HZ));
    reply({ type: 'ready' });
    return vad;
  } catch (error) {
    reply({ type: 'failed', error: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}

const vad = load();
if (vad) {
  port.on('message', (batch: WindowBatch) => {
    const probabilities = vad.judge(batch);
    reply({ type: 'judged', probabilities }, [probabilities.buffer as ArrayBuffer]);
  });
}
