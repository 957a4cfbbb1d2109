const OPEN = '<think>';
const CLOSE = '</think>';
/** Blank text that thoughts may begin behind. */
const MAX_BLANK_CHARS = 1000;

/**
 * Takes out the thoughts that reasoning models on plain servers put before their answer, between
 * `<think>` and `</think>`. Only at the very start: further on, the words are somebody's text.
 */
export class ThoughtFilter {
  #state: 'undecided' | 'thinking' | 'resuming' | 'answering' = 'undecided';
  #held = '';

  /** The part of the text that may be heard. */
  push(text: string): string {
    if (this.#state === 'answering' || text === '') return text;
    if (this.#state === 'resuming') return this.#resume(text);
    this.#held += text;
    if (this.#state === 'undecided') {
      const start = this.#held.trimStart();
      const mayBegin = start.length < OPEN.length && OPEN.startsWith(start);
      if (mayBegin && this.#held.length <= MAX_BLANK_CHARS) return '';
      if (!start.startsWith(OPEN)) return this.#answer(this.#held);
      this.#state = 'thinking';
    }
    const close = this.#held.indexOf(CLOSE);
    if (close >= 0) return this.#resume(this.#held.slice(close + CLOSE.length));
    this.#held = this.#held.slice(-(CLOSE.length - 1));
    return '';
  }

  /** What was held back and turned out to be no thought. */
  end(): string {
    const rest = this.#state === 'undecided' ? this.#held : '';
    this.#held = '';
    return rest;
  }

  /** Blank lines between the thoughts and the answer belong to neither. */
  #resume(text: string): string {
    this.#state = 'resuming';
    const rest = text.trimStart();
    return rest === '' ? '' : this.#answer(rest);
  }

  #answer(text: string): string {
    this.#state = 'answering';
    this.#held = '';
    return text;
  }
}
