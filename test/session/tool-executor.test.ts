import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import type { ToolInvocation, ToolOutcome } from '../../src/ports/tool.ts';
import { ToolExecutor } from '../../src/session/tool-executor.ts';
import { ManualClock } from '../support/manual-clock.ts';

const tool = (name: string, readOnly: boolean) => ({
  definition: { name, description: '', parameters: {} },
  async: false,
  readOnly,
  timeoutMs: 5000,
  lines: [],
});

/** Tools that run until the test answers for them. */
function setUp({ durable = true } = {}) {
  const clock = new ManualClock();
  const events: CallEvent[] = [];
  const running = new Map<string, { invocation: ToolInvocation; end: (o: ToolOutcome) => void }>();
  const executor = new ToolExecutor({
    callId: 'c1',
    clock,
    tools: [tool('look', true), tool('book', false)],
    durable: async () => durable,
    emit: (event) => events.push(event),
    runner: {
      invoke: (invocation) =>
        new Promise((end) => running.set(invocation.toolCallId, { invocation, end })),
    },
  });
  const isAborted = (id: string) => running.get(id)?.invocation.signal.aborted;
  const end = async (id: string, outcome: ToolOutcome) => {
    running.get(id)?.end(outcome);
    await nextTurn();
  };
  return { clock, events, executor, running, isAborted, end };
}

describe('at the end of a call', () => {
  test('tools that only read are aborted, those with an effect go on, and no result is told', async () => {
    const { events, executor, isAborted, end } = setUp();
    executor.invoke('t1', 'look', {});
    executor.invoke('t2', 'book', {});
    // A tool of the call itself, which stands in no list.
    executor.invoke('t3', 'volume', {});
    await nextTurn();
    executor.close();
    expect(['t1', 't2', 't3'].map(isAborted)).toEqual([true, false, true]);
    await end('t2', { ok: true, result: 'booked' });
    expect(events).toEqual([]);
  });

  test('one with an effect still has its deadline', async () => {
    const { clock, executor, isAborted } = setUp();
    executor.invoke('t1', 'book', {});
    await nextTurn();
    executor.close();
    await clock.advance(4999);
    expect(isAborted('t1')).toBe(false);
    await clock.advance(1);
    expect(isAborted('t1')).toBe(true);
  });
});

test('a tool that is cancelled is aborted, and its result is not told', async () => {
  const { events, executor, isAborted, end } = setUp();
  executor.invoke('t1', 'book', {});
  await nextTurn();
  executor.cancel('t1');
  expect(isAborted('t1')).toBe(true);
  await end('t1', { ok: true, result: 'booked' });
  expect(events).toEqual([]);
});

test('a tool that does not answer in time is an error', async () => {
  const { clock, events, executor } = setUp();
  executor.invoke('t1', 'look', {});
  await clock.advance(5000);
  await nextTurn();
  expect(events).toEqual([
    expect.objectContaining({ type: 'tool.error', toolCallId: 't1', code: 'tool_timeout' }),
  ]);
});

test('what cannot be recorded is not started, unless it only reads', async () => {
  const { events, executor, running } = setUp({ durable: false });
  executor.invoke('t1', 'look', {});
  executor.invoke('t2', 'book', {});
  await nextTurn();
  expect([...running.keys()]).toEqual(['t1']);
  expect(events).toMatchObject([{ type: 'tool.error', toolCallId: 't2', code: 'not_recorded' }]);
});
