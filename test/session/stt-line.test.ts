import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import type { Stt, SttEvent } from '../../src/ports/stt.ts';
import { SttLine } from '../../src/session/inbound/stt-line.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** The name that the call gives the recogniser's segment "1", of a line opened so long after the call began. */
async function nameAfter(ms: number, isTakenOver: boolean): Promise<string | undefined> {
  let tell: (event: SttEvent) => void = () => undefined;
  const stt: Stt = {
    provider: 'scripted',
    inputRatesHz: [16_000],
    finalLatencyP99Ms: 300,
    async open({ onEvent }) {
      tell = onEvent;
      const nothing = () => undefined;
      return {
        write: nothing,
        speechStarted: nothing,
        speechEnded: nothing,
        flush: nothing,
        close: nothing,
        droppedMs: 0,
      };
    },
  };
  const events: CallEvent[] = [];
  const line = new SttLine({
    clock: new ManualClock(ms),
    stt,
    sampleRateHz: 16_000,
    options: { languages: ['en-US'], hints: [], phrases: [] },
    isTakenOver,
    emit: (event) => events.push(event),
    at: (clockMs) => clockMs,
    onUnexpected: (error) => {
      throw error;
    },
  });
  await nextTurn();
  const times = { startMs: 0, endMs: 200, confidence: 1 };
  tell({ type: 'final', segmentId: '1', text: 'Hello.', ...times });
  line.close();
  return events.flatMap((event) => (event.type === 'stt.final' ? [event.segId] : []))[0];
}

test('segments are named apart from those of the process that had the call before', async () => {
  const first = await nameAfter(0, false);
  const second = await nameAfter(17_235, true);
  const third = await nameAfter(40_000, true);
  expect(first).toBeDefined();
  expect(new Set([first, second, third]).size).toBe(3);
});

test('a recogniser that does not open in time is opened again', async () => {
  const clock = new ManualClock(0);
  let openings = 0;
  const events: CallEvent[] = [];
  const line = new SttLine({
    clock,
    stt: {
      provider: 'scripted',
      inputRatesHz: [16_000],
      finalLatencyP99Ms: 300,
      open: () => {
        openings++;
        return new Promise(() => undefined);
      },
    },
    sampleRateHz: 16_000,
    options: { languages: ['en-US'], hints: [], phrases: [] },
    isTakenOver: false,
    emit: (event) => events.push(event),
    at: (clockMs) => clockMs,
    onUnexpected: () => undefined,
  });
  await clock.advance(10_000);
  await nextTurn();
  expect(events).toMatchObject([
    {
      type: 'stt.error',
      error: {
        code: 'open_timeout',
        message: 'scripted did not open within 10 s',
        retryable: true,
      },
    },
  ]);
  await clock.advance(1);
  expect(openings).toBe(2);
  line.close();
});
