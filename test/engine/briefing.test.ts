import { describe, expect, test } from 'vitest';
import type { CallSettings, TransferMode } from '../../src/engine/settings/settings.ts';
import type { WorkflowNode } from '../../src/engine/state/workflow.ts';
import { briefingEvent, briefingSettings } from '../../src/engine/transfer/briefing.ts';
import { CallHarness, type World } from '../support/call-harness.ts';
import { callSettings } from '../support/call-settings.ts';

const SUMMARY = 'A caller wants to book a table. Can you take the call?';

function briefing(mode: TransferMode, world: World = {}, caller: Partial<CallSettings> = {}) {
  const base = callSettings(caller);
  const settings = briefingSettings({ ...base, transfer: { ...base.transfer, mode } }, SUMMARY);
  return { settings, operator: new CallHarness({ ...world, settings }).answer() };
}

const outcome = (settings: CallSettings, operator: CallHarness) =>
  operator.commands.flatMap((command) => briefingEvent(7, settings, command) ?? [])[0];

describe('the briefing of an operator', () => {
  test('[X4] announced: hears the summary to its end, then is put through', () => {
    const { settings, operator } = briefing('announced');
    operator.runTo(30_000);
    expect(operator.spoken).toEqual([SUMMARY]);
    expect(outcome(settings, operator)).toEqual({ type: 'operator.accepted', legId: 7 });
    expect(operator.of('finish')[0]?.at).toBe(operator.farEnd.heard[0]?.to);
  });

  test.each([
    ['accept', { type: 'operator.accepted', legId: 7 }],
    ['decline', { type: 'operator.declined', legId: 7, reason: 'declined' }],
    ['voicemail', { type: 'operator.declined', legId: 7, reason: 'voicemail' }],
  ] as const)('[X4] conversational: the operator may %s', (name, event) => {
    const { settings, operator } = briefing('conversational', {
      model: () => ({ calls: [{ id: 't1', name }] }),
    });
    operator.says(6000, 'Let me see what I can do.');
    operator.runTo(12_000);
    expect(outcome(settings, operator)).toEqual(event);
    expect(JSON.stringify(operator.context)).toContain(SUMMARY);
  });

  test('[X4] is bounded, and neither draws on the caller’s assistant nor offers more than a decision', () => {
    const { settings } = briefing('conversational', {}, { backchanneling: true, drafts: true });
    expect(settings).toMatchObject({
      maxDurationMs: 120_000,
      idle: { timeoutMs: 30_000, maxMessages: 0 },
      interruptionAck: { enabled: false },
      welcome: { interruptible: true },
      backchanneling: false,
      drafts: false,
      dtmfInput: false,
      volumeControl: false,
      endCall: { enabled: false },
      transfer: { toolEnabled: false, phoneNumber: '' },
    });
    expect(settings).not.toHaveProperty('sttSparseInterims');
    for (const tool of settings.tools)
      expect(tool).toMatchObject({
        definition: { parameters: { additionalProperties: false } },
        async: false,
        readOnly: true,
        timeoutMs: 5000,
      });
    expect(briefing('announced').settings).toMatchObject({
      idle: { timeoutMs: 0 },
      welcome: { interruptible: false },
      tools: [],
    });
    const sparse = briefing('announced', {}, { sttSparseInterims: true });
    expect(sparse.settings.sttSparseInterims).toBe(true);
  });

  test('[X4] conversational: silence is no consent', () => {
    const { settings, operator } = briefing('conversational');
    operator.runTo(60_000);
    expect(outcome(settings, operator)).toMatchObject({ reason: 'timeout' });
  });

  test.each(['announced', 'conversational'] as const)(
    '[X4] [V2] %s: a mailbox that picks up takes no call',
    (mode) => {
      const { settings, operator } = briefing(mode);
      operator.says(300, 'Please leave a message after the tone.');
      operator.runTo(60_000);
      expect(outcome(settings, operator)).toEqual({
        ...{ type: 'operator.declined', legId: 7, reason: 'voicemail' },
      });
    },
  );

  test('[X4] [V2] announced: a mailbox that gives itself away after the announcement is put through to', () => {
    const { settings, operator } = briefing('announced');
    operator.says(10_000, 'Please leave a message after the tone.');
    operator.runTo(60_000);
    expect(operator.of('finish')[0]?.at).toBeLessThan(10_000);
    expect(outcome(settings, operator)).toEqual({ type: 'operator.accepted', legId: 7 });
  });

  const node = (id: string, rest: Partial<WorkflowNode>): WorkflowNode => ({
    ...{ id, name: id, prompt: '', message: '', tools: [], variables: [], end: false },
    ...rest,
  });

  test.each([
    ['asks for its first node', node('start', { prompt: 'Ask the patient for their age.' })],
    ['ends with its first node', node('start', { message: 'Goodbye.', end: true })],
  ])('[X4] the operator meets nothing of a workflow that %s', (_, start) => {
    const { settings, operator } = briefing(
      'conversational',
      { model: () => ({ calls: [{ id: 't1', name: 'accept' }] }) },
      {
        volumeControl: true,
        workflow: {
          start: 'start',
          nodes: [start, node('bye', { end: true })],
          edges: [{ from: 'start', to: 'bye', condition: { type: 'model', description: 'done' } }],
          variables: {},
          nodeTools: [],
        },
      },
    );
    operator.says(6000, 'Yes, put them through.');
    operator.runTo(12_000);
    expect(operator.spoken[0]).toBe(SUMMARY);
    expect(operator.of('llm.start')[0]?.tools.map(({ name }) => name)).toEqual([
      'accept',
      'decline',
      'voicemail',
    ]);
    expect(JSON.stringify(operator.context)).not.toContain('Ask the patient');
    expect(outcome(settings, operator)).toEqual({ type: 'operator.accepted', legId: 7 });
  });

  test('[X6] an operator who hangs up has left', () => {
    const { settings, operator } = briefing('announced');
    operator.at(500, { type: 'remote.hangup' }).runTo(5000);
    expect(outcome(settings, operator)).toEqual({ type: 'operator.hungUp', legId: 7 });
  });
});
