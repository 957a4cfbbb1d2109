import { expect, test } from 'vitest';
import type { Workflow } from '../../src/engine/state/workflow.ts';
import { nextStepTool } from '../../src/engine/workflow/workflow.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { LlmMessage, LlmTool } from '../../src/ports/llm.ts';
import { createOfflineLlm } from '../../src/providers/offline/llm/adapter.ts';
import { PHRASES } from '../../src/providers/offline/llm/phrases.ts';
import { collect } from '../support/collect.ts';

const node = { name: '', prompt: '', message: '', tools: [], variables: [], end: false };
const when = (to: string, description: string) =>
  ({ from: 'start', to, condition: { type: 'model', description } }) as const;
const workflow = (variables: readonly { name: string; description: string }[] = []): Workflow => ({
  start: 'start',
  nodes: ['start', 'booking', 'repairs', 'refused'].map((id) => ({ ...node, id, variables })),
  edges: [
    when('booking', 'the caller wants to book a table'),
    when('repairs', 'the caller asks for a repair'),
    when('refused', 'the caller says no'),
  ],
});
const knowledgeBase: LlmTool = {
  name: 'knowledgeBase',
  description: 'Looks things up',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};

async function reply(messages: readonly LlmMessage[], flow = workflow(), more: LlmTool[] = []) {
  const step = nextStepTool(flow, flow.nodes[0] as Workflow['nodes'][number]);
  const llm = createOfflineLlm({ clock: systemClock, createId: () => 'call_1' });
  const { signal } = new AbortController();
  const tools = [...more, ...(step ? [step] : [])];
  const parts = await collect(llm.stream({ messages, tools, signal }));
  return {
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' ? [[part.call.name, JSON.parse(part.call.arguments)]] : [],
    ),
  };
}
const said = (content: string): LlmMessage[] => [{ role: 'user', content }];

test.each([
  ["Good evening, I'd like to book a table please.", 'booking'],
  ['Can you book me a table for four?', 'booking'],
  ['My bicycle needs a repair.', 'repairs'],
  ['No.', 'refused'],
])('goes on where the caller clearly wants to: %s', async (text, step) => {
  expect((await reply(said(text))).calls).toEqual([['nextStep', { step }]]);
});

test.each(['What is the weather like?', 'I do not want to book a table.', 'Yes.', 'Hello!'])(
  'stays where nothing clearly leads on: %s',
  async (text) => {
    expect((await reply(said(text))).calls).toEqual([]);
  },
);

test('stays where it would have to make values up', async () => {
  const asking = workflow([{ name: 'guests', description: 'how many' }]);
  expect((await reply(said('I want to book a table.'), asking)).calls).toEqual([]);
});

test('after the step it answers from the knowledge base, or asks the caller on', async () => {
  const asked = 'I want to book a table.';
  const call = { id: 'c1', name: 'nextStep', arguments: '{"step":"booking"}' };
  const taken: LlmMessage[] = [
    ...said(asked),
    { role: 'assistant', content: '', toolCalls: [call] },
    { role: 'tool', toolCallId: 'c1', content: '{"status":"done","step":"booking"}' },
  ];
  expect(await reply(taken)).toEqual({ text: PHRASES.en.goOn, calls: [] });
  expect((await reply(taken, workflow(), [knowledgeBase])).calls).toEqual([
    ['knowledgeBase', { query: asked }],
  ]);
});
