import type { UtteranceBuffer } from './utterance-buffer.ts';

/** After a hold, a word is repeated from its beginning if no more than this of it was played. */
const MAX_REPEAT_MS = 600;

/** Utterances in the order in which they were started, with a cursor for the audio sent so far. */
export class UtteranceQueue {
  /** Started and not yet heard to the end. The first `#sentWhole` of them are sent completely. */
  #items: UtteranceBuffer[] = [];
  #sentWhole = 0;
  /** Samples of the current utterance already sent. */
  #cursor = 0;

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /** The utterance being heard, or heard next. */
  get head(): UtteranceBuffer | undefined {
    return this.#items[0];
  }

  /** True if the head was sent completely. */
  get headIsSent(): boolean {
    return this.#sentWhole > 0;
  }

  /** The utterance being sent. */
  get current(): UtteranceBuffer | undefined {
    return this.#items[this.#sentWhole];
  }

  /** The utterances that are not sent completely, in order. */
  get upcoming(): readonly UtteranceBuffer[] {
    return this.#items.slice(this.#sentWhole);
  }

  /** Samples of the current utterance already sent. */
  get cursor(): number {
    return this.#cursor;
  }

  /** `cursor` in ms. */
  get cursorMs(): number {
    return (this.#cursor * 1000) / (this.current?.sampleRateHz ?? 1);
  }

  find(uttId: number | undefined): UtteranceBuffer | undefined {
    return this.#items.find((utterance) => utterance.uttId === uttId);
  }

  push(utterance: UtteranceBuffer): void {
    this.#items.push(utterance);
  }

  advance(samples: number): void {
    this.#cursor += samples;
  }

  /** The current utterance is sent completely: goes to the next one. */
  next(): void {
    this.#sentWhole++;
    this.#cursor = 0;
  }

  /** Removes the head, which was heard to its end. True if a part of the next utterance was already sent. */
  finishHead(): boolean {
    this.#items.shift();
    if (this.#sentWhole > 0) this.#sentWhole--;
    else this.#cursor = 0;
    return !this.isEmpty && (this.#sentWhole > 0 || this.#cursor > 0);
  }

  /** Moves the cursor back, so that audio from `playedMs` on is sent again. */
  seek(uttId: number, playedMs: number): void {
    const index = this.#items.findIndex((utterance) => utterance.uttId === uttId);
    const utterance = this.#items[index];
    if (!utterance) return;
    this.#sentWhole = index;
    this.#cursor = Math.min(
      utterance.samples,
      Math.floor((playedMs * utterance.sampleRateHz) / 1000),
    );
  }

  /** Repeats a word that a hold had cut in two. */
  backToWordStart(): void {
    const heldMs = this.cursorMs;
    const word = this.current?.word(heldMs);
    if (this.current && word && word.saidMs <= MAX_REPEAT_MS)
      this.seek(this.current.uttId, heldMs - word.saidMs);
  }

  clear(): void {
    this.#items = [];
    this.#sentWhole = 0;
    this.#cursor = 0;
  }
}
