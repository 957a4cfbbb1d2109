import type { Clock } from '../../ports/clock.ts';
import type { Conductor } from '../conductor.ts';
import type { TransferController } from '../operator/transfer-controller.ts';
import { FrameBatcher } from './frame-batcher.ts';
import type { Listener } from './listener.ts';

type Hears = (pcm: Int16Array, endedAt: number) => void;

/** Whoever may listen to the caller. */
interface Ear {
  readonly recorder?: { readonly heard: Hears } | undefined;
  readonly monitor: { readonly heard: Hears };
  readonly judge?: { hear(pcm: Int16Array): void } | undefined;
  readonly listener: Pick<Listener, 'hear' | 'quietBelowDb' | 'undecidedMs'>;
}

interface Options {
  readonly clock: Clock;
  readonly sampleRateHz: number;
  readonly isRecording: () => boolean;
}

/** Brings the caller's sound to all that listen to it: the record, an operator, or the call itself. */
export class InboundAudio {
  readonly #parts: Ear;
  readonly #conductor: Pick<Conductor, 'isClosed'>;
  readonly #operators: Pick<TransferController, 'isBridged' | 'heard'>;
  readonly #options: Options;
  readonly #hold: FrameBatcher;

  constructor(
    parts: Ear,
    conductor: Pick<Conductor, 'isClosed'>,
    operators: Pick<TransferController, 'isBridged' | 'heard'>,
    options: Options,
  ) {
    this.#parts = parts;
    this.#conductor = conductor;
    this.#operators = operators;
    this.#options = options;
    this.#hold = new FrameBatcher({
      sampleRateHz: options.sampleRateHz,
      // An operator hears everything at once.
      quietBelowDb: () => (operators.isBridged ? undefined : parts.listener.quietBelowDb),
      undecidedMs: () => (operators.isBridged ? 0 : parts.listener.undecidedMs),
      onAudio: (pcm, endedAt) => this.#pass(pcm, endedAt),
    });
  }

  /** Audio that came now; the array may be reused afterwards. */
  hear(pcm: Int16Array): void {
    this.#hold.hear(pcm, this.#options.clock.now());
  }

  /** Brings what is still on its way. To be done before whoever listens closes. */
  flush(): void {
    this.#hold.flush();
  }

  #pass(pcm: Int16Array, endedAt: number): void {
    const parts = this.#parts;
    if (this.#options.isRecording()) parts.recorder?.heard(pcm, endedAt);
    parts.monitor.heard(pcm, endedAt);
    if (this.#operators.isBridged) {
      this.#operators.heard(pcm);
      return;
    }
    // After an operator nobody of ours listens again.
    if (this.#conductor.isClosed) return;
    parts.judge?.hear(pcm);
    parts.listener.hear(pcm, endedAt);
  }
}
