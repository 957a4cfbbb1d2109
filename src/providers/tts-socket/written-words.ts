import type { WordTiming } from '../../ports/tts.ts';
import type { Timing } from './tts-vendor.ts';

// How far a vendor's text may run ahead of ours: what it left out, or says otherwise.
const LOOK_AHEAD_CHARS = 24;
// A single letter is found too easily further on.
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
 * Gathers a vendor's timings, of characters, words or anything between, into the words of the text as
 * written. Words come out in order, once, and never before the ones they follow.
 */
export class WrittenWords {
  readonly #words: Word[];
  /** What of the text can be heard, and the word each unit of it belongs to. */
  readonly #sounds: string;
  readonly #owner: number[];
  #at = 0;
  #given = 0;
  #lastMs = 0;

  constructor(text: string) {
    const written = text.match(/\S+/g) ?? [];
    this.#words = written.map((word) => ({ written: word, startMs: undefined, endMs: 0 }));
    this.#sounds = written.map(soundsOf).join('');
    this.#owner = written.flatMap((word, i) => Array<number>(soundsOf(word).length).fill(i));
  }

  /** The words that are complete with these. */
  take(timings: readonly Timing[]): WordTiming[] {
    for (const timing of timings) this.#place(timing);
    const complete: WordTiming[] = [];
    const current = this.#owner[this.#at] ?? this.#words.length;
    while (this.#given < current) complete.push(this.#give());
    return complete;
  }

  /** The words that the vendor did not time, at the end of what it did. */
  end(): WordTiming[] {
    const rest: WordTiming[] = [];
    while (this.#given < this.#words.length) rest.push(this.#give());
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

  #give(): WordTiming {
    const word = this.#words[this.#given++] as Word;
    const startMs = Math.max(this.#lastMs, word.startMs ?? this.#lastMs);
    this.#lastMs = Math.max(startMs, word.endMs);
    return { word: word.written, startMs, endMs: this.#lastMs };
  }
}
