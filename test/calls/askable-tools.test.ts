import { expect, test } from 'vitest';
import { askableOfTools } from '../../src/calls/askable-tools.ts';
import { cpuMsOf } from '../support/cpu-time.ts';

const tool = (description: string, required: readonly string[] = []) => ({
  function: {
    name: 'look',
    description,
    parameters: { type: 'object', properties: {}, required: [...required] },
    strict: false,
  },
});
const of = (...tools: readonly ReturnType<typeof tool>[]) =>
  askableOfTools(tools as unknown as Parameters<typeof askableOfTools>[0]);

test('what a description is about, the longest first, and without its verb', () => {
  expect(of(tool('Tells the status of the last order. Only for customers.')).topics).toEqual([
    'status of the last order',
    'last order',
    'status',
    'customers',
  ]);
});

test('a description that asks is listened for as it is', () => {
  expect(of(tool('What are the opening hours today? Reads the calendar.'))).toEqual({
    sentences: ['What are the opening hours today?'],
    topics: ['calendar'],
  });
});

test('a tool that needs values is not asked for', () => {
  expect(of(tool('Books a table.', ['day']))).toEqual({ sentences: [], topics: [] });
});

test('long texts give a bounded number of topics, none longer than six words', () => {
  const long = Array.from({ length: 300 }, (_, n) => `room${n} and`).join(' ');
  const { topics } = of(tool(`Lists ${long}.`));
  expect(topics.length).toBeGreaterThan(9);
  expect(topics.length).toBeLessThanOrEqual(50);
  expect(topics.every((topic) => topic.split(' ').length <= 6)).toBe(true);
});

test.each(['a.', 'a of b ', 'x? ', 'Tells of '])(
  'a hundred tools that are described by %j without end hold up no call',
  (unit) => {
    const described = unit.repeat(5000 / unit.length);
    const tools = Array.from({ length: 100 }, (_, n) => ({
      function: { name: `t${n}`, description: described, parameters: {} },
    }));
    // Read whole, the first of them took four seconds of the thread that carries sound.
    const read = () => askableOfTools(tools as unknown as Parameters<typeof askableOfTools>[0]);
    expect(cpuMsOf(read)).toBeLessThan(100);
  },
);
