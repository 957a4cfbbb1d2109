import { describe, expect, test } from 'vitest';
import { heardText } from '../../src/engine/reply/heard-text.ts';
import fc from '../support/properties.ts';

const text = 'We open at nine, Dr. Smith.';
const words = [
  { word: 'We', startMs: 0, endMs: 200 },
  { word: 'open', startMs: 200, endMs: 500 },
  { word: 'at', startMs: 500, endMs: 600 },
  { word: 'nine', startMs: 600, endMs: 1000 },
  { word: 'doctor', startMs: 1000, endMs: 1400 },
  { word: 'Smith', startMs: 1400, endMs: 1800 },
];
const base = { text, words, totalMs: 1800, heardMs: 0, finished: false };

describe('heard text', () => {
  test.each([
    [0, ''],
    [99, ''],
    [100, 'We'],
    [349, 'We'],
    [350, 'We open'],
    [800, 'We open at nine,'],
    [1250, 'We open at nine, Dr.'],
    [1800, text],
  ])('[H2] at %d ms, a word counts from its middle on', (heardMs, heard) => {
    expect(heardText({ ...base, heardMs })).toEqual({ text: heard, approx: false });
  });

  test('[H3] without word times, by characters, down to a whole word, and marked so', () => {
    expect(heardText({ ...base, words: [], heardMs: 900 })).toEqual({
      text: 'We open at',
      approx: true,
    });
    expect(heardText({ ...base, words: [], heardMs: 40 })).toEqual({ text: '', approx: true });
  });

  test('[H3] of a piece that was not played nothing was heard, and that is no estimate', () => {
    expect(heardText({ ...base, words: [], heardMs: 0 })).toEqual({ text: '', approx: false });
    expect(heardText({ ...base, words: [], heardMs: 1 })).toEqual({ text: '', approx: true });
  });

  test('[H3] a piece without a length was heard whole once some of it was', () => {
    const heard = heardText({ ...base, words: [], totalMs: 0, heardMs: 1 });
    expect(heard).toEqual({ text, approx: true });
  });

  test('[H2] a piece of one word is heard by its time as well', () => {
    const hello = { ...base, text: 'Hello', words: [{ word: 'Hello', startMs: 0, endMs: 500 }] };
    expect(heardText({ ...hello, heardMs: 249 }).text).toBe('');
    expect(heardText({ ...hello, heardMs: 250 })).toEqual({ text: 'Hello', approx: false });
  });

  test('[H2] of words that are written as one only those that were spoken are heard', () => {
    const parts = [
      { word: 'nine', startMs: 0, endMs: 400 },
      { word: 'thirty', startMs: 400, endMs: 800 },
    ];
    const at = (heardMs: number) =>
      heardText({ ...base, text: 'Nine-thirty', words: parts, heardMs });
    expect(at(300).text).toBe('Nine');
    expect(at(600).text).toBe('Nine-thirty');
  });

  test.each([
    [10, 'We xxxxxxxxxx nine'],
    [11, 'We xxxxxxxxxxx'],
  ])(
    '[H2] a spoken word is looked for near its place: behind %d letters of another',
    (n, heard) => {
      const said = `We ${'x'.repeat(n)} nine`;
      const spoken = [
        { word: 'We', startMs: 0, endMs: 200 },
        { word: 'nine', startMs: 200, endMs: 600 },
      ];
      expect(heardText({ ...base, text: said, words: spoken, heardMs: 600 }).text).toBe(heard);
    },
  );

  test('[H6] what was finished was heard in full', () => {
    const heard = heardText({ ...base, words: [], finished: true });
    expect(heard).toEqual({ text, approx: false });
  });

  test('[H3] is always a prefix, and grows with time', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), fc.nat(5000), fc.nat(5000), (said, a, b) => {
        const at = (heardMs: number) =>
          heardText({ text: said, words: [], totalMs: 4000, heardMs, finished: false }).text;
        const [less, more] = [at(Math.min(a, b)), at(Math.max(a, b))];
        expect(said.trimStart().startsWith(more)).toBe(true);
        expect(more.startsWith(less)).toBe(true);
      }),
    );
  });
});
