import { expect, test } from 'vitest';
import { groupQuestions } from '../../src/knowledge/search/group-questions.ts';
import { stillUnanswered } from '../../src/knowledge/search/still-unanswered.ts';

const asked = (question: string, count = 1) => ({
  question,
  count,
  lastAskedAt: new Date(0),
  lastCallId: 'WC-1',
});
const texts = (groups: ReturnType<typeof groupQuestions>) =>
  groups.map(({ wordings }) => wordings.map(({ question }) => question));

test('wordings with the same terms are one question, counted together, the most frequent first', () => {
  const groups = groupQuestions([
    asked('What does a helmet cost?', 3),
    asked('Can I park a camper van?', 2),
    asked('How much is a helmet?', 2),
    asked('May I bring my dog?', 1),
    asked('Is it possible to park camper vans here?', 1),
  ]);
  expect(texts(groups)).toEqual([
    ['What does a helmet cost?', 'How much is a helmet?'],
    ['Can I park a camper van?', 'Is it possible to park camper vans here?'],
    ['May I bring my dog?'],
  ]);
  expect(groups.map(({ count }) => count)).toEqual([5, 3, 1]);
});

test('what is asked of two things is two questions', () => {
  const prices = [asked('What does a helmet cost?'), asked('What does a lock cost?')];
  expect(groupQuestions(prices)).toHaveLength(2);
});

test('a question of words of grammar alone is a question too', () => {
  expect(groupQuestions([asked('Who are you?'), asked('What is it?')])).toHaveLength(2);
});

test('a thousand long wordings that share their terms are grouped', () => {
  const words = 'red green blue amber violet'.split(' ');
  const long = Array.from({ length: 1000 }, (_, i) =>
    asked(`${words[i % 5]} ${words[(i >> 3) % 5]} ${'wheel '.repeat(200)} ${i}`),
  );
  const groups = groupQuestions(long);
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
});

test('what the base answers by now is not listed', async () => {
  const groups = groupQuestions([
    asked('What does a helmet cost?', 2),
    asked('May I bring a dog?'),
  ]);
  const open = await stillUnanswered(groups, async (query) =>
    query.includes('helmet') ? [{ score: 0.5 }] : [{ score: 0.49 }],
  );
  expect(texts(open)).toEqual([['May I bring a dog?']]);
});
