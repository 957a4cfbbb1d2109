/** Largest frame that the service takes, with room to spare. */
const MAX_FRAME_BYTES = 60_000;

/**
 * The caller's last seconds of sound, so that what the service did not get before a connection broke can be sent
 * in one go when it is back. Pure.
 */
export class HeldAudio {
  readonly #bytesPerMs: number;
  readonly #maxBytes: number;
  #frames: ArrayBuffer[] = [];
  #bytes = 0;
  /** Position of the end of what is held, since the beginning of the call. */
  #endBytes = 0;

  /** PCM16 of one channel; at most `maxMs` are held. */
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
   * The service is back and has `receivedMs` of the call's sound: all that is held of what came after that, in as
   * few frames as may be. What is no longer held is given up, and the count goes on from what the service will have.
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
