/** A piece of the written audio, or a speech pause between two pieces. */
export type ReplayEntry =
  | { readonly type: 'audio'; readonly pcm: Int16Array; readonly startMs: number }
  | { readonly type: 'pause'; readonly startMs: number };

export interface ReplayBufferOptions {
  readonly sampleRateHz: number;
  readonly chunkMs: number;
  /** Chunk length while nobody speaks: a message costs more than its content. */
  readonly quietChunkMs?: number;
  readonly minChunkMs: number;
  /** Maximum unsent audio; beyond it the oldest is dropped. */
  readonly maxWaitingMs: number;
  /** Maximum sent audio that is kept for a replay. */
  readonly maxKeptMs: number;
}

/**
 * The audio written to a recogniser, cut into messages: those not yet sent, and those that must be sent again if the
 * connection breaks now. Positions are milliseconds of written audio.
 */
export class ReplayBuffer {
  readonly #options: ReplayBufferOptions;
  #chunkSamples: number;
  #entries: ReplayEntry[] = [];
  /** Index of the first unsent entry. */
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

  /** Length of the unsent audio. */
  get waitingMs(): number {
    return this.#waitingMs;
  }

  get droppedMs(): number {
    return this.#droppedMs;
  }

  durationMs(entry: ReplayEntry): number {
    return entry.type === 'audio' ? this.#toMs(entry.pcm.length) : 0;
  }

  /** Copies the samples. */
  write(pcm: Int16Array): void {
    for (let at = 0; at < pcm.length; ) {
      const room = this.#chunkSamples - this.#filled;
      // The usual case: the audio fits, so no subarray is needed.
      const part = at === 0 && pcm.length <= room ? pcm : pcm.subarray(at, at + room);
      this.#chunk.set(part, this.#filled);
      this.#filled += part.length;
      this.#samples += part.length;
      at += part.length;
      if (this.#filled === this.#chunkSamples) this.#cut();
    }
  }

  /** Speech has started: sends the current chunk and later ones at the shorter chunk length. */
  speak(): void {
    this.#cutInto(this.#options.chunkMs);
  }

  /** Speech has paused here: releases the current chunk without waiting for more. */
  pause(): void {
    this.#pauseAt(this.#options.quietChunkMs ?? this.#options.chunkMs);
  }

  /** Speech may have paused here: the same, but what follows may still be speech. */
  flush(): void {
    this.#pauseAt(this.#options.chunkMs);
  }

  /** The next entry to send. */
  peek(): ReplayEntry | undefined {
    return this.#entries[this.#next];
  }

  /** Marks the next entry as sent. */
  advance(): void {
    this.#waitingMs -= this.durationMs(this.#entries[this.#next] as ReplayEntry);
    this.#next++;
    const oldestMs = this.writtenMs - this.#options.maxKeptMs;
    this.forget(oldestMs);
  }

  /** Drops entries before this position, which have been recognised. */
  forget(beforeMs: number): void {
    let gone = 0;
    while (gone < this.#next && this.#endMs(gone) <= beforeMs) gone++;
    if (gone === 0) return;
    this.#entries.splice(0, gone);
    this.#next -= gone;
  }

  /** Marks everything from this position on as unsent. */
  rewind(toMs: number): void {
    while (this.#next > 0 && this.#endMs(this.#next - 1) > toMs) {
      this.#next--;
      this.#waitingMs += this.durationMs(this.#entries[this.#next] as ReplayEntry);
    }
    this.#dropExcess();
  }

  #pauseAt(chunkMs: number): void {
    this.#cutInto(chunkMs);
    this.#entries.push({ type: 'pause', startMs: this.writtenMs });
  }

  /** Changes the chunk length from here on. A chunk below the minimum stays for the next one. */
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
      const [lost] = this.#entries.splice(this.#next, 1) as [ReplayEntry];
      this.#waitingMs -= this.durationMs(lost);
      this.#droppedMs += this.durationMs(lost);
    }
  }

  #endMs(index: number): number {
    const entry = this.#entries[index] as ReplayEntry;
    return entry.startMs + this.durationMs(entry);
  }

  #toSamples(durationMs: number): number {
    return Math.round((this.#options.sampleRateHz * durationMs) / 1000);
  }

  #toMs(samples: number): number {
    return (samples * 1000) / this.#options.sampleRateHz;
  }
}
