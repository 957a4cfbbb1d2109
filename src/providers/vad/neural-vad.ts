import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Vad } from '../../ports/vad.ts';
import { JUDGE_RATE_HZ } from './judge-message.ts';
import { JudgeThread } from './judge-thread.ts';
import { WindowStream } from './window-stream.ts';

interface NeuralVadOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** The code of the judging thread; another one in tests. */
  readonly workerUrl?: URL;
}

export interface NeuralVad extends Vad {
  /** Loads the network; resolves without it where it can't be had. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Noises do not fool it: a single window of voice is a start. */
export const NEURAL_START_MS = 20;

/**
 * Voice activity by a neural network in a thread of its own, shared by all calls. Judgements come some 20 ms
 * after the window of 32 ms that they stand for; where the network can't judge, energy does.
 */
export function createNeuralVad({ clock, log, workerUrl }: NeuralVadOptions): NeuralVad {
  const thread = new JudgeThread({
    clock,
    onFailure: (err) => log.warn({ err }, 'voice activity goes by energy: its network failed'),
    ...(workerUrl ? { workerUrl } : {}),
  });
  let streams = 0;
  return {
    sampleRateHz: JUDGE_RATE_HZ,
    startMs: NEURAL_START_MS,
    start: () => thread.start(),
    close: () => thread.close(),
    open(onFrame) {
      const stream = streams++;
      void thread.start();
      return new WindowStream({
        submit: (samples, done) => thread.submit(stream, samples, done),
        onFrame,
        onClose: () => thread.forget(stream),
      });
    },
  };
}
