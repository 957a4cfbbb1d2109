/** Cuts encoded audio into whole frames. A rest waits for more audio, or is filled up with silence. Pure. */
export class WholeFrames {
  readonly #frameBytes: number;
  readonly #silence: number;
  #rest = new Uint8Array(0);

  constructor(frameBytes: number, silence: number) {
    this.#frameBytes = frameBytes;
    this.#silence = silence;
  }

  /** The whole frames of the rest plus `payload`; may be empty. */
  push(payload: Uint8Array): Uint8Array {
    if (this.#rest.length === 0 && payload.length % this.#frameBytes === 0) return payload;
    const all = new Uint8Array(this.#rest.length + payload.length);
    all.set(this.#rest);
    all.set(payload, this.#rest.length);
    const whole = all.length - (all.length % this.#frameBytes);
    this.#rest = all.slice(whole);
    return all.subarray(0, whole);
  }

  /** The rest as one last frame; empty if there is no rest. */
  fill(): Uint8Array {
    if (this.#rest.length === 0) return this.#rest;
    const frame = new Uint8Array(this.#frameBytes).fill(this.#silence);
    frame.set(this.#rest);
    this.drop();
    return frame;
  }

  drop(): void {
    this.#rest = new Uint8Array(0);
  }
}
