/** Cuts a streamed reply into speakable pieces. */
export interface ReplySplitter {
  /** Pieces that the new text completes. */
  push(text: string): readonly string[];
  /** What is left at the end. */
  flush(): readonly string[];
}

export interface ReplySplitterOptions {
  /** Non-empty: cut there and nowhere else. */
  readonly delimiter: string;
  readonly language: string;
}

/** A sentence longer than this is cut at a clause, so that its voice can begin. */
const LONG_PIECE_CHARS = 220;
/** Words whose period does not end a sentence. */
const ABBREVIATIONS =
  /(?:^|[\s("'])(?:mr|mrs|ms|dr|prof|st|no|vs|etc|e\.g|i\.e|a\.m|p\.m|approx|inc|ltd|jr|sr|z\.b|bzw|ca|nr|str|m|mme|sra?|ud|uds|p\.ej|u\.s|[A-Z])\.$/i;
const WIDE_END = /[。？！]/u;

/** Rule A2: by the assistant's own delimiter, else by sentence. */
export function createReplySplitter({ delimiter }: ReplySplitterOptions): ReplySplitter {
  const cut = delimiter === '' ? cutSentences : (text: string) => cutAt(text, delimiter);
  let rest = '';
  return {
    push(text) {
      rest += text;
      const { pieces, rest: left } = cut(rest);
      rest = left;
      return pieces;
    },
    flush() {
      const last = (delimiter === '' ? rest : rest.replaceAll(delimiter, ' ')).trim();
      rest = '';
      return last === '' ? [] : [last];
    },
  };
}

interface Cut {
  readonly pieces: readonly string[];
  readonly rest: string;
}

function cutAt(text: string, delimiter: string): Cut {
  const parts = text.split(delimiter);
  const rest = parts.pop() ?? '';
  return { pieces: parts.map((part) => part.trim()).filter((part) => part !== ''), rest };
}

function cutSentences(text: string): Cut {
  const pieces: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const end = endOfPiece(text, start, i);
    if (end === undefined) continue;
    const piece = text.slice(start, end).trim();
    if (piece !== '') pieces.push(piece);
    start = end;
    i = end - 1;
  }
  return { pieces, rest: text.slice(start) };
}

/** Where the piece that began at `start` ends when the character at `i` ends it. */
function endOfPiece(text: string, start: number, i: number): number | undefined {
  const char = text[i] as string;
  if (char === '\n') return i + 1;
  if (WIDE_END.test(char)) return afterClosers(text, i + 1);
  if ('.!?…'.includes(char)) {
    const end = afterClosers(text, i + 1);
    // Only what follows tells a sentence's end from a decimal point, a URL or an abbreviation.
    if (end >= text.length || !/\s/.test(text[end] as string)) return undefined;
    if (char === '.' && ABBREVIATIONS.test(text.slice(start, i + 1))) return undefined;
    if (char === '.' && /^\s*\d+\.$/.test(text.slice(start, i + 1))) return undefined;
    return end;
  }
  const long = i - start >= LONG_PIECE_CHARS;
  return long && /[,;:]/.test(char) && /\s/.test(text[i + 1] ?? '') ? i + 1 : undefined;
}

function afterClosers(text: string, from: number): number {
  let end = from;
  while (end < text.length && /[.!?…"'”’)\]»]/u.test(text[end] as string)) end++;
  return end;
}
