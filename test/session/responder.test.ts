import { expect, test } from 'vitest';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import { createReplySplitter } from '../../src/engine/reply/split-reply.ts';
import type { LlmToolCall } from '../../src/ports/llm.ts';
import { Responder } from '../../src/session/outbound/responder.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ScriptedLlm, type ScriptedReply } from '../support/scripted-llm.ts';

function start(clock: ManualClock, reply: ScriptedReply, emit: (event: CallEvent) => void) {
  const llm = new ScriptedLlm(clock, [reply]);
  const responder = new Responder({
    clock,
    llm,
    options: {},
    createSplitter: () => createReplySplitter(''),
    checkTool: async () => undefined,
    emit,
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
}

async function respond(reply: ScriptedReply): Promise<{ events: CallEvent[] }> {
  const clock = new ManualClock();
  const events: CallEvent[] = [];
  start(clock, reply, (event) => events.push(event));
  await clock.advance(1000);
  return { events };
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

test.each([
  ['in long parts', Array.from({ length: 20 }, () => 'a'.repeat(2048))],
  ['in one part of many sentences', ['Yes. '.repeat(400)]],
])('what models send at once comes in turns, one call after the other: %s', async (_what, text) => {
  const clock = new ManualClock();
  const said: number[] = [];
  for (const call of [0, 1, 2])
    start(clock, { text, hangs: true }, ({ type }) => {
      if (type === 'llm.text') said.push(call);
    });
  await clock.advance(0);
  const first = said.length;
  const inTurns: number[][] = [];
  while (inTurns.length < 30) {
    const before = said.length;
    await clock.advance(1);
    inTurns.push(said.slice(before));
  }
  expect(first).toBeLessThanOrEqual(3 * 4);
  expect(Math.max(...inTurns.map((calls) => calls.length))).toBeLessThanOrEqual(4);
  expect(Math.max(...inTurns.map((calls) => new Set(calls).size))).toBe(1);
  expect(new Set(inTurns.slice(0, 9).flat())).toEqual(new Set([0, 1, 2]));
});

test('a reply within the limits is said whole', async () => {
  const text = Array.from({ length: 100 }, (_, index) => `Sentence number ${index} of many. `);
  const { events } = await respond({ text });
  expect(textOf(events).join(' ')).toBe(text.join('').trim());
  expect(events.at(-1)).toEqual({ type: 'llm.done', genId: 1, reason: 'stop' });
});
