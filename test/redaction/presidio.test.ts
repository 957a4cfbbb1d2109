import { expect, test } from 'vitest';
import { parseAnalyze, serializeAnalyze } from '../../src/redaction/presidio/protocol.ts';

const entity = (entity_type: string, start: number, end: number) => ({
  entity_type,
  start,
  end,
  score: 0.9,
  analysis_explanation: null,
});

test('several texts are one request, and its answer is dealt out to them', () => {
  const texts = ['I am Ana', 'of Wonderland'];
  expect(JSON.parse(serializeAnalyze(texts, { language: 'es-ES', minScore: 0.4 }))).toEqual({
    text: 'I am Ana\n\nof Wonderland',
    language: 'es',
    score_threshold: 0.4,
  });
  const answer = JSON.stringify([
    entity('PERSON', 5, 8),
    entity('LOCATION', 13, 23),
    entity('DATE_TIME', 0, 4),
  ]);
  expect(parseAnalyze(answer, texts, ['name', 'address'])).toEqual([
    [{ start: 5, end: 8, label: 'name' }],
    [{ start: 3, end: 13, label: 'address' }],
  ]);
  expect(parseAnalyze(answer, texts, ['name'])[1]).toEqual([]);
});

test('places are code points there and UTF-16 units here', () => {
  const texts = ['😀😀 Ana'];
  expect(parseAnalyze(JSON.stringify([entity('PERSON', 3, 6)]), texts, ['name'])).toEqual([
    [{ start: 5, end: 8, label: 'name' }],
  ]);
});

test("an operator's own entity is a word, and anything that is no answer is refused", () => {
  for (const own of ['MEMBER_NO', 'constructor'])
    expect(parseAnalyze(JSON.stringify([entity(own, 0, 3)]), ['abc'], [])).toEqual([
      [{ start: 0, end: 3, label: 'word' }],
    ]);
  expect(() => parseAnalyze('{"error":"no"}', ['abc'], [])).toThrow();
  expect(() => parseAnalyze('<html>', ['abc'], [])).toThrow();
});

test.each([
  ['beyond the end', 1, 4],
  ['backwards', 2, 1],
  ['empty', 1, 1],
  ['before the beginning', -1, 2],
  ['between two characters', 0.5, 2],
])('a place %s refuses the whole answer: others in it may be wrong as well', (_, start, end) => {
  const answer = JSON.stringify([entity('PERSON', 0, 1), entity('NRP', start, end)]);
  expect(() => parseAnalyze(answer, ['abc'], ['name'])).toThrow();
});

test.each([
  ['SE_PERSONNUMMER', 'identity-number'],
  ['UK_POSTCODE', 'address'],
  ['MEDICAL_MEDICATION', 'health'],
  ['US_BANK_NUMBER', 'bank-account'],
] as const)('%s is taken out where its kind is chosen, and not else', (name, kind) => {
  const answer = JSON.stringify([entity(name, 0, 3)]);
  expect(parseAnalyze(answer, ['abc'], [kind])).toEqual([[{ start: 0, end: 3, label: kind }]]);
  expect(parseAnalyze(answer, ['abc'], ['card'])).toEqual([[]]);
});
