/** Cuts a streamed reply into speakable pieces. */
export interface ReplySplitter {
  /** Returns the pieces that the new text completes. */
  push(text: string): readonly string[];
  /** Returns what is left at the end. */
  flush(): readonly string[];
}

/** A longer sentence is cut at a clause, so that synthesis can begin. */
const LONG_PIECE_CHARS = 220;
/** A piece without punctuation is cut here, at a space where there is one. */
const MAX_PIECE_CHARS = 400;
/** The same for an assistant with its own delimiter. */
const MAX_DELIMITED_CHARS = 2000;
/** Words whose period does not end a sentence. */
const ABBREVIATIONS =
  /(?:^|[\s("'])(?:mr|mrs|ms|dr|prof|st|no|vs|etc|e\.g|i\.e|a\.m|p\.m|approx|inc|ltd|jr|sr|z\.b|bzw|ca|nr|str|m|mme|sra?|ud|uds|p\.ej|u\.s|[A-Z])\.$/i;
/** Longer than any abbreviation with the character before it. */
const ABBREVIATION_CHARS = 16;
const WIDE_END = /[。？！]/u;
/** More marks in a row are not one end of a sentence. */
const MAX_CLOSERS = 64;
const CLOSER = /[.!?…"'”’)\]»]/u;

/**
 * Rule A2: cuts a reply at the assistant's own delimiter, or by sentence where that is empty. Work is linear in the text,
 * however it is streamed.
 */
export function createReplySplitter(delimiter: string): ReplySplitter {
  return delimiter === '' ? new SentenceSplitter() : new DelimiterSplitter(delimiter);
}

class DelimiterSplitter implements ReplySplitter {
  readonly #delimiter: string;
  #rest = '';

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  push(text: string): readonly string[] {
    const delimiter = this.#delimiter;
    // The delimiter may begin in the earlier text.
    const known = Math.max(0, this.#rest.length - delimiter.length);
    const all = this.#rest + text;
    const pieces: string[] = [];
    let start = 0;
    for (let end = all.indexOf(delimiter, known); end >= 0; end = all.indexOf(delimiter, start)) {
      start = pushBounded(pieces, all, start, end);
      pushTrimmed(pieces, all.slice(start, end));
      start = end + delimiter.length;
    }
    // Does not cut through the beginning of a delimiter.
    start = pushBounded(pieces, all, start, all.length - delimiter.length + 1);
    this.#rest = all.slice(start);
    return pieces;
  }

  flush(): readonly string[] {
    const last = this.#rest.replaceAll(this.#delimiter, ' ').trim();
    this.#rest = '';
    return last === '' ? [] : [last];
  }
}

/** Cuts off pieces of the maximum length until less than one is left before `end`; returns where it stopped. */
function pushBounded(pieces: string[], text: string, from: number, end: number): number {
  let start = from;
  while (end - start > MAX_DELIMITED_CHARS) {
    const cut = hardCut(text, start, start + MAX_DELIMITED_CHARS);
    pushTrimmed(pieces, text.slice(start, cut));
    start = cut;
  }
  return start;
}

function pushTrimmed(pieces: string[], text: string): void {
  const piece = text.trim();
  if (piece !== '') pieces.push(piece);
}

class SentenceSplitter implements ReplySplitter {
  /** Text that is not yet a piece. */
  #rest = '';
  /** No piece ends before this index. */
  #scanned = 0;

  push(text: string): readonly string[] {
    const all = this.#rest + text;
    const scan = new SentenceScan(all);
    const pieces: string[] = [];
    let start = 0;
    let undecided: number | undefined;
    for (let i = this.#scanned; i < all.length; i++) {
      let end = scan.endOfPiece(start, i);
      if (end === 'undecided') undecided ??= i;
      if (typeof end !== 'number') {
        if (i - start < MAX_PIECE_CHARS) continue;
        end = hardCut(all, start, i);
      }
      pushTrimmed(pieces, all.slice(start, end));
      start = end;
      i = end - 1;
      undecided = undefined;
    }
    this.#rest = all.slice(start);
    this.#scanned = (undecided ?? all.length) - start;
    return pieces;
  }

  flush(): readonly string[] {
    const last = this.#rest.trim();
    this.#rest = '';
    this.#scanned = 0;
    return last === '' ? [] : [last];
  }
}

class SentenceScan {
  readonly #text: string;
  /** The end of the closing punctuation found last, and where its search began. */
  #closersFrom = 0;
  #closersEnd = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the piece that began at `start` ends, when the character at `i` ends it; what follows may have to decide it. */
  endOfPiece(start: number, i: number): number | 'undecided' | undefined {
    const text = this.#text;
    const char = text[i] as string;
    if (char === '\n') return i + 1;
    if (WIDE_END.test(char)) return this.#afterClosers(i + 1);
    if ('.!?…'.includes(char)) {
      const end = this.#afterClosers(i + 1);
      // The following text distinguishes the end of a sentence from a decimal point, a URL or an abbreviation.
      if (end >= text.length) return 'undecided';
      if (!/\s/.test(text[end] as string)) return undefined;
      if (char === '.' && isAbbreviation(text, start, i)) return undefined;
      if (char === '.' && /^\s*\d+\.$/.test(text.slice(start, i + 1))) return undefined;
      return end;
    }
    if (i - start < LONG_PIECE_CHARS || !/[,;:]/.test(char)) return undefined;
    if (i + 1 >= text.length) return 'undecided';
    return /\s/.test(text[i + 1] as string) ? i + 1 : undefined;
  }

  #afterClosers(from: number): number {
    if (from >= this.#closersFrom && from < this.#closersEnd) return this.#bounded(from);
    let end = from;
    while (CLOSER.test(this.#text[end] ?? '')) end++;
    this.#closersFrom = from;
    this.#closersEnd = end;
    return this.#bounded(from);
  }

  #bounded(from: number): number {
    return Math.min(this.#closersEnd, from + MAX_CLOSERS);
  }
}

function isAbbreviation(text: string, start: number, i: number): boolean {
  return ABBREVIATIONS.test(text.slice(Math.max(start, i - ABBREVIATION_CHARS), i + 1));
}

/** Where to cut a piece that has to end before `limit`: after a space in its second half, and never through a character. */
function hardCut(text: string, start: number, limit: number): number {
  const half = start + Math.floor((limit - start) / 2);
  for (let i = limit; i > half; i--) if (/\s/.test(text[i - 1] as string)) return i;
  return /[\uDC00-\uDFFF]/.test(text[limit] ?? '') ? limit - 1 : limit;
}
