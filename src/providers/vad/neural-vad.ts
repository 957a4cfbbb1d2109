import { IdleEnd, type IdleRule } from '../../lib/idle-end.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Vad } from '../../ports/vad.ts';
import { VAD_RATE_HZ } from './vad-message.ts';
import { VadThread } from './vad-thread.ts';
import { WindowStream } from './window-stream.ts';

interface NeuralVadOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** URL of the worker's code; tests replace it. */
  readonly workerUrl?: URL;
  readonly idle?: IdleRule;
}

export interface NeuralVad extends Vad {
  /** Loads the network ahead of the first stream; also resolves when it cannot be loaded. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Noise does not trigger the network, so a single window of speech is a start. */
export const NEURAL_START_MS = 20;

/**
 * VAD by a neural network in one worker thread, shared by all calls. A probability arrives about 20 ms after its 32
 * ms window; an energy VAD replaces the network when it is unavailable.
 */
export function createNeuralVad(options: NeuralVadOptions): NeuralVad {
  const { clock, log, workerUrl, idle = {} } = options;
  const thread = new VadThread({
    clock,
    onFailure: (err) => log.warn({ err }, 'voice activity goes by energy: its network failed'),
    ...(workerUrl ? { workerUrl } : {}),
  });
  const idleEnd = new IdleEnd(idle, () => thread.end());
  let streams = 0;
  let open = 0;
  return {
    sampleRateHz: VAD_RATE_HZ,
    startMs: NEURAL_START_MS,
    start() {
      if (open === 0) idleEnd.start();
      return thread.start();
    },
    close() {
      idleEnd.stop();
      return thread.close();
    },
    open(onFrame) {
      const stream = streams++;
      open++;
      idleEnd.stop();
      void thread.start();
      return new WindowStream({
        submit: (samples, done) => thread.submit(stream, samples, done),
        onFrame,
        onClose() {
          thread.forget(stream);
          if (--open === 0) idleEnd.start();
        },
      });
    },
  };
}
