import type { SpokenText } from './parts.ts';

/** A voice of an even pace: every word takes as long as any other. */
export function evenVoice(
  text: string,
  {
    msPerWord = 300,
    firstMs = 100,
  }: { readonly msPerWord?: number; readonly firstMs?: number } = {},
): SpokenText {
  const words = text.split(/\s+/).map((word, i) => ({
    word,
    startMs: i * msPerWord,
    endMs: (i + 1) * msPerWord,
  }));
  return { firstMs, doneMs: 60, totalMs: words.length * msPerWord, words };
}
