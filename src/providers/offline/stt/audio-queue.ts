/** Receives audio and marks from the queue, in order. */
export interface AudioQueueSink<Mark> {
  audio(pcm: Int16Array): void;
  mark(mark: Mark): void;
}

/**
 * Audio on its way to a thread, with marks in position. A limited amount may be in flight; the rest waits here. When
 * too much waits, the oldest audio is dropped, but never a mark.
 */
export class AudioQueue<Mark extends object> {
  readonly #sink: AudioQueueSink<Mark>;
  readonly #windowSamples: number;
  readonly #limitSamples: number;
  #waiting: (Int16Array | Mark)[] = [];
  #waitingSamples = 0;
  #underWay = 0;
  #dropped = 0;

  constructor(sink: AudioQueueSink<Mark>, windowSamples: number, limitSamples: number) {
    this.#sink = sink;
    this.#windowSamples = windowSamples;
    this.#limitSamples = limitSamples;
  }

  /** Nothing waits, and the thread has processed all that it was sent. */
  get isEmpty(): boolean {
    return this.#underWay === 0 && this.#waiting.length === 0;
  }

  get droppedSamples(): number {
    return this.#dropped;
  }

  /** The queue takes ownership of the array. */
  push(item: Int16Array | Mark): void {
    this.#waiting.push(item);
    if (item instanceof Int16Array) this.#waitingSamples += item.length;
    this.#flow();
    while (this.#waitingSamples > this.#limitSamples) this.#dropOldest();
  }

  /** The thread has processed this many samples. */
  consumed(samples: number): void {
    this.#underWay = Math.max(0, this.#underWay - samples);
    this.#flow();
  }

  #flow(): void {
    let next = this.#waiting[0];
    while (next !== undefined) {
      if (next instanceof Int16Array) {
        if (this.#underWay > 0 && this.#underWay + next.length > this.#windowSamples) return;
        this.#underWay += next.length;
        this.#waitingSamples -= next.length;
        this.#sink.audio(next);
      } else {
        this.#sink.mark(next);
      }
      this.#waiting.shift();
      next = this.#waiting[0];
    }
  }

  #dropOldest(): void {
    const oldest = this.#waiting.findIndex((item) => item instanceof Int16Array);
    const [dropped] = this.#waiting.splice(oldest, 1);
    const samples = (dropped as Int16Array).length;
    this.#waitingSamples -= samples;
    this.#dropped += samples;
  }
}
