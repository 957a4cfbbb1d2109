import { parentPort } from 'node:worker_threads';
import { JUDGE_RATE_HZ, type JudgeReply, type WindowBatch } from './judge-message.ts';
import { loadNetwork } from './load-network.ts';
import { VadBatch } from './vad-batch.ts';

// The thread that runs the VAD network, one batch at a time.
if (!parentPort) throw new Error('judge-worker runs as a worker thread');
const port = parentPort;

function reply(message: JudgeReply, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

function load(): VadBatch | undefined {
  try {
    const judge = new VadBatch(loadNetwork(JUDGE_RATE_HZ));
    reply({ type: 'ready' });
    return judge;
  } catch (error) {
    reply({ type: 'failed', error: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}

const judge = load();
if (judge) {
  port.on('message', (batch: WindowBatch) => {
    const probabilities = judge.judge(batch);
    reply({ type: 'judged', probabilities }, [probabilities.buffer as ArrayBuffer]);
  });
}
