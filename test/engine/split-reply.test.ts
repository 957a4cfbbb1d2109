import { describe, expect, test } from 'vitest';
import { createReplySplitter } from '../../src/engine/reply/split-reply.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import fc from '../support/properties.ts';

function split(text: string, delimiter = '', chunk = text.length): string[] {
  const splitter = createReplySplitter(delimiter);
  const pieces: string[] = [];
  for (let i = 0; i < text.length; i += chunk)
    pieces.push(...splitter.push(text.slice(i, i + chunk)));
  return [...pieces, ...splitter.flush()];
}

describe('[A2] a reply is cut', () => {
  test.each([
    ['We open at nine. Come in!', ['We open at nine.', 'Come in!']],
    ['It costs 3.50 today. Yes.', ['It costs 3.50 today.', 'Yes.']],
    ['See example.com/a.b for it. Good.', ['See example.com/a.b for it.', 'Good.']],
    ['Dr. Smith, e.g. on Monday. Ok?', ['Dr. Smith, e.g. on Monday.', 'Ok?']],
    ['He said "Stop!" Then he left.', ['He said "Stop!"', 'Then he left.']],
    ['今日は雨です。明日は晴れ！', ['今日は雨です。', '明日は晴れ！']],
    ['あ。え？お！か', ['あ。', 'え？', 'お！', 'か']],
    ['。はい', ['。', 'はい']],
    ['One\nTwo', ['One', 'Two']],
    [
      '1. Bring water.  2. Rest. It was 12. Then 5! So.',
      ['1. Bring water.', '2. Rest.', 'It was 12.', 'Then 5!', 'So.'],
    ],
    ['No end', ['No end']],
    ['  ', []],
  ])('%j', (text, pieces) => {
    expect(split(text)).toEqual(pieces);
    expect(split(text, '', 1)).toEqual(pieces);
  });

  test("at the assistant's own delimiter and nowhere else", () => {
    expect(split('One. Two.|Three', '|')).toEqual(['One. Two.', 'Three']);
    expect(split('a<br>b<br>', '<br>', 2)).toEqual(['a', 'b']);
  });

  test('a very long sentence at a clause, so that its voice can begin', () => {
    const text = `${'a long story about nothing '.repeat(10)}, and on it goes`;
    expect(split(text).length).toBeGreaterThan(1);
  });

  test.each([
    ['at a comma where it is long', 'x'.repeat(220), ['x'.repeat(220).concat(','), 'and on']],
    ['not a character sooner', 'x'.repeat(219), [`${'x'.repeat(219)}, and on`]],
    // The length of a piece counts, not how far on in the text it is.
    [
      'nor in a short one after others',
      `${'x'.repeat(218)}. Yes`,
      [`${'x'.repeat(218)}.`, 'Yes, and on'],
    ],
  ])('a sentence %s', (_what, begins, pieces) => {
    expect(split(`${begins}, and on`)).toEqual(pieces);
    expect(split(`${begins}, and on`, '', 1)).toEqual(pieces);
    // A comma in a number is no clause.
    expect(split(`${'x'.repeat(230)} 1,000`, '', 1)).toHaveLength(1);
  });

  test('as soon as it may be, and anew after its end', () => {
    const splitter = createReplySplitter('');
    expect(splitter.push(`${'x'.repeat(220)}, `)).toEqual([`${'x'.repeat(220)},`]);
    expect(splitter.push('and so on and on')).toEqual([]);
    expect(splitter.flush()).toEqual(['and so on and on']);
    expect(splitter.push('Hi. Yes')).toEqual(['Hi.']);
  });

  test('and nothing is lost, however it is streamed', () => {
    const words = (text: string) => text.replace(/\s+/g, '');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('Hi. ', 'a', ' ', '3.5', '!', 'Dr. ', '。', '"', '\n', ', ')),
        fc.integer({ min: 1, max: 7 }),
        (parts, chunk) => {
          const text = parts.join('');
          expect(words(split(text, '', chunk).join(''))).toBe(words(text));
        },
      ),
    );
  });

  test('a piece without punctuation at a word, and a word without end somewhere', () => {
    const words = split('word '.repeat(200));
    expect(words.map((piece) => piece.length)).toEqual([399, 399, 199]);
    expect(new Set(words.flatMap((piece) => piece.split(' ')))).toEqual(new Set(['word']));
    expect(split('a'.repeat(1000)).map((piece) => piece.length)).toEqual([400, 400, 200]);
    // A space in its first half is no place to cut.
    const [first] = split(`${'a'.repeat(150)} ${'b'.repeat(400)}`);
    expect(first).toHaveLength(400);
    // A character of two halves stays whole.
    const faces = split(`a${'😀'.repeat(400)}`);
    expect(faces.every((piece) => piece.isWellFormed() && piece.length <= 400)).toBe(true);
    const delimited = split('word '.repeat(1000), '|');
    expect(delimited.map((piece) => piece.length)).toEqual([1999, 1999, 999]);
  });

  test('and a sentence that had to be cut still ends where the text that follows shows it', () => {
    const splitter = createReplySplitter('');
    const words = 'word '.repeat(79);
    expect(splitter.push(`${words}began.`)).toEqual([words.trim()]);
    expect(splitter.push(' Next')).toEqual(['began.']);
  });

  test.each([
    ['no punctuation', 'a', 2048, ''],
    ['marks only', '.', 7, ''],
    ['marks after a wide end', `。${'.'.repeat(999)}`, 1_000_000, ''],
    ['abbreviations only', 'Dr. ', 50, ''],
    ['blanks only', ' ', 3, ''],
    ['a delimiter that never comes', 'a', 16, '|'],
    ['a delimiter that always begins', '<b', 7, '<br>'],
  ])('with work that grows as the text does: %s', (_what, unit, chunk, delimiter) => {
    const text = unit.repeat(500_000 / unit.length);
    let pieces: readonly string[] = [];
    // Scanning all that is unspoken at each chunk takes from 10 s to hours.
    expect(cpuMsOf(() => (pieces = split(text, delimiter, chunk)))).toBeLessThan(3000);
    expect(pieces.every((piece) => piece.length <= (delimiter === '' ? 400 : 2000))).toBe(true);
  });
});

describe('[A2] a delimiter of the assistant', () => {
  test('is found however the text comes, at its very beginning and end too', () => {
    for (const [text, pieces] of [
      ['<br>One<br>Two<br>', ['One', 'Two']],
      ['<<br>One<b', ['<', 'One<b']],
      ['<br><br>One', ['One']],
      ['One<br', ['One<br']],
    ] as const)
      for (const chunk of [1, 2, 3, 4, 99]) expect(split(text, '<br>', chunk)).toEqual(pieces);
  });

  test('that never comes does not keep the voice from beginning: pieces of bounded length are cut', () => {
    const words = 'a story about nothing '.repeat(200).trim();
    for (const chunk of [1, 7, 99_999]) {
      const pieces = split(words, '<br>', chunk);
      expect(pieces.length).toBeGreaterThan(1);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(2000);
      expect(pieces.join(' ')).toBe(words);
    }
    // Before a delimiter it is no other.
    for (const chunk of [50, 99_999]) {
      const [first, ...rest] = split(`${words}<br>The end.`, '<br>', chunk);
      expect(first?.length).toBeLessThanOrEqual(2000);
      expect(rest.at(-1)).toBe('The end.');
    }
  });

  test('is waited for where it may have begun, also at the greatest length of a piece', () => {
    const at = (length: number) => {
      const splitter = createReplySplitter('<br>');
      return splitter.push('x'.repeat(length)).length;
    };
    expect([2003, 2004].map(at)).toEqual([0, 1]);
    const splitter = createReplySplitter('<br>');
    expect(splitter.push(`${'x'.repeat(1998)}<br`)).toEqual([]);
    expect(splitter.push('>One')).toEqual(['x'.repeat(1998)]);
    expect(splitter.flush()).toEqual(['One']);
  });

  test('ends a reply once: what was said is not said again', () => {
    const splitter = createReplySplitter('|');
    expect(splitter.push('One|Two')).toEqual(['One']);
    expect(splitter.flush()).toEqual(['Two']);
    expect(splitter.flush()).toEqual([]);
    expect(splitter.push('Three|')).toEqual(['Three']);
    expect(splitter.flush()).toEqual([]);
  });
});
