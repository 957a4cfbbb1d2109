const PREROLL_MS = 500;
const CHUNK_MS = 100;

/** Passes speech and a short preroll, in chunks large enough for a message. */
export class SpeechGate {
  readonly #chunkSamples: number;
  readonly #prerollSamples: number;
  readonly #send: (pcm: Int16Array) => void;
  #kept: Int16Array[] = [];
  #samples = 0;
  #open = false;

  constructor(sampleRateHz: number, send: (pcm: Int16Array) => void) {
    this.#chunkSamples = (sampleRateHz * CHUNK_MS) / 1000;
    this.#prerollSamples = (sampleRateHz * PREROLL_MS) / 1000;
    this.#send = send;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Copies the samples. */
  write(pcm: Int16Array): void {
    this.#kept.push(pcm.slice());
    this.#samples += pcm.length;
    if (this.#open) {
      if (this.#samples >= this.#chunkSamples) this.#flush();
      return;
    }
    while (this.#samples - (this.#kept[0]?.length ?? 0) >= this.#prerollSamples)
      this.#samples -= this.#kept.shift()?.length ?? 0;
  }

  open(): void {
    this.#open = true;
    this.#flush();
  }

  close(): void {
    this.#flush();
    this.#open = false;
  }

  #flush(): void {
    if (this.#samples === 0) return;
    const pcm = new Int16Array(this.#samples);
    let at = 0;
    for (const part of this.#kept) {
      pcm.set(part, at);
      at += part.length;
    }
    this.#kept = [];
    this.#samples = 0;
    this.#send(pcm);
  }
}
