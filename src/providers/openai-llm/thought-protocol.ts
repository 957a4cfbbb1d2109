const OPEN = '<think>';
const CLOSE = '</think>';
/** Maximum blank text before `<think>`. */
const MAX_BLANK_CHARS = 1000;

/**
 * Removes the reasoning that models on plain servers send before their answer, between `<think>` and `</think>`. Only
 * at the very start: later tags are part of the answer.
 */
export class ThoughtFilter {
  #state: 'undecided' | 'thinking' | 'resuming' | 'answering' = 'undecided';
  #held = '';

  /** Returns the part of the text that belongs to the answer. */
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

  /** Returns held-back text that turned out not to be reasoning. */
  end(): string {
    const rest = this.#state === 'undecided' ? this.#held : '';
    this.#held = '';
    return rest;
  }

  /** Drops blank lines between the reasoning and the answer. */
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
