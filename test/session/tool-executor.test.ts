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

  test('one that has answered is not aborted any more', async () => {
    const { executor, isAborted, end } = setUp();
    executor.invoke('t1', 'look', {});
    await nextTurn();
    await end('t1', { ok: true, result: 'found' });
    executor.cancel('t1');
    executor.close();
    expect(isAborted('t1')).toBe(false);
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

test('a tool that its runner fails to run is an error for the model, and told nobody else', async () => {
  const clock = new ManualClock();
  const events: CallEvent[] = [];
  const executor = new ToolExecutor({
    callId: 'c1',
    clock,
    tools: [tool('look', true)],
    durable: async () => true,
    emit: (event) => void events.push(event),
    runner: {
      invoke: async () => {
        throw new Error('the key is 12345');
      },
      check: async (name, args) => `${name} lacks ${Object.keys(args).length}`,
    },
  });
  executor.invoke('t1', 'look', {});
  await nextTurn();
  expect(events).toEqual([
    { type: 'tool.error', toolCallId: 't1', error: 'the tool failed', code: 'internal' },
  ]);
  expect(clock.nextDueAt()).toBeUndefined();
  executor.invoke('t2', 'look', {});
  executor.cancel('t2');
  await nextTurn();
  expect(events).toHaveLength(1);
  const { signal } = new AbortController();
  const call = { id: 't3', name: 'look', arguments: '{"a":1}' };
  expect(await executor.check(call, signal)).toBe('look lacks 1');
  expect(await executor.check({ ...call, arguments: 'broken' }, signal)).toBeUndefined();
});

test('what a tool answers is told as it is, with the words that it wants said', async () => {
  const { events, executor, end, running } = setUp();
  for (const id of ['t1', 't2', 't3', 't4']) executor.invoke(id, 'look', { city: 'Bern' });
  await nextTurn();
  expect(running.get('t1')?.invocation).toMatchObject({
    ...{ callId: 'c1', toolCallId: 't1', name: 'look', arguments: { city: 'Bern' } },
  });
  await end('t1', { ok: true, result: '{}' });
  await end('t2', { ok: true, result: '{}', message: 'It is done.' });
  await end('t3', { ok: false, error: 'it is full' });
  await end('t4', { ok: false, error: 'it is full', message: 'No room.', code: 'http_500' });
  expect(events).toEqual([
    { type: 'tool.result', toolCallId: 't1', result: '{}' },
    { type: 'tool.result', toolCallId: 't2', result: '{}', message: 'It is done.' },
    { type: 'tool.error', toolCallId: 't3', error: 'it is full' },
    {
      ...{ type: 'tool.error', toolCallId: 't4', error: 'it is full', message: 'No room.' },
      code: 'http_500',
    },
  ]);
});

test('a tool of no list has twenty seconds, and one that answered in time has no deadline left', async () => {
  const { clock, events, executor, end } = setUp();
  executor.invoke('t1', 'volume', {});
  await nextTurn();
  await clock.advance(19_999);
  expect(events).toEqual([]);
  await clock.advance(1);
  expect(events).toMatchObject([{ toolCallId: 't1', code: 'tool_timeout' }]);
  executor.invoke('t2', 'look', {});
  await nextTurn();
  await end('t2', { ok: true, result: '{}' });
  expect(clock.nextDueAt()).toBeUndefined();
  executor.invoke('t2', 'look', {});
  await nextTurn();
  executor.cancel('t2');
  await end('t2', { ok: true, result: '{}' });
  expect(events).toHaveLength(2);
});
