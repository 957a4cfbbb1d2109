import type { CallEvent } from '../../engine/machine/events.ts';
import type { UtteranceQueue } from './utterance-queue.ts';

/** Tells the machine how much of the utterances in the queue was heard, and takes out those that were heard to the end. */
export class PlayoutProgress {
  readonly #queue: UtteranceQueue;
  readonly #emit: (event: CallEvent) => void;
  #startedUtt: number | undefined;
  #reportedMs = 0;

  constructor(queue: UtteranceQueue, emit: (event: CallEvent) => void) {
    this.#queue = queue;
    this.#emit = emit;
  }

  /** True if the machine knows that the head sounds. */
  get hasStarted(): boolean {
    return this.#startedUtt !== undefined;
  }

  /** Of the head, ms. */
  get reportedMs(): number {
    return this.#reportedMs;
  }

  begin(uttId: number): void {
    this.#startedUtt = uttId;
    this.#reportedMs = 0;
    this.#emit({ type: 'play.started', uttId });
  }

  /** The queue was cleared. */
  reset(): void {
    this.#startedUtt = undefined;
  }

  /** An utterance was heard up to a position in it, or to its end. Ignored unless it is the head. */
  reached(uttId: number, playedMs: number, end: boolean): void {
    if (this.#queue.head?.uttId !== uttId) return;
    if (this.#startedUtt !== uttId) this.begin(uttId);
    if (end) {
      this.finishHead(uttId);
    } else {
      this.#reportedMs = playedMs;
      this.#emit({ type: 'play.mark', uttId, playedMs: Math.round(playedMs) });
    }
  }

  finishHead(uttId: number): void {
    const nextSounds = this.#queue.finishHead();
    this.#startedUtt = undefined;
    this.#emit({ type: 'play.finished', uttId });
    if (nextSounds && this.#queue.head) this.begin(this.#queue.head.uttId);
  }

  /** All that was sent was heard, or will be. */
  reachedSent(): void {
    const queue = this.#queue;
    while (queue.head && queue.headIsSent)
      this.reached(queue.head.uttId, queue.head.durationMs, true);
    const { head, cursor, cursorMs } = queue;
    if (head && cursor > 0 && cursorMs > this.#reportedMs)
      this.reached(head.uttId, cursorMs, false);
  }
}
