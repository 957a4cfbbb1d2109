/** A piece of what was written, or a place between two pieces where the speech paused. */
export type TapeEntry =
  | { readonly type: 'audio'; readonly pcm: Int16Array; readonly startMs: number }
  | { readonly type: 'pause'; readonly startMs: number };

export interface ReplayBufferOptions {
  readonly sampleRateHz: number;
  readonly chunkMs: number;
  /** The same while nobody speaks: a message costs more than what it carries. */
  readonly quietChunkMs?: number;
  readonly minChunkMs: number;
  /** Audio that may wait to be sent; beyond it the oldest is lost. */
  readonly maxWaitingMs: number;
  /** Audio that was sent and may have to be sent again. */
  readonly maxKeptMs: number;
}

/**
 * What was written to a recogniser, cut into messages: what waits to be sent, and what was sent but
 * would have to be sent again if the connection broke now. Positions are milliseconds of audio written.
 */
export class ReplayBuffer {
  readonly #options: ReplayBufferOptions;
  #chunkSamples: number;
  #entries: TapeEntry[] = [];
  /** The first entry that was not sent. */
  #next = 0;
  #chunk: Int16Array;
  #filled = 0;
  #samples = 0;
  #waitingMs = 0;
  #droppedMs = 0;

  constructor(options: ReplayBufferOptions) {
    this.#options = options;
    this.#chunkSamples = this.#toSamples(options.quietChunkMs ?? options.chunkMs);
    this.#chunk = new Int16Array(this.#chunkSamples);
  }

  get writtenMs(): number {
    return this.#toMs(this.#samples);
  }

  /** Audio that waits to be sent. */
  get waitingMs(): number {
    return this.#waitingMs;
  }

  get droppedMs(): number {
    return this.#droppedMs;
  }

  durationMs(entry: TapeEntry): number {
    return entry.type === 'audio' ? this.#toMs(entry.pcm.length) : 0;
  }

  /** Copies. */
  write(pcm: Int16Array): void {
    for (let at = 0; at < pcm.length; ) {
      const room = this.#chunkSamples - this.#filled;
      // The usual case: it fits, and needs no view of a part of it.
      const part = at === 0 && pcm.length <= room ? pcm : pcm.subarray(at, at + room);
      this.#chunk.set(part, this.#filled);
      this.#filled += part.length;
      this.#samples += part.length;
      at += part.length;
      if (this.#filled === this.#chunkSamples) this.#cut();
    }
  }

  /** Somebody speaks: what is there, and all that follows, is to be sent without waiting for more. */
  speak(): void {
    this.#cutInto(this.#options.chunkMs);
  }

  /** The speech paused here: what is there is to be sent without waiting for more. */
  pause(): void {
    this.#cutInto(this.#options.quietChunkMs ?? this.#options.chunkMs);
    this.#entries.push({ type: 'pause', startMs: this.writtenMs });
  }

  /** What is to be sent next. */
  peek(): TapeEntry | undefined {
    return this.#entries[this.#next];
  }

  /** It was sent. */
  advance(): void {
    this.#waitingMs -= this.durationMs(this.#entries[this.#next] as TapeEntry);
    this.#next++;
    const oldestMs = this.writtenMs - this.#options.maxKeptMs;
    this.forget(oldestMs);
  }

  /** Everything before this was heard and need not be kept. */
  forget(beforeMs: number): void {
    let gone = 0;
    while (gone < this.#next && this.#endMs(gone) <= beforeMs) gone++;
    if (gone === 0) return;
    this.#entries.splice(0, gone);
    this.#next -= gone;
  }

  /** What was sent from here on is to be sent again. */
  rewind(toMs: number): void {
    while (this.#next > 0 && this.#endMs(this.#next - 1) > toMs) {
      this.#next--;
      this.#waitingMs += this.durationMs(this.#entries[this.#next] as TapeEntry);
    }
    this.#dropExcess();
  }

  /** From here on in pieces of this length. What is too little to be sent stays for the next one. */
  #cutInto(chunkMs: number): void {
    this.#chunkSamples = this.#toSamples(chunkMs);
    if (this.#toMs(this.#filled) >= this.#options.minChunkMs) {
      this.#cut();
      return;
    }
    const begun = this.#chunk.subarray(0, this.#filled);
    this.#chunk = new Int16Array(this.#chunkSamples);
    this.#chunk.set(begun);
  }

  #cut(): void {
    const pcm = this.#chunk.subarray(0, this.#filled);
    this.#entries.push({ type: 'audio', pcm, startMs: this.#toMs(this.#samples - this.#filled) });
    this.#waitingMs += this.#toMs(this.#filled);
    this.#chunk = new Int16Array(this.#chunkSamples);
    this.#filled = 0;
    this.#dropExcess();
  }

  #dropExcess(): void {
    while (this.#waitingMs > this.#options.maxWaitingMs) {
      const [lost] = this.#entries.splice(this.#next, 1) as [TapeEntry];
      this.#waitingMs -= this.durationMs(lost);
      this.#droppedMs += this.durationMs(lost);
    }
  }

  #endMs(index: number): number {
    const entry = this.#entries[index] as TapeEntry;
    return entry.startMs + this.durationMs(entry);
  }

  #toSamples(durationMs: number): number {
    return Math.round((this.#options.sampleRateHz * durationMs) / 1000);
  }

  #toMs(samples: number): number {
    return (samples * 1000) / this.#options.sampleRateHz;
  }
}
