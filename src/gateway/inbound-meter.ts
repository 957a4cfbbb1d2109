import type { WebLimits } from './web-limits.ts';
import { faults, type WebFault } from './web-protocol.ts';

/** Counts frames against a rate. Time in which none came is credit, up to the burst. */
export class FrameMeter {
  readonly #framesPerMs: number;
  readonly #burstFrames: number;
  // Numbers from the start: a field that was once without one would put each of them on the heap.
  #lastAt = Number.NaN;
  /** Frames over the allowed rate, negative while there is credit. */
  #excess = Number.NaN;

  constructor(maxFramesPerSecond: number, burstFrames: number, now: number) {
    this.#framesPerMs = maxFramesPerSecond / 1000;
    this.#burstFrames = burstFrames;
    this.#excess = -burstFrames;
    this.#lastAt = now;
  }

  /** False when this frame is one too many. */
  count(now: number): boolean {
    const allowed = Math.max(0, now - this.#lastAt) * this.#framesPerMs;
    this.#lastAt = now;
    this.#excess = Math.max(-this.#burstFrames, this.#excess - allowed) + 1;
    return this.#excess <= 0;
  }
}

/**
 * Measures what a client sends against real time. Time in which nothing came is credit, up to the
 * catch-up bound, so that audio held up by the network is not mistaken for a flood.
 */
export class InboundMeter {
  readonly #limits: WebLimits;
  readonly #bytesPerMs: number;
  readonly #frames: FrameMeter;
  // Numbers from the start: a field that was once without one would put each of them on the heap.
  #leadMs = 0;
  #lastAt = Number.NaN;

  constructor(limits: WebLimits, sampleRateHz: number, now: number) {
    const { maxFramesPerSecond, catchUpMs } = limits;
    this.#limits = limits;
    this.#bytesPerMs = (sampleRateHz * 2) / 1000;
    this.#frames = new FrameMeter(maxFramesPerSecond, (maxFramesPerSecond * catchUpMs) / 1000, now);
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
    return this.#frames.count(now) ? undefined : faults.tooManyFrames;
  }
}
