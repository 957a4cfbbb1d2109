import { expect, test } from 'vitest';
import { parseLine } from '../../src/console/calls/journal.ts';
import { modelExchanges } from '../../src/console/talk/model-exchanges.ts';

const journal = (...lines: readonly (readonly [type: string, data: object])[]) =>
  lines.flatMap(
    ([type, data], seq) =>
      parseLine(
        JSON.stringify({
          ...{ seq, at: seq * 100, type, data },
          kind: /start|adopt/.test(type) ? 'command' : 'event',
        }),
      ) ?? [],
  );
const system = { role: 'system', content: 'Be brief.' };
const user = { role: 'user', content: 'Is it open?' };
const start = { turn: 0, speculative: false, messages: [] };

test('each request has all its messages, though the journal writes the new ones alone', () => {
  const [first, second] = modelExchanges(
    journal(
      ['llm.start', { ...start, genId: 1, messages: [system], tools: [{ name: 'look' }] }],
      ['llm.text', { genId: 1, text: 'Hel' }],
      ['llm.text', { genId: 1, text: 'lo.' }],
      ['llm.start', { ...start, genId: 2, turn: 1, keptMessages: 1, messages: [user] }],
      ['llm.toolCall', { genId: 2, toolCallId: 'a', name: 'look', arguments: '{}' }],
    ),
  );
  expect(first).toEqual({
    ...{ genId: 1, turn: 0, atMs: 0, messages: [system], added: [system], tools: ['look'] },
    ...{ answer: 'Hello.', toolCalls: [] },
  });
  expect(second).toMatchObject({
    ...{ turn: 1, atMs: 300, messages: [system, user], added: [user], tools: ['look'] },
    toolCalls: [{ name: 'look', arguments: '{}' }],
  });
});

test('a draft counts once it has become the reply', () => {
  const draft = { ...start, speculative: true, messages: [user] };
  const lines = journal(
    ['llm.start', { ...draft, genId: 1 }],
    ['llm.text', { genId: 1, text: 'Unused' }],
    ['llm.start', { ...draft, genId: 2 }],
    ['llm.text', { genId: 2, text: 'Yes.' }],
    ['llm.adopt', { genId: 2 }],
  );
  expect(modelExchanges(lines).map(({ answer }) => answer)).toEqual(['Yes.']);
});

test('a refusal says why', () => {
  const error = { code: 'http_500', message: 'openai answered with an error' };
  const lines = journal(['llm.start', { ...start, genId: 1 }], ['llm.error', { genId: 1, error }]);
  expect(modelExchanges(lines)[0]?.problem).toBe(error.message);
});
