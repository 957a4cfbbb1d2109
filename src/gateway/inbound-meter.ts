import type { WebLimits } from './web-limits.ts';
import { faults, type WebFault } from './web-protocol.ts';

/** Checks a frame rate. Time without frames becomes credit, up to the burst. */
export class FrameMeter {
  readonly #framesPerMs: number;
  readonly #burstFrames: number;
  // NaN instead of undefined: a field that has ever held a non-number makes V8 allocate each number on the heap.
  #lastAt = Number.NaN;
  /** Frames over the allowed rate, negative while there is credit. */
  #excess = Number.NaN;

  constructor(maxFramesPerSecond: number, burstFrames: number, now: number) {
    this.#framesPerMs = maxFramesPerSecond / 1000;
    this.#burstFrames = burstFrames;
    this.#excess = -burstFrames;
    this.#lastAt = now;
  }

  /** False when this frame exceeds the rate. */
  count(now: number): boolean {
    const allowed = Math.max(0, now - this.#lastAt) * this.#framesPerMs;
    this.#lastAt = now;
    this.#excess = Math.max(-this.#burstFrames, this.#excess - allowed) + 1;
    return this.#excess <= 0;
  }
}

/**
 * Compares the client's audio with real time. Time without audio becomes credit, up to the catch-up bound, because
 * audio delayed by the network is not a flood.
 */
export class InboundMeter {
  readonly #limits: WebLimits;
  readonly #bytesPerMs: number;
  readonly #frames: FrameMeter;
  // Numbers from the start: a field that has ever held a non-number makes V8 allocate each number on the heap.
  #leadMs = 0;
  #lastAt = Number.NaN;

  constructor(limits: WebLimits, sampleRateHz: number, now: number) {
    const { maxFramesPerSecond, catchUpMs } = limits;
    this.#limits = limits;
    this.#bytesPerMs = (sampleRateHz * 2) / 1000;
    this.#frames = new FrameMeter(maxFramesPerSecond, (maxFramesPerSecond * catchUpMs) / 1000, now);
    this.#lastAt = now;
  }

  /** The client held back this much audio while it could not send; it may send it at once, up to the catch-up bound. */
  credit(heldMs: number): void {
    this.#leadMs = Math.max(-this.#limits.catchUpMs, this.#leadMs - heldMs);
  }

  /** Counts one frame; `audioBytes` is 0 for all other frames. */
  count(audioBytes: number, now: number): WebFault | undefined {
    const elapsedMs = Math.max(0, now - this.#lastAt);
    this.#lastAt = now;
    this.#leadMs = Math.max(-this.#limits.catchUpMs, this.#leadMs - elapsedMs);
    // Checked before this frame is added: a single frame of any allowed length is always accepted.
    if (this.#leadMs > this.#limits.maxLeadMs) return faults.tooMuchAudio;
    this.#leadMs += audioBytes / this.#bytesPerMs;
    return this.#frames.count(now) ? undefined : faults.tooManyFrames;
  }
}
