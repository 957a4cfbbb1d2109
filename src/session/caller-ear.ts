import type { Clock } from '../ports/clock.ts';
import type { Conductor } from './conductor.ts';
import { FrameHold } from './frame-hold.ts';
import type { OperatorDesk } from './operator-desk.ts';
import type { SessionParts } from './session-parts.ts';

interface Deps {
  readonly clock: Clock;
  readonly sampleRateHz: number;
  readonly parts: SessionParts;
  readonly conductor: Conductor;
  readonly operators: OperatorDesk;
  readonly isRecording: () => boolean;
}

/** Brings the caller's sound to all that listen to it: the record, an operator, or the call itself. */
export class CallerEar {
  readonly #deps: Deps;
  readonly #hold: FrameHold;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { sampleRateHz, operators, parts } = deps;
    this.#hold = new FrameHold({
      sampleRateHz,
      // An operator hears everything at once.
      quietBelowDb: () => (operators.isBridged ? undefined : parts.listener.quietBelowDb),
      undecidedMs: () => (operators.isBridged ? 0 : parts.listener.undecidedMs),
      onAudio: (pcm, endedAt) => this.#pass(pcm, endedAt),
    });
  }

  /** Audio that came now; the array may be reused afterwards. */
  hear(pcm: Int16Array): void {
    this.#hold.hear(pcm, this.#deps.clock.now());
  }

  /** Brings what is still on its way. To be done before whoever listens closes. */
  flush(): void {
    this.#hold.flush();
  }

  #pass(pcm: Int16Array, endedAt: number): void {
    const { parts, conductor, operators, isRecording } = this.#deps;
    if (isRecording()) parts.recorder?.heard(pcm, endedAt);
    parts.monitor.heard(pcm, endedAt);
    if (operators.isBridged) {
      operators.heard(pcm);
      return;
    }
    // After an operator nobody of ours listens again.
    if (conductor.isClosed) return;
    parts.judge?.hear(pcm);
    parts.listener.hear(pcm, endedAt);
  }
}
