import { describe, expect, test } from 'vitest';
import { rankEntries } from '../../src/knowledge/search/rank.ts';
import fc from '../support/properties.ts';
import { BICYCLE_SHOP } from './bicycle-shop.ts';

const score = (query: string, question: string, answer = '') =>
  rankEntries(query, [{ question, answer, category: '' }])[0]?.score ?? Number.NaN;

describe('the same question is worth 1', () => {
  test.each([
    ['What are your opening hours?', 'what are your opening hours'],
    ['What are your opening hours?', 'WHAT ARE YOUR OPENING HOURS'],
    ['What are your opening hours?', 'um hello what are your opening hours please'],
    ['What’s your name?', 'what is your name'],
    ["What's your name?", 'whats your name'],
    ['Who are you?', 'who are you'],
    ["Don't you sell helmets?", 'do not you sell helmets'],
    ['Où êtes-vous situés ?', 'ou etes vous situes'],
    ['Does the route 66 bus stop here?', 'does the route sixty six bus stop here'],
    ['Is there WiFi?', 'is there wifi'],
  ])('%s = %s', (question, query) => {
    expect(score(query, question)).toBeCloseTo(1, 5);
  });
});

describe('nearly the same question is worth nearly 1', () => {
  test.each([
    ['What are your opening hours?', 'what is your opening hour'],
    ['What are your opening hours?', 'when do you open'],
    ['Where are you located?', 'what is your address'],
    ['How much does delivery cost?', 'what is the price of delivery'],
    ['Do you have a web site?', 'do you have a website'],
    ['Was kostet der Versand?', 'wie viel kostet versand'],
    ['Quels sont vos horaires ?', 'quel est votre horaire'],
  ])('%s ~ %s', (question, query) => {
    expect(score(query, question)).toBeGreaterThan(0.85);
  });
});

describe('another question is worth little', () => {
  test.each([
    ['What is your return policy?', 'what is your name'],
    ['Do you have parking?', 'do you have a dog'],
    ['Who are you?', 'how old are you'],
    ['How do I reset my password?', 'how do i bake a cake'],
    ['Are you open on Sundays?', 'yes'],
    ['Are you open on Sundays?', ''],
    ['', 'are you open on sundays'],
  ])('%s ≠ %s', (question, query) => {
    expect(score(query, question)).toBeLessThan(0.15);
  });
});

test('asking for another kind of answer about the same thing is worth less than asking again', () => {
  const again = score('where can i collect my order', 'Where do I collect my order?');
  const other = score('when can i collect my order', 'Where do I collect my order?');
  expect(other).toBeLessThan(0.7 * again);
});

test('a word of the answer counts, but less than one of the question', () => {
  const inQuestion = score('do you take paypal', 'Do you take PayPal?', 'Yes.');
  const inAnswer = score('do you take paypal', 'How can I pay?', 'By card or PayPal.');
  expect(inAnswer).toBeGreaterThan(0.2);
  expect(inAnswer).toBeLessThan(0.6 * inQuestion);
});

test('a misheard letter in a long word is forgiven, in a number it is not', () => {
  expect(score('do you have a warrenty', 'Do you have a warranty?')).toBeGreaterThan(0.7);
  expect(score('where is gate 51', 'Where is gate 41?')).toBeLessThan(
    score('where is gate 41', 'Where is gate 41?') - 0.2,
  );
});

describe('on the questions of a shop', () => {
  const asked = BICYCLE_SHOP.flatMap(({ question, answer, askedAs }) =>
    askedAs.map((query) => [query, question, answer] as const),
  );

  test.each(asked)('"%s" finds "%s"', (query, question) => {
    const [first, second] = rankEntries(
      query,
      BICYCLE_SHOP.map((entry) => ({ ...entry, category: '' })),
    );
    expect(first?.entry.question).toBe(question);
    expect(first?.score).toBeGreaterThanOrEqual(0.4);
    expect(second?.score).toBeLessThan(first?.score ?? 0);
  });

  test.each([
    'what is the capital of france',
    'tell me a joke',
    'what is the weather like today',
    'are you human',
    'what is your name',
    'yes',
    'how old are you',
    'i see a cat in a tree',
  ])('"%s" finds nothing worth saying', (query) => {
    const [first] = rankEntries(
      query,
      BICYCLE_SHOP.map((entry) => ({ ...entry, category: '' })),
    );
    expect(first?.score).toBeLessThan(0.3);
  });
});

test('whatever is said and written, a score is between 0 and 1 and a question is worth 1 to itself', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc
      .array(fc.constantFrom('what', 'is', 'the', 'price', "don't", '42', 'größe', '東京都', '?'), {
        maxLength: 12,
      })
      .map((words) => words.join(' ')),
  );
  fc.assert(
    fc.property(text, text, (query, question) => {
      const value = score(query, question, query);
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1 + 1e-9);
      const self = score(question, question);
      // Nothing but fillers or signs is a question about nothing.
      expect(self === 0 || Math.abs(self - 1) < 1e-9).toBe(true);
    }),
  );
});
