import { beforeEach, expect, test } from 'vitest';
import type { CallSpan } from '../../src/telemetry/trace/call-span.ts';
import { spanIdOf, toolKey, traceIdOf } from '../../src/telemetry/trace/call-span.ts';
import { runCallTraces } from '../../src/telemetry/trace/call-traces.ts';
import { ManualClock } from '../support/manual-clock.ts';

const spanOf = (callId: string): CallSpan => ({
  traceId: traceIdOf(callId),
  spanId: spanIdOf(callId, 'call'),
  name: 'call',
  kind: 'server',
  startMs: 0,
  endMs: 1,
  attributes: {},
  events: [],
});

let clock: ManualClock;
let sent: string[];
let outcomes: string[];
let warnings: { readonly fields: object; readonly message: string }[];

beforeEach(() => {
  clock = new ManualClock();
  sent = [];
  outcomes = [];
  warnings = [];
});

const quiet = () => undefined;

function run(
  send: (spans: readonly CallSpan[]) => Promise<void>,
  {
    isSampled = () => true,
    read = async (id) => [spanOf(id)],
  }: Partial<Pick<Parameters<typeof runCallTraces>[1], 'isSampled' | 'read'>> = {},
) {
  const sender = {
    async send(spans: readonly CallSpan[]) {
      sent.push(...spans.map(({ traceId }) => traceId));
      await send(spans);
    },
    close: async () => undefined,
  };
  const warn = (fields: object, message: string) => void warnings.push({ fields, message });
  return runCallTraces(sender, {
    read,
    isSampled,
    onTrace: (outcome) => outcomes.push(outcome),
    clock,
    log: { debug: quiet, info: quiet, warn, error: quiet },
  });
}

test('each ended call is sent once, unless there is nothing left of it', async () => {
  const traces = run(async () => undefined, {
    read: async (id) => (id === 'gone' ? [] : [spanOf(id)]),
  });
  for (const id of ['a', 'gone', 'b']) traces.ended(id);
  await traces.close();
  expect(sent).toEqual([traceIdOf('a'), traceIdOf('b')]);
  expect(outcomes).toEqual(['sent', 'sent']);
});

test('while no collector is there, the log says so once a minute, with how often', async () => {
  const traces = run(async () => {
    throw new Error('connect ECONNREFUSED');
  });
  for (let i = 0; i < 5; i++) traces.ended(`call-${i}`);
  await clock.advance(1);
  expect(outcomes).toEqual(Array.from({ length: 5 }, () => 'failed'));
  expect(warnings).toMatchObject([
    {
      fields: { reason: 'connect ECONNREFUSED' },
      message: 'the trace of a call could not be sent',
    },
  ]);
  await clock.advance(60_000);
  expect(warnings[1]?.fields).toMatchObject({ repeated: 4 });
  expect(warnings).toHaveLength(2);
  await traces.close();
});

test('a slow collector holds some traces at once and a bounded number waits', async () => {
  const gate = Promise.withResolvers<void>();
  const traces = run(() => gate.promise);
  for (let i = 0; i < 1100; i++) traces.ended(`call-${i}`);
  await clock.advance(1);
  expect(sent).toHaveLength(4);
  expect(outcomes).toEqual(Array.from({ length: 96 }, () => 'dropped'));
  gate.resolve();
  await traces.close();
  expect(sent).toHaveLength(1004);
});

test('the service does not stop for a collector that never answers', async () => {
  const traces = run(() => new Promise(() => undefined));
  for (let i = 0; i < 9; i++) traces.ended(`call-${i}`);
  await clock.advance(1);
  const closed = traces.close();
  await clock.advance(3000);
  await closed;
  expect(sent).toHaveLength(4);
});

test('what is not sampled is neither read nor sent, and its requests say so', async () => {
  const traces = run(async () => undefined, {
    isSampled: () => false,
    read: async () => {
      throw new Error('was read');
    },
  });
  traces.ended('a');
  await traces.close();
  expect([sent, outcomes]).toEqual([[], []]);
  expect(traces.headers({ callId: 'a' }).traceparent).toMatch(/-00$/);
});

test('headers are W3C’s and name the span of the tool, or of the call', async () => {
  const traces = run(async () => undefined);
  const [trace, root, tool] = [traceIdOf('a'), spanIdOf('a', 'call'), spanIdOf('a', toolKey('t1'))];
  expect(trace).toMatch(/^[0-9a-f]{32}$/);
  expect(root).toMatch(/^[0-9a-f]{16}$/);
  expect(traces.headers({ callId: 'a' })).toEqual({ traceparent: `00-${trace}-${root}-01` });
  expect(traces.headers({ callId: 'a', toolCallId: 't1' })).toEqual({
    traceparent: `00-${trace}-${tool}-01`,
  });
  await traces.close();
});
