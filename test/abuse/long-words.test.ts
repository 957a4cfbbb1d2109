import { expect, test } from 'vitest';
import { toSpokenWords } from '../../src/providers/offline/tts/spoken-text.ts';
import { normaliseText } from '../../src/providers/text-normalisation/protocol.ts';
import { cpuMsOf } from '../support/cpu-time.ts';

const CHARS = 60_000;

/** Each ends in what the patterns at a word's end do not expect, so that they look at every place before it. */
const words = ['*', '.', '"', '_', '](', '1,', '.")', '-'].map(
  (part) => [part, `a${part.repeat(CHARS / part.length)}x`] as const,
);

test.each(words)('a word of 60,000 characters, %s, is made ready to be said at once', (_, word) => {
  const text = `Hello ${word} there`;
  const written = ['Hello', word, 'there'];
  const found: string[][] = [];
  const ms = cpuMsOf(() => {
    found.push(toSpokenWords(text).map((spoken) => spoken.written));
    found.push(normaliseText(text, 'en-US').map((normalised) => normalised.written));
  });
  expect(found).toEqual([written, written]);
  // Unbounded, each took several seconds.
  expect(ms).toBeLessThan(500);
});
