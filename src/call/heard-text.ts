import type { WordTiming } from '../ports/tts.ts';

/** One utterance of a reply and how it was played. */
export interface PlayedUtterance {
  readonly text: string;
  /** Word timings so far; empty when the voice gives none. */
  readonly words: readonly WordTiming[];
  /** Length of its audio, ms; undefined while the voice is still at it. */
  readonly totalMs: number | undefined;
  readonly playedMs: number;
}

/** The part of an utterance that the caller heard, in its written form (rules H2, H3). */
export function heardText(utterance: PlayedUtterance): string {
  const { text, words, playedMs, totalMs } = utterance;
  if (playedMs <= 0) return '';
  if (words.length > 0) return byWords(text, words, playedMs);
  // Without any measure of the whole nothing can be claimed.
  if (totalMs === undefined || totalMs <= 0) return '';
  if (playedMs >= totalMs) return text;
  const chars = Math.floor((text.length * playedMs) / totalMs);
  const cut = text.lastIndexOf(' ', chars);
  return cut <= 0 ? '' : text.slice(0, cut).trimEnd();
}

// A word counts when it was over, or at least half of it was played.
function byWords(text: string, words: readonly WordTiming[], playedMs: number): string {
  let end = 0;
  for (const { word, startMs, endMs } of words) {
    if (playedMs < (startMs + endMs) / 2) break;
    const found = text.indexOf(word, end);
    end = found < 0 ? end : found + word.length;
  }
  return end >= text.length ? text : text.slice(0, end).trimEnd();
}
