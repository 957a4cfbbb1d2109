import { describe, expect, test } from 'vitest';
import { languageOf } from '../../src/engine/language/language.ts';
import { expectedValue } from '../../src/engine/turn/dictation.ts';
import { asksYesNo } from '../../src/engine/turn/endpointing.ts';
import {
  combineJudgements,
  predictUnfinished,
  waitShare,
} from '../../src/engine/turn/predictor.ts';

function predict(text: string, asked = '', tag = 'en', expected: readonly string[] = []): number {
  const language = languageOf([tag]);
  return predictUnfinished({
    text,
    language,
    expectation: expectedValue(asked, language),
    askedYesNo: asksYesNo(asked, language),
    expected,
  });
}

describe('[N2] the built-in predictor', () => {
  test.each([
    ['I would like um', 0.95],
    ['I want to book a table and', 0.85],
    ['ich möchte einen Tisch für', 0.85, 'de'],
    ['je voudrais une table pour', 0.85, 'fr'],
    ['quiero una mesa para', 0.85, 'es'],
    ['milk, eggs,', 0.7],
    ['I want to book a table', 0.5],
    ['I want to book a table.', 0.12],
    ['What are your opening hours?', 0.05],
    ['well it is...', 0.8],
    ['Well.', 0.95],
    ['I would like mmmm.', 0.95],
    ['Ich möchte, äähm.', 0.95, 'de'],
    ['Book it for Tuesday, no, sorry,', 0.95],
    ['Mon numéro est, attendez.', 0.95, 'fr'],
    ['Can I bring my dog as well?', 0.05],
    ['What is it like?', 0.05],
    ['I think so.', 0.4],
    ['Está muy bueno.', 0.4, 'es'],
    ['Ich komme dann also.', 0.4, 'de'],
    ['I already know all of that.', 0.12],
    ['Could you turn it on.', 0.12],
    ['Ich rufe Sie morgen an.', 0.12, 'de'],
    ['Moi aussi.', 0.12, 'fr'],
    ['Eso es lo que quiero.', 0.12, 'es'],
    ['I want to book a table and.', 0.75],
    ['Ich suche einen Tisch und.', 0.75, 'de'],
    ['Which of the two plans.', 0.4],
    ['On y va alors.', 0.4, 'fr'],
    ['Vous ouvrez demain, hein?', 0.05, 'fr'],
  ])('%s: %d', (text, p, tag = 'en') => {
    expect(predict(text, '', tag)).toBe(p);
  });

  test('judges an answer by its question', () => {
    expect(predict('yes', 'Is that all?')).toBe(0.1);
    expect(predict('yes', 'What is your name?')).toBe(0.5);
    expect(predict('415 555', 'What is your phone number?')).toBe(0.9);
    expect(predict('415 555 0123', 'What is your phone number?')).toBe(0.15);
  });

  test('always gives a probability', () => {
    for (const text of ['', '?', '…', '   ', '12', '。', 'x'.repeat(10_000)]) {
      expect(predict(text)).toBeGreaterThanOrEqual(0);
      expect(predict(text)).toBeLessThanOrEqual(1);
    }
  });
});

test('[N2] a whole sentence that is known is over, unless another known one goes on from it', () => {
  const known = ['tell me the price', 'tell me the price of tea', 'say goodbye'];
  expect(predict('Say goodbye.', '', 'en', known)).toBe(0.05);
  expect(predict('say goodbye', '', 'en', known)).toBe(0.05);
  expect(predict('Tell me the price', '', 'en', known)).toBe(predict('Tell me the price'));
});

test('sound and words are one judgement, on the side of caution', () => {
  expect(combineJudgements(0.3, 0.5)).toBeCloseTo(0.34, 2);
  expect(combineJudgements(0.5, 0.85)).toBeCloseTo(0.804, 3);
  // Neither is ever certain.
  expect(combineJudgements(0, 0.5)).toBeCloseTo(0.0122, 4);
  expect(combineJudgements(1, 0.5)).toBeCloseTo(0.9918, 4);
  expect(combineJudgements(0.6, 0.05)).toBeLessThan(0.25);
  expect(combineJudgements(0.95, 0.9)).toBeGreaterThan(0.95);
});

test('[N2] the wait grows with doubt, and most where the sound is sure that the caller goes on', () => {
  expect(waitShare(0)).toBe(0);
  expect(waitShare(0.5)).toBeCloseTo(0.625);
  expect(waitShare(0.85)).toBeCloseTo(1.0625);
  expect(waitShare(0.875)).toBeCloseTo(1.33125);
  expect(waitShare(0.9)).toBeCloseTo(1.6);
  expect(waitShare(1)).toBeCloseTo(1.6);
  const shares = Array.from({ length: 101 }, (_, i) => waitShare(i / 100));
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
});
