/** A little below the largest frame that the service accepts. */
const MAX_FRAME_BYTES = 60_000;

/**
 * Keeps the caller's last seconds of audio. After a reconnect, the part that the service missed can be sent at once.
 * Pure.
 */
export class HeldAudio {
  readonly #bytesPerMs: number;
  readonly #maxBytes: number;
  #frames: ArrayBuffer[] = [];
  #bytes = 0;
  /** Position of the end of the buffer in the call's audio. */
  #endBytes = 0;

  /** Takes PCM16 of one channel and keeps at most `maxMs` of it. */
  constructor(sampleRateHz: number, maxMs: number) {
    this.#bytesPerMs = (sampleRateHz * 2) / 1000;
    this.#maxBytes = maxMs * this.#bytesPerMs;
  }

  push(frame: ArrayBuffer): void {
    this.#frames.push(frame);
    this.#bytes += frame.byteLength;
    this.#endBytes += frame.byteLength;
    while (this.#bytes > this.#maxBytes) {
      const oldest = this.#frames.shift();
      if (!oldest) return;
      this.#bytes -= oldest.byteLength;
    }
  }

  /**
   * Returns the audio after the first `receivedMs` of the call, which the service already has, in as few frames as
   * possible. Audio no longer in the buffer is lost, and positions continue from what the service will then have.
   */
  resume(receivedMs: number): ArrayBuffer[] {
    const startBytes = this.#endBytes - this.#bytes;
    const receivedBytes = 2 * Math.round((receivedMs * this.#bytesPerMs) / 2);
    const skip = Math.max(0, Math.min(this.#bytes, receivedBytes - startBytes));
    const rest = joined(this.#frames).slice(skip);
    this.#endBytes = receivedBytes + rest.byteLength;
    const frames: ArrayBuffer[] = [];
    for (let at = 0; at < rest.byteLength; at += MAX_FRAME_BYTES)
      frames.push(rest.slice(at, at + MAX_FRAME_BYTES));
    return frames;
  }
}

function joined(frames: readonly ArrayBuffer[]): ArrayBuffer {
  const whole = new Uint8Array(frames.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const frame of frames) {
    whole.set(new Uint8Array(frame), at);
    at += frame.byteLength;
  }
  return whole.buffer;
}
