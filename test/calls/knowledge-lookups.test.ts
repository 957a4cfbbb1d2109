import { expect, test } from 'vitest';
import { presentLookups, questionsOf } from '../../src/calls/knowledge-lookups.ts';
import { DismissedQuestionsSchema } from '../../src/contract/knowledge-base.ts';

const passage = {
  text: 'A puncture costs twelve euros.',
  score: 0.8,
  source: 'file:f1',
  document: 'prices.pdf',
  heading: 'Repairs > Tyres',
  page: 3,
};
const lookup = (at: number, question: string, result: unknown = { results: [] }) => ({
  at,
  toolCallId: `t${at}`,
  question,
  result: typeof result === 'string' ? result : JSON.stringify(result),
});

test('a lookup names the document, page and heading of each source', () => {
  const entry = { question: 'Do you rent?', answer: 'Yes.', score: 0.2, source: 'faq:q1' };
  expect(presentLookups([lookup(900, 'A puncture?', { results: [passage, entry] })])).toEqual([
    {
      atMs: 900,
      question: 'A puncture?',
      answered: true,
      sources: [
        {
          type: 'file',
          id: 'f1',
          document: 'prices.pdf',
          heading: 'Repairs > Tyres',
          page: 3,
          score: 0.8,
        },
        { type: 'faq', id: 'q1', document: 'Do you rent?', score: 0.2 },
      ],
    },
  ]);
});

test('the source of an older journal, which was one text, is read as well', () => {
  const results = [
    { text: '…', score: 0.7, source: 'file:f1 (Prices (2025).pdf, page 3)', under: 'Repairs' },
    { text: '…', score: 0.6, source: 'file:f2 (hours.md)' },
    { text: '…', score: 0.5, source: 'url:https://shop.example/a (Our shop, page 2)' },
  ];
  expect(presentLookups([lookup(900, 'A puncture?', { results })])[0]?.sources).toEqual([
    {
      ...{ type: 'file', id: 'f1', document: 'Prices (2025).pdf' },
      ...{ heading: 'Repairs', page: 3, score: 0.7 },
    },
    { type: 'file', id: 'f2', document: 'hours.md', score: 0.6 },
    { type: 'url', id: 'https://shop.example/a', document: 'Our shop, page 2', score: 0.5 },
  ]);
});

test('without a likely source it is not answered, nor if the result cannot be read', () => {
  const unlikely = lookup(1, 'A puncture?', { results: [{ ...passage, score: 0.49 }] });
  const broken = lookup(2, 'A dog?', '{"results": [null, {"source": 7}');
  expect(presentLookups([unlikely, broken]).map(({ answered }) => answered)).toEqual([
    false,
    false,
  ]);
});

test('a question longer than can be dismissed is cut', () => {
  const [long] = questionsOf([lookup(0, `a${'𝒜'.repeat(1000)}`)], new Date());
  const { questions } = DismissedQuestionsSchema.parse({ questions: [long?.question] });
  expect(questions[0]).toHaveLength(1000);
  expect(questions[0]?.isWellFormed()).toBe(true);
});

test('of a question and its beginning, only the whole counts', () => {
  const startAt = new Date('2026-11-01T10:00:00Z');
  const questions = questionsOf(
    [
      lookup(1000, 'When do you open'),
      lookup(2000, 'When do you open on Sundays?'),
      lookup(3000, ' '),
      lookup(4000, 'What is a puncture?', { results: [passage] }),
    ],
    startAt,
  );
  expect(questions).toEqual([
    {
      toolCallId: 't2000',
      question: 'When do you open on Sundays?',
      answered: false,
      askedAt: new Date('2026-11-01T10:00:02Z'),
    },
    {
      toolCallId: 't4000',
      question: 'What is a puncture?',
      answered: true,
      askedAt: new Date('2026-11-01T10:00:04Z'),
    },
  ]);
});
