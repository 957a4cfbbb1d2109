import { parentPort, workerData } from 'node:worker_threads';
import type { JudgeRequest, TurnModelData, TurnModelReply } from './messages.ts';
import { openTurnModel } from './open-model.ts';

// The thread that runs the turn model for all calls, one judgement after the other.
if (!parentPort) throw new Error('the turn model runs on a thread of its own');
const port = parentPort;
const { dir, threads } = workerData as TurnModelData;

const reply = (message: TurnModelReply): void => port.postMessage(message);
const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

try {
  const model = await openTurnModel(dir, threads);
  port.on('message', ({ id, pcm }: JudgeRequest) => {
    model.judge(pcm).then(
      (over) => reply({ type: 'judged', id, over }),
      (error: unknown) => reply({ type: 'failed', id, message: messageOf(error) }),
    );
  });
  reply({ type: 'ready', runtime: model.runtime });
} catch (error) {
  reply({ type: 'failed', message: messageOf(error) });
}
