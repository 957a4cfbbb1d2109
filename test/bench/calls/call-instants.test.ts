import { expect, test } from 'vitest';
import { instantsOf } from './call-instants.ts';
import { replyLatencies } from './summary.ts';

const STARTED_AT = 1_000_000;

type Line = readonly [at: number, kind: 'event' | 'command' | 'note', type: string, data?: object];

function journal(...lines: readonly Line[]): string {
  const created: Line = [0, 'note', 'call.created', { startedAt: STARTED_AT }];
  return [created, ...lines]
    .map(([at, kind, type, data = {}]) => JSON.stringify({ at, kind, type, data }))
    .join('\n');
}

const latencies = (text: string, replyAt: number, atMs: number) =>
  replyLatencies({
    lines: [
      {
        party: 'a',
        wire: 'web',
        latenessMs: [],
        replyAt: [replyAt],
        clearAt: [],
        gaps: [],
        framesSent: 0,
      },
    ],
    finals: [{ party: 'a', callId: 'c', atMs, own: [{ from: atMs + 4, to: atMs + 5 }] }],
    instants: { a: instantsOf(text, STARTED_AT) },
    callersGaps: [],
    vendorsGaps: [],
    machineGaps: [],
  });

test('an answer that nothing held back counts from the text', () => {
  const lines = journal(
    [80, 'event', 'vad.start'],
    [90, 'event', 'vad.stop'],
    [112, 'event', 'stt.final'],
    [112, 'command', 'llm.start', { speculative: false }],
  );
  expect(latencies(lines, 130, 100)).toEqual([29]);
});

test('a wait that the rules asked for is no latency, what comes after its end is', () => {
  const lines = journal(
    [98, 'event', 'vad.stop'],
    [101, 'event', 'stt.final'],
    [350, 'command', 'transcript.patch'],
    [350, 'command', 'llm.start', { speculative: false }],
    [358, 'event', 'llm.text'],
  );
  expect(latencies(lines, 370, 100)).toEqual([20]);
});

test('the end of a wait before the text changes nothing, and a draft is no end of a turn', () => {
  const lines = journal(
    [60, 'command', 'llm.adopt'],
    [101, 'event', 'stt.final'],
    [120, 'command', 'llm.start', { speculative: true }],
  );
  expect(latencies(lines, 130, 100)).toEqual([29]);
});

test('a caller who speaks after the text, or speaks on, is not answered over', () => {
  const after = journal([150, 'event', 'vad.start'], [400, 'event', 'vad.stop']);
  const endless = journal([99, 'event', 'vad.start']);
  const on = journal([50, 'event', 'vad.start'], [600, 'event', 'vad.stop']);
  for (const lines of [after, endless, on]) expect(latencies(lines, 420, 100)).toEqual([]);
  const over = journal([50, 'event', 'vad.start'], [99, 'event', 'vad.stop']);
  expect(latencies(over, 110, 100)).toEqual([9]);
});

test('a text that was asked for in a lull counts from the end of the voice, and so do the vendors', () => {
  const lulled = journal([50, 'event', 'vad.start'], [160, 'event', 'vad.stop']);
  // The voice ended within the 160th ms, in the middle of it on average.
  expect(latencies(lulled, 170, 100)).toEqual([9.5]);
});
