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
}

export interface NeuralVad extends Vad {
  /** Loads the network; also resolves when it cannot be loaded. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Noise does not trigger the network, so a single window of speech is a start. */
export const NEURAL_START_MS = 20;

/**
 * VAD by a neural network in one worker thread, shared by all calls. A probability arrives about 20 ms after its 32
 * ms window; an energy VAD replaces the network when it is unavailable.
 */
export function createNeuralVad({ clock, log, workerUrl }: NeuralVadOptions): NeuralVad {
  const thread = new VadThread({
    clock,
    onFailure: (err) => log.warn({ err }, 'voice activity goes by energy: its network failed'),
    ...(workerUrl ? { workerUrl } : {}),
  });
  let streams = 0;
  return {
    sampleRateHz: VAD_RATE_HZ,
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
