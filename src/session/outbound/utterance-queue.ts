import type { UtteranceBuffer } from './utterance-buffer.ts';

/** Utterances in the order they were started, and how far into them sending has come. */
export class UtteranceQueue {
  /** Started and not yet heard to the end; the first `#whole` of them are fully sent. */
  #items: UtteranceBuffer[] = [];
  #whole = 0;
  /** Samples of the current one already sent. */
  #cursor = 0;

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /** The one that is heard first. */
  get head(): UtteranceBuffer | undefined {
    return this.#items[0];
  }

  /** The head was sent to its end. */
  get headIsSent(): boolean {
    return this.#whole > 0;
  }

  /** The one that is being sent. */
  get current(): UtteranceBuffer | undefined {
    return this.#items[this.#whole];
  }

  /** Samples of the current one already sent. */
  get cursor(): number {
    return this.#cursor;
  }

  /** The same in ms. */
  get cursorMs(): number {
    return (this.#cursor * 1000) / (this.current?.sampleRateHz ?? 1);
  }

  find(uttId: number | undefined): UtteranceBuffer | undefined {
    return this.#items.find((utterance) => utterance.uttId === uttId);
  }

  push(utterance: UtteranceBuffer): void {
    this.#items.push(utterance);
  }

  /** So many samples of the current one went out. */
  advance(samples: number): void {
    this.#cursor += samples;
  }

  /** The current one is sent; the next one is up. */
  next(): void {
    this.#whole++;
    this.#cursor = 0;
  }

  /** The head was heard to its end. True when part of the next one was sent behind it. */
  finishHead(): boolean {
    this.#items.shift();
    if (this.#whole > 0) this.#whole--;
    else this.#cursor = 0;
    return !this.isEmpty && (this.#whole > 0 || this.#cursor > 0);
  }

  /** Sends again from there. */
  seek(uttId: number, playedMs: number): void {
    const index = this.#items.findIndex((utterance) => utterance.uttId === uttId);
    const utterance = this.#items[index];
    if (!utterance) return;
    this.#whole = index;
    this.#cursor = Math.min(
      utterance.samples,
      Math.floor((playedMs * utterance.sampleRateHz) / 1000),
    );
  }

  clear(): void {
    this.#items = [];
    this.#whole = 0;
    this.#cursor = 0;
  }
}
