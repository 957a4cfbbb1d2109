import { expect, test } from 'vitest';
import { toSpokenWords } from '../../src/providers/offline/tts/spoken-text.ts';
import { normaliseText } from '../../src/providers/text-normalisation/protocol.ts';

const CHARS = 60_000;

/** Each ends in what the patterns at a word's end do not expect, so that they look at every place before it. */
const words = ['*', '.', '"', '_', '](', '1,', '.")', '-'].map(
  (part) => [part, `a${part.repeat(CHARS / part.length)}x`] as const,
);

test.each(words)('a word of 60,000 characters, %s, is made ready to be said at once', (_, word) => {
  const text = `Hello ${word} there`;
  const startedAt = performance.now();
  const spoken = toSpokenWords(text);
  const normalised = normaliseText(text, 'en-US');
  // Unbounded, each took several seconds.
  expect(performance.now() - startedAt).toBeLessThan(500);
  expect(spoken.map(({ written }) => written)).toEqual(['Hello', word, 'there']);
  expect(normalised.map(({ written }) => written)).toEqual(['Hello', word, 'there']);
});
