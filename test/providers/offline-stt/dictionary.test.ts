import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDictionary } from '../../../src/providers/offline/stt/dictionary.ts';
import { modelPath } from '../../../src/providers/offline/stt/soundswallower-module.ts';

test.each(['en-us', 'fr-fr'])('every word of %s is found with all that the file has', (model) => {
  const sounds = new Map<string, string[]>();
  for (const line of readFileSync(join(modelPath(model), 'dict.txt'), 'utf8').split('\n')) {
    const [, word, sound] = /^(?!;;)(\S+?)(?:\(\d+\))? (.*)$/.exec(line.trimEnd()) ?? [];
    if (word !== undefined) sounds.set(word, [...(sounds.get(word) ?? []), sound?.trim() ?? '']);
  }
  const lookUp = readDictionary(model);
  const wrong = [...sounds].filter(([word, known]) => `${lookUp(word)}` !== `${known}`);
  expect(wrong).toEqual([]);
  expect(sounds.size).toBeGreaterThan(50_000);
});

test('what is no word of the file has no pronunciation', () => {
  const lookUp = readDictionary('en-us');
  for (const word of [
    '',
    ' ',
    ';;',
    'a(2)',
    'hello(2)',
    'hello HH',
    'hellos\n',
    'qqqqx',
    '\u{1f4de}',
  ])
    expect(lookUp(word), word).toEqual([]);
  expect(lookUp('hello')).toEqual(['HH AH L OW', 'HH EH L OW']);
});
