import type { WordTiming } from '../../ports/tts.ts';
import { MS_PER_CHARACTER } from './guessed-times.ts';

export interface HeardInput {
  readonly text: string;
  readonly words: readonly WordTiming[];
  /** Length of the audio, if known. */
  readonly totalMs: number | undefined;
  /** How much of the audio the caller has heard. */
  readonly heardMs: number;
  readonly finished: boolean;
}

export interface HeardText {
  readonly text: string;
  /** Estimated, because there are no word times. */
  readonly approx: boolean;
}

/** The part of an utterance that the caller has heard, as it was written; never more than was played. */
export function heardText(input: HeardInput): HeardText {
  const { text, words, heardMs } = input;
  if (input.finished) return { text: text.trim(), approx: false };
  if (heardMs <= 0) return { text: '', approx: false };
  if (words.length > 0)
    return { text: writtenPrefix(text, heardWords(words, heardMs)), approx: false };
  const totalMs = input.totalMs ?? text.length * MS_PER_CHARACTER;
  return { text: proportionalPrefix(text, heardMs / totalMs), approx: true };
}

/** A word counts if at least half of it was played. */
function heardWords(words: readonly WordTiming[], heardMs: number): readonly WordTiming[] {
  return words.filter(({ startMs, endMs }) => heardMs >= startMs + (endMs - startMs) / 2);
}

// Vendors may spell words as they are spoken, so the text is scanned to keep its own spelling.
function writtenPrefix(text: string, heard: readonly WordTiming[]): string {
  let end = 0;
  const folded = text.toLowerCase();
  for (const { word } of heard) {
    const bare = word.trim().toLowerCase();
    if (bare === '') continue;
    const found = folded.indexOf(bare, end);
    const next = found >= 0 && found - end <= bare.length + 8 ? found + bare.length : undefined;
    end = next ?? endOfToken(text, end);
  }
  return withClosingPunctuation(text, end).trim();
}

function endOfToken(text: string, from: number): number {
  const match = /[^\s\p{L}\p{N}]*[\p{L}\p{N}]\S*|\S+$/gu;
  match.lastIndex = from;
  return match.exec(text) ? match.lastIndex : text.length;
}

function withClosingPunctuation(text: string, end: number): string {
  const rest = /^[^\s\p{L}\p{N}]+(?=\s|$)/u.exec(text.slice(end));
  return text.slice(0, end + (rest?.[0].length ?? 0));
}

function proportionalPrefix(text: string, share: number): string {
  const end = Math.floor(text.length * share);
  const cut = text.slice(0, end);
  if (/[\s]/.test(text[end] ?? ' ')) return cut.trim();
  return cut.slice(0, Math.max(0, cut.search(/\s\S*$/))).trim();
}
