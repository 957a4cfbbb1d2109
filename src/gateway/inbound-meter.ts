import type { WebLimits } from './web-limits.ts';
import { faults, type WebFault } from './web-protocol.ts';

/**
 * Measures what a client sends against real time. Time in which nothing came is credit, up to the
 * catch-up bound, so that audio held up by the network is not mistaken for a flood.
 */
export class InboundMeter {
  readonly #limits: WebLimits;
  readonly #bytesPerMs: number;
  #leadMs = 0;
  // Numbers from the start: a field that was once without one would put each of them on the heap.
  #lastAt = Number.NaN;
  /** Frames over the allowed rate, negative while there is credit. */
  #excessFrames = Number.NaN;

  constructor(limits: WebLimits, sampleRateHz: number, now: number) {
    this.#limits = limits;
    this.#bytesPerMs = (sampleRateHz * 2) / 1000;
    this.#excessFrames = -this.#frameCredit();
    this.#lastAt = now;
  }

  /** Audio of this length was held while the client could not send: it may come at once, up to the catch-up bound. */
  credit(heldMs: number): void {
    this.#leadMs = Math.max(-this.#limits.catchUpMs, this.#leadMs - heldMs);
  }

  /** Counts one frame; `audioBytes` is 0 for anything but audio. */
  count(audioBytes: number, now: number): WebFault | undefined {
    const elapsedMs = Math.max(0, now - this.#lastAt);
    this.#lastAt = now;
    this.#leadMs = Math.max(-this.#limits.catchUpMs, this.#leadMs - elapsedMs);
    // Judged before this frame: one of any allowed length may always come.
    if (this.#leadMs > this.#limits.maxLeadMs) return faults.tooMuchAudio;
    this.#leadMs += audioBytes / this.#bytesPerMs;
    const allowed = (elapsedMs * this.#limits.maxFramesPerSecond) / 1000;
    this.#excessFrames = Math.max(-this.#frameCredit(), this.#excessFrames - allowed) + 1;
    return this.#excessFrames > 0 ? faults.tooManyFrames : undefined;
  }

  #frameCredit(): number {
    return (this.#limits.maxFramesPerSecond * this.#limits.catchUpMs) / 1000;
  }
}
