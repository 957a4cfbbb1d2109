import type { Clock } from '../../ports/clock.ts';
import type { Conductor } from '../conductor.ts';
import type { SupervisorLink } from '../operator/supervisor-link.ts';
import type { TransferController } from '../operator/transfer-controller.ts';
import { FrameBatcher } from './frame-batcher.ts';
import type { Listener } from './listener.ts';

type Write = (pcm: Int16Array, endedAt: number) => void;

/** Everything that may receive the caller's audio. */
interface Receivers {
  readonly recorder?: { readonly writeCaller: Write } | undefined;
  readonly monitor: { readonly writeCaller: Write };
  readonly predictor?: { write(pcm: Int16Array): void } | undefined;
  readonly listener: Pick<Listener, 'write' | 'quietBelowDb' | 'undecidedMs'>;
}

/** A person who speaks with the caller; the assistant goes on listening. */
type Supervisor = Pick<SupervisorLink, 'isOn' | 'hear'>;

interface Options {
  readonly clock: Clock;
  readonly sampleRateHz: number;
}

/** Passes the caller's audio to the recorder and the monitor, and to either the listener or a bridged operator. */
export class InboundAudio {
  readonly #parts: Receivers;
  readonly #conductor: Pick<Conductor, 'isClosed'>;
  readonly #operators: Pick<TransferController, 'isBridged' | 'write'>;
  readonly #supervisor: Supervisor;
  readonly #options: Options;
  readonly #batcher: FrameBatcher;

  constructor(
    parts: Receivers,
    conductor: Pick<Conductor, 'isClosed'>,
    operators: Pick<TransferController, 'isBridged' | 'write'>,
    supervisor: Supervisor,
    options: Options,
  ) {
    this.#parts = parts;
    this.#conductor = conductor;
    this.#operators = operators;
    this.#supervisor = supervisor;
    this.#options = options;
    const isPersonThere = () => operators.isBridged || supervisor.isOn;
    this.#batcher = new FrameBatcher({
      sampleRateHz: options.sampleRateHz,
      // A person must hear each frame at once.
      quietBelowDb: () => (isPersonThere() ? undefined : parts.listener.quietBelowDb),
      undecidedMs: () => (isPersonThere() ? 0 : parts.listener.undecidedMs),
      onAudio: (pcm, endedAt) => this.#pass(pcm, endedAt),
    });
  }

  /** Takes audio that arrived now; the array may be reused afterwards. */
  write(pcm: Int16Array): void {
    this.#batcher.write(pcm, this.#options.clock.now());
  }

  /** Passes on the frames still held. Call this before closing the receivers. */
  flush(): void {
    this.#batcher.flush();
  }

  #pass(pcm: Int16Array, endedAt: number): void {
    const parts = this.#parts;
    parts.recorder?.writeCaller(pcm, endedAt);
    parts.monitor.writeCaller(pcm, endedAt);
    this.#supervisor.hear(pcm);
    if (this.#operators.isBridged) {
      this.#operators.write(pcm);
      return;
    }
    // Once bridged, the assistant never listens again.
    if (this.#conductor.isClosed) return;
    parts.predictor?.write(pcm);
    parts.listener.write(pcm, endedAt);
  }
}
