import { doubleMetaphone } from 'double-metaphone';

/** A term that may have been meant. */
export interface SimilarTerm {
  readonly id: number;
  /** Similarity of the two words, 0…1. */
  readonly sameness: number;
}

const ONE_SLIP = 0.8;
const TWO_SLIPS = 0.6;
const SAME_SOUND = 0.55;
const LONGER = 0.5;
const MAX_SIMILAR = 4;
/** Shorter words are similar to too many others. */
const MIN_CHARS = 3;
const TWO_SLIPS_CHARS = 6;
const MIN_LONGER_CHARS = 5;
const MAX_CHARS = 40;
/** Bounds the terms, among those that share letter pairs, that are compared letter by letter. */
const MAX_COMPARED = 3_000;

/** Finds the terms that a misspelt or misheard word may stand for. */
export class SimilarTerms {
  readonly #terms: string[] = [];
  readonly #ids: number[] = [];
  readonly #byPair = new Map<number, number[]>();
  readonly #bySound = new Map<string, number[]>();
  readonly #shared: Uint8Array;
  readonly #df: (id: number) => number;

  constructor(terms: ReadonlyMap<string, number>, df: (id: number) => number) {
    this.#df = df;
    for (const [term, id] of terms) {
      if (term.length < MIN_CHARS || term.length > MAX_CHARS || /\d/.test(term)) continue;
      const place = this.#terms.length;
      this.#terms.push(term);
      this.#ids.push(id);
      for (const pair of pairsOf(term)) note(this.#byPair, pair, place);
      for (const sound of soundsOf(term)) note(this.#bySound, sound, place);
    }
    this.#shared = new Uint8Array(this.#terms.length);
  }

  /** Best first: terms with few edits, with the same sound, or that begin with the word. */
  find(word: string): readonly SimilarTerm[] {
    if (word.length < MIN_CHARS || word.length > MAX_CHARS || /\d/.test(word)) return [];
    const slips = word.length >= TWO_SLIPS_CHARS ? 2 : 1;
    const found = new Map<number, number>();
    const take = (place: number, sameness: number) => {
      if (sameness > (found.get(place) ?? 0)) found.set(place, sameness);
    };
    for (const place of this.#sharing(word, slips)) {
      const term = this.#terms[place] as string;
      const distance = editDistance(word, term, slips);
      if (distance <= slips) take(place, distance <= 1 ? ONE_SLIP : TWO_SLIPS);
      else if (word.length >= MIN_LONGER_CHARS && term.startsWith(word)) take(place, LONGER);
    }
    for (const sound of soundsOf(word))
      for (const place of this.#bySound.get(sound) ?? []) take(place, SAME_SOUND);
    const list = [...found].map(([place, sameness]) => ({
      id: this.#ids[place] as number,
      sameness,
    }));
    const best = Math.max(0, ...list.map(({ sameness }) => sameness));
    return (
      list
        // Keeps only the closest: equal sound matters only if no small edit explains the word.
        .filter(({ sameness }) => sameness >= best - 0.06)
        .sort((a, b) => b.sameness - a.sameness || this.#df(b.id) - this.#df(a.id))
        .slice(0, MAX_SIMILAR)
    );
  }

  /** Indexes of terms that share enough letter pairs to be at most `slips` edits away. */
  #sharing(word: string, slips: number): readonly number[] {
    const pairs = pairsOf(word);
    // An edit changes at most three pairs; swapping two letters does.
    const least = Math.max(1, pairs.length - 3 * slips);
    const touched: number[] = [];
    for (const pair of pairs)
      for (const place of this.#byPair.get(pair) ?? []) {
        if (this.#shared[place] === 0) touched.push(place);
        this.#shared[place] = (this.#shared[place] as number) + 1;
      }
    const sharing = touched.filter((place) => {
      const length = (this.#terms[place] as string).length;
      return (this.#shared[place] as number) >= least && length >= word.length - slips;
    });
    if (sharing.length > MAX_COMPARED) {
      sharing.sort((a, b) => (this.#shared[b] as number) - (this.#shared[a] as number));
      sharing.length = MAX_COMPARED;
    }
    for (const place of touched) this.#shared[place] = 0;
    return sharing;
  }
}

function note<Key>(lists: Map<Key, number[]>, key: Key, place: number): void {
  const list = lists.get(key);
  if (list) list.push(place);
  else lists.set(key, [place]);
}

/** Each pair of adjacent letters once; the word's edges count as letters. */
function pairsOf(word: string): readonly number[] {
  const pairs = new Set<number>();
  let before = 0;
  for (let i = 0; i <= word.length; i++) {
    const code = i < word.length ? word.charCodeAt(i) : 0;
    pairs.add(before * 0x1_0000 + code);
    before = code;
  }
  return [...pairs];
}

/** One or two phonetic codes of a word; none if it has too few sounds. */
function soundsOf(word: string): readonly string[] {
  if (!/^[a-z]+$/.test(word)) return [];
  return [...new Set(doubleMetaphone(word))].filter((sound) => sound.length >= 2);
}

/** Number of letters changed, left out, added or swapped; stops counting above `most`. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let leastOfRow = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (row[j - 1] as number) + same,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      next.push(least);
      leastOfRow = Math.min(leastOfRow, least);
    }
    if (leastOfRow > most) return most + 1;
    [before, row] = [row, next];
  }
  return row[b.length] as number;
}
