import type { WordTiming } from '../../ports/tts.ts';
import type { Timing } from './tts-vendor.ts';

// How far ahead to search for a vendor's text, because vendors omit or rephrase parts.
const LOOK_AHEAD_CHARS = 24;
// A single letter would too easily match further ahead.
const LETTER_LOOK_AHEAD_CHARS = 3;

interface Word {
  readonly written: string;
  startMs: number | undefined;
  endMs: number;
}

/** The letters and digits of a text, one code unit each. */
function soundsOf(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/./g, (unit) => (unit.toLowerCase().length === 1 ? unit.toLowerCase() : unit));
}

/**
 * Combines a vendor's timings (of characters, words or anything between) into words of the text as written. Words
 * come out once and in order.
 */
export class WrittenWords {
  readonly #words: Word[];
  /** The spoken characters of the text, and the word that each belongs to. */
  readonly #sounds: string;
  readonly #owner: number[];
  #at = 0;
  #delivered = 0;
  #lastMs = 0;

  constructor(text: string) {
    const written = text.match(/\S+/g) ?? [];
    this.#words = written.map((word) => ({ written: word, startMs: undefined, endMs: 0 }));
    this.#sounds = written.map(soundsOf).join('');
    this.#owner = written.flatMap((word, i) => Array<number>(soundsOf(word).length).fill(i));
  }

  /** Returns the words that these timings complete. */
  take(timings: readonly Timing[]): WordTiming[] {
    for (const timing of timings) this.#place(timing);
    const complete: WordTiming[] = [];
    const current = this.#owner[this.#at] ?? this.#words.length;
    while (this.#delivered < current) complete.push(this.#deliver());
    return complete;
  }

  /** Returns the words without timings, placed at the end of the timed ones. */
  end(): WordTiming[] {
    const rest: WordTiming[] = [];
    while (this.#delivered < this.#words.length) rest.push(this.#deliver());
    return rest;
  }

  #place({ text, startMs, endMs }: Timing): void {
    const sounds = soundsOf(text);
    if (sounds === '') return;
    const found = this.#sounds.indexOf(sounds, this.#at);
    const reach = sounds.length === 1 ? LETTER_LOOK_AHEAD_CHARS : LOOK_AHEAD_CHARS;
    if (found < 0 || found - this.#at > reach) return;
    this.#at = found + sounds.length;
    for (let at = found; at < this.#at; at++) {
      const word = this.#words[this.#owner[at] as number] as Word;
      word.startMs ??= startMs;
      word.endMs = Math.max(word.endMs, endMs);
    }
  }

  #deliver(): WordTiming {
    const word = this.#words[this.#delivered++] as Word;
    const startMs = Math.max(this.#lastMs, word.startMs ?? this.#lastMs);
    this.#lastMs = Math.max(startMs, word.endMs);
    return { word: word.written, startMs, endMs: this.#lastMs };
  }
}
