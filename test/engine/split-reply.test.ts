import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createReplySplitter } from '../../src/engine/reply/split-reply.ts';

function split(text: string, delimiter = '', chunk = text.length): string[] {
  const splitter = createReplySplitter({ delimiter, language: 'en-US' });
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
    ['One\nTwo', ['One', 'Two']],
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
});
