import { describe, expect, test } from 'vitest';
import { findDifferences, replayJournal } from '../../src/engine/machine/replay.ts';
import type { CallTool } from '../../src/engine/settings/settings.ts';
import type { WorkflowNode } from '../../src/engine/state/workflow.ts';
import { CallHarness, type ModelReply, type World } from '../support/call-harness.ts';

const node = (id: string, rest: Partial<WorkflowNode> = {}): WorkflowNode => ({
  id,
  name: id,
  prompt: `You are in ${id}.`,
  message: '',
  tools: [],
  variables: [],
  end: false,
  ...rest,
});
const edge = (from: string, to: string) => ({
  from,
  to,
  condition: { type: 'model' as const, description: `go to ${to}` },
});
const tool = (name: string): CallTool => ({
  definition: { name, description: '', parameters: { type: 'object' } },
  async: false,
  readOnly: false,
  timeoutMs: 20_000,
  lines: [],
});
const step = (to: string, rest: object = {}, pieces: readonly string[] = []): ModelReply => ({
  pieces,
  calls: [{ id: `s-${to}`, name: 'nextStep', args: JSON.stringify({ step: to, ...rest }) }],
});

const clinic = {
  start: 'triage',
  nodes: [
    node('triage', { variables: [{ name: 'age', description: '' }] }),
    node('adult', { message: 'You can come to the main desk, {{age}} is fine.', tools: ['book'] }),
    node('child', { prompt: 'A child of {{age}}, at {{clinic}}.' }),
    node('bye', { message: 'Get well soon.', end: true }),
  ],
  edges: [
    {
      from: 'triage',
      to: 'child',
      condition: {
        type: 'variable' as const,
        name: 'age',
        operator: 'equals' as const,
        value: '7',
      },
    },
    edge('triage', 'adult'),
    edge('adult', 'bye'),
    edge('child', 'bye'),
  ],
  variables: { clinic: 'North' },
  nodeTools: ['book'],
};

function calling(model: World['model'], world: World = {}): CallHarness {
  return new CallHarness({
    ...world,
    model,
    settings: {
      workflow: clinic,
      tools: [tool('book'), tool('search')],
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      ...world.settings,
    },
  }).answer();
}

const steps = (call: CallHarness) =>
  call.of('workflow.step').map(({ from, to, by }) => `${from} > ${to} by ${by}`);
const offered = (call: CallHarness, n: number) =>
  call.of('llm.start')[n]?.tools.map(({ name }) => name);
const prompt = (call: CallHarness, n: number) => call.of('llm.start')[n]?.messages[0]?.content;

describe('a call that follows a workflow', () => {
  test('has the prompt and the tools of its node, and goes on by the choice of the model', () => {
    const call = calling((_t, n) => (n === 0 ? step('adult', { age: '40' }) : 'All right.'));
    const end = call.says(1000, 'I am forty and my knee hurts.');
    call.says(end + 7000, 'When can I come, please?');
    call.runTo(14_000);
    expect(prompt(call, 0)).toBe('You are helpful.\n\nYou are in triage.');
    expect(offered(call, 0)).toEqual(['search', 'nextStep']);
    expect(call.spoken[0]).toBe('You can come to the main desk, 40 is fine.');
    expect(prompt(call, 1)).toBe('You are helpful.\n\nYou are in adult.');
    expect(offered(call, 1)).toEqual(['book', 'search', 'nextStep']);
    expect(steps(call)).toEqual(['triage > adult by model']);
  });

  test('goes where a variable leads, fills in what was found out, and the model speaks there', () => {
    const call = calling((_t, n) => (n === 0 ? step('continue', { age: '7' }) : 'Poor thing.'));
    call.says(1000, 'My son is seven and has a fever.');
    call.runTo(8000);
    expect(prompt(call, 1)).toBe('You are helpful.\n\nA child of 7, at North.');
    expect(call.spoken).toEqual(['Poor thing.']);
    expect(call.of('workflow.step')).toMatchObject([
      { from: 'triage', to: 'child', by: 'variables', variables: { age: '7', clinic: 'North' } },
    ]);
  });

  test('ends at an end, with its words, after what the model had to say', () => {
    const call = calling((_t, n) =>
      n === 0
        ? step('continue', { age: '7' })
        : n === 1
          ? 'Poor thing.'
          : step('bye', {}, ['You are welcome.']),
    );
    const end = call.says(1000, 'My son is seven and has a fever.');
    call.says(end + 6000, 'Thank you very much.');
    call.runTo(20_000);
    expect(call.spoken).toEqual(['Poor thing.', 'You are welcome.', 'Get well soon.']);
    expect(call.of('finish')[0]).toMatchObject({
      endReason: 'workflow-ended',
      trigger: 'assistant',
    });
  });

  test('lets the model say the last words of an end that has only a prompt', () => {
    const workflow = {
      ...clinic,
      nodes: [...clinic.nodes.slice(0, 3), node('bye', { end: true })],
    };
    const call = calling(
      (_t, n) =>
        n === 0 ? step('continue', { age: '7' }) : n === 1 ? step('bye') : 'Goodbye now.',
      { settings: { workflow } },
    );
    call.says(1000, 'My son is seven and has a fever.');
    call.runTo(20_000);
    expect(call.spoken).toEqual(['Goodbye now.']);
    expect(offered(call, 2)).toEqual(['search']);
    expect(call.of('finish')[0]?.endReason).toBe('workflow-ended');
  });

  test('does not go where no edge leads: the model is told, and stays', () => {
    const call = calling((_t, n) => (n === 0 ? step('bye', { age: '9' }) : 'Sorry?'));
    call.says(1000, 'I want to hang up.');
    call.runTo(8000);
    expect(steps(call)).toEqual([]);
    expect(JSON.stringify(call.context)).toContain('there is no step');
    expect(prompt(call, 1)).toContain('triage');
  });

  test('a tool of another node is no tool here', () => {
    const call = calling((_t, n) => (n === 0 ? { calls: [{ id: 'b', name: 'book' }] } : 'Sorry.'));
    call.says(1000, 'Book me in for Friday, please.');
    call.runTo(8000);
    expect(call.of('tool.invoke')).toEqual([]);
    expect(JSON.stringify(call.context)).toContain('no tool named book');
  });

  test('[C5] a step that nobody heard of is taken back with its reply', () => {
    const call = calling((_t, n) => (n === 0 ? step('adult', { age: '40' }) : 'I see.'), {
      modelMs: 30,
      voiceMs: 900,
    });
    const end = call.says(1000, 'I am forty.', { finalMs: 60 });
    call.says(end + 700, 'no wait, it is for my daughter.', { ms: 1200 });
    call.runTo(12_000);
    expect(steps(call)).toEqual(['triage > adult by model', 'adult > triage by taken-back']);
    expect(prompt(call, 1)).toContain('You are in triage.');
    expect(call.spoken).toEqual(['I see.']);
  });

  test('[C5] so is what the caller was understood to have said, and the end of the call', () => {
    const asks = { variables: [{ name: 'age', description: '' }] };
    const [triage, adult, child] = clinic.nodes as [WorkflowNode, WorkflowNode, WorkflowNode];
    // The model says goodbye in words of its own.
    const nodes = [triage, { ...adult, ...asks }, child, node('bye', { end: true })];
    const answers = [step('adult', { age: '40' }), step('bye', { age: '50' }), 'Goodbye then.'];
    const call = calling((_t, n) => answers[n] ?? 'I see.', {
      modelMs: 30,
      voiceMs: 900,
      settings: { workflow: { ...clinic, nodes } },
    });
    call.says(1000, 'I am forty.', { finalMs: 60 });
    call.runTo(9000);
    const end = call.says(9000, 'That is all.', { finalMs: 60 });
    call.runTo(end + 500);
    expect(call.call.state.progress).toMatchObject({
      node: { id: 'bye' },
      variables: { age: '50' },
    });
    call.says(end + 520, 'no wait, it is for my daughter.', { ms: 1200 });
    call.runTo(20_000);
    expect(steps(call).at(-1)).toBe('bye > adult by taken-back');
    expect(call.call.state.progress).toMatchObject({
      node: { id: 'adult' },
      variables: { age: '40' },
    });
    expect(call.spoken.at(-1)).toBe('I see.');
    expect(call.of('finish')).toEqual([]);
  });

  test('is told again, step by step, by its journal', () => {
    const call = calling((_t, n) =>
      n === 0 ? step('continue', { age: '7' }) : n === 1 ? 'Poor thing.' : step('bye'),
    );
    const end = call.says(1000, 'My son is seven and has a fever.');
    call.says(end + 6000, 'Thank you very much.');
    call.runTo(20_000);
    expect(call.journal.filter(({ type }) => type === 'workflow.step')).toHaveLength(2);
    expect(findDifferences(replayJournal(call.journal))).toEqual([]);
  });
});
