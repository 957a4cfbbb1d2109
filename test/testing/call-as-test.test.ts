import { expect, test } from 'vitest';
import { callAsTest } from '../../src/testing/call-as-test.ts';
import { parseTests } from '../../src/testing/parse-tests.ts';

test('a call becomes a test that parses, with its words, tools and end', () => {
  const source = callAsTest({
    id: 'WC-1',
    startAt: new Date('2026-03-01T10:00:00Z'),
    endReason: 'assistant-ended-call',
    messages: [
      { role: 'assistant', text: 'Hello.' },
      { role: 'user', text: 'Where is: "my" order #17?' },
      { role: 'tool', text: '{}' },
      { role: 'assistant', text: 'On its\nway.' },
      { role: 'user', text: '[keypad] 1#' },
      { role: 'user', text: 'Goodbye' },
      { role: 'assistant', text: 'Goodbye.' },
    ],
    lines: [
      { type: 'tool.invoke', data: { toolCallId: 't1', name: 'look', arguments: { id: 17 } } },
      { type: 'tool.invoke', data: { toolCallId: 't2', name: 'knowledgeBase', arguments: {} } },
      { type: 'tool.result', data: { toolCallId: 't2', result: '[]' } },
      { type: 'tool.result', data: { toolCallId: 't1', result: '{"status":"on its way"}' } },
      { type: 'tool.invoke', data: { toolCallId: 't3', name: 'look', arguments: { id: 18 } } },
      { type: 'tool.error', data: { toolCallId: 't3', error: 'not found' } },
    ],
  });
  expect(source).toContain('# The answer was: On its way.');
  // No anchors: people read and change this.
  expect(source).not.toMatch(/[&*]a\d/);
  const parsed = parseTests(source);
  expect(parsed).toMatchObject({
    ok: true,
    tests: [
      {
        fromCall: 'WC-1',
        at: '2026-03-01T10:00:00.000Z',
        turns: [{ say: 'Where is: "my" order #17?' }, { press: '1#' }, { say: 'Goodbye' }],
        tools: {
          look: [
            { when: { id: 17 }, result: { status: 'on its way' } },
            { when: { id: 18 }, error: 'not found' },
          ],
        },
        expect: [
          { tool: { name: 'look', arguments: { id: 17 } } },
          { tool: { name: 'look', arguments: { id: 18 } } },
          { outcome: 'assistant-ended-call' },
        ],
      },
    ],
  });
});

test('a call that was put through becomes a test with its operators', () => {
  const dial = (legId: number) => ({ type: 'leg.dial', data: { legId, to: '+15550100' } });
  const source = callAsTest({
    id: 'WC-3',
    startAt: new Date(0),
    endReason: 'transferred',
    messages: [{ role: 'user', text: 'A person, please' }],
    lines: [
      dial(1),
      { type: 'leg.hangup', data: { legId: 1, reason: 'busy' } },
      dial(2),
      { type: 'leg.bridge', data: { legId: 2 } },
      { type: 'leg.hangup', data: { legId: 2, reason: 'operator-left' } },
    ],
  });
  expect(parseTests(source)).toMatchObject({
    ok: true,
    tests: [
      {
        operator: ['busy', 'answered'],
        expect: [
          { transfer: { to: '+15550100', result: 'busy' } },
          { transfer: { to: '+15550100', result: 'answered' } },
          { outcome: 'transferred' },
        ],
      },
    ],
  });
});

test('a call in which nobody spoke becomes a test of silence', () => {
  const source = callAsTest({
    id: 'WC-2',
    startAt: new Date(0),
    endReason: 'user-hung-up',
    messages: [],
    lines: [],
  });
  expect(parseTests(source)).toMatchObject({ ok: true, tests: [{ turns: [{ waitSeconds: 10 }] }] });
});
