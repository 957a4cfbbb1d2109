import { expect, test } from 'vitest';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import { createReplySplitter } from '../../src/engine/reply/split-reply.ts';
import type { LlmToolCall } from '../../src/ports/llm.ts';
import { Responder } from '../../src/session/outbound/responder.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ScriptedLlm, type ScriptedReply } from '../support/scripted-llm.ts';

async function respond(reply: ScriptedReply): Promise<{ events: CallEvent[]; llm: ScriptedLlm }> {
  const clock = new ManualClock();
  const llm = new ScriptedLlm(clock, [reply]);
  const events: CallEvent[] = [];
  const responder = new Responder({
    clock,
    llm,
    options: {},
    createSplitter: () => createReplySplitter({ delimiter: '', language: 'en-US' }),
    checkTool: async () => undefined,
    emit: (event) => events.push(event),
    onUsage: () => undefined,
    onWaste: () => undefined,
    onUnexpected: (error) => {
      throw error;
    },
  });
  responder.start({
    type: 'llm.start',
    genId: 1,
    turn: 1,
    messages: [],
    tools: [],
    toolChoice: 'auto',
    speculative: false,
  });
  await clock.advance(1000);
  return { events, llm };
}

const textOf = (events: readonly CallEvent[]) =>
  events.flatMap((event) => (event.type === 'llm.text' ? [event.text] : []));

test.each<[string, string[]]>([
  ['without punctuation', Array.from({ length: 500 }, () => 'a'.repeat(2048))],
  ['in one part', ['b'.repeat(1_000_000)]],
])('[A2] a reply that never ends is cut at 20,000 characters: %s', async (_what, text) => {
  const { events } = await respond({ text, hangs: true });
  const pieces = textOf(events);
  expect(pieces.join('')).toHaveLength(20_000);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(400);
  expect(events.at(-1)).toEqual({ type: 'llm.done', genId: 1, reason: 'length' });
});

test('[A2] a reply of countless short pieces ends after 500', async () => {
  const { events } = await respond({ text: ['a\n'.repeat(5000)], hangs: true });
  expect(textOf(events)).toHaveLength(500);
  expect(events.at(-1)).toEqual({ type: 'llm.done', genId: 1, reason: 'length' });
});

test('a generation that calls countless tools ends after 64', async () => {
  const toolCalls: LlmToolCall[] = Array.from({ length: 1000 }, (_, index) => ({
    id: `call-${index}`,
    name: 'book',
    arguments: '{}',
  }));
  const { events } = await respond({ toolCalls });
  expect(events.filter(({ type }) => type === 'llm.toolCall')).toHaveLength(64);
  expect(events.at(-1)).toEqual({ type: 'llm.done', genId: 1, reason: 'length' });
});

test('a reply within the limits is said whole', async () => {
  const text = Array.from({ length: 100 }, (_, index) => `Sentence number ${index} of many. `);
  const { events } = await respond({ text });
  expect(textOf(events).join(' ')).toBe(text.join('').trim());
  expect(events.at(-1)).toEqual({ type: 'llm.done', genId: 1, reason: 'stop' });
});
