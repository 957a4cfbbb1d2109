import { expect, test } from 'vitest';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import { ProviderError } from '../../src/lib/errors.ts';
import type { Stt, SttEvent, SttOptions } from '../../src/ports/stt.ts';
import { SttLine } from '../../src/session/inbound/stt-line.ts';
import { ManualClock } from '../support/manual-clock.ts';

const RATE = 16_000;
const BEGIN = 1000;
/** The session began so long after the clock did. */
const CALL_AT = 400;

interface Opened {
  readonly at: number;
  readonly options: SttOptions;
  /** What the stream was told, audio by its length in ms. */
  readonly told: (string | number)[];
  readonly tell: (event: SttEvent) => void;
}

/** A recogniser that takes so long to open, in turn, or refuses. */
function setUp({ openMs = [0] as readonly (number | Error)[], isTakenOver = false } = {}) {
  const clock = new ManualClock(BEGIN);
  const events: { readonly at: number; readonly event: CallEvent }[] = [];
  const opened: Opened[] = [];
  const unexpected: unknown[] = [];
  const stt: Stt = {
    provider: 'scripted',
    inputRatesHz: [RATE],
    finalLatencyP99Ms: 300,
    async open(options) {
      const told: (string | number)[] = [];
      const takes = openMs[Math.min(opened.length, openMs.length - 1)];
      opened.push({ at: clock.now() - BEGIN, options, told, tell: options.onEvent });
      if (takes instanceof Error) throw takes;
      if (takes) await new Promise<void>((resolve) => void clock.setTimeout(resolve, takes));
      return {
        write: (pcm) => void told.push((pcm.length * 1000) / RATE),
        speechStarted: () => void told.push('started'),
        speechEnded: () => void told.push('ended'),
        flush: () => void told.push('flush'),
        close: () => void told.push('closed'),
        droppedMs: 0,
      };
    },
  };
  const line = new SttLine({
    clock,
    stt,
    sampleRateHz: RATE,
    options: { languages: ['en-US'], hints: ['Parley'], phrases: [] },
    isTakenOver,
    emit: (event) => void events.push({ at: clock.now() - BEGIN, event }),
    at: (clockMs) => clockMs - CALL_AT,
    onUnexpected: (error) => void unexpected.push(error),
  });
  const named = (type: CallEvent['type']) => events.filter(({ event }) => event.type === type);
  const hear = (ms: number) => line.write(new Int16Array((ms * RATE) / 1000), clock.now());
  const stream = (index: number) => opened[index] as Opened;
  return { clock, line, events, opened, unexpected, named, hear, stream };
}

const words = (text: string, startMs = 0, endMs = 200) => ({
  type: 'final' as const,
  segmentId: '1',
  text,
  startMs,
  endMs,
  confidence: 0.9,
});
const failure = (retryable: boolean): SttEvent => ({
  type: 'error',
  error: new ProviderError({
    class: 'network',
    provider: 'scripted',
    code: 'closed',
    message: 'the recogniser closed its stream',
    retryable,
  }),
});

test('words get the times of the call, whatever was heard before the stream opened', async () => {
  const { clock, hear, stream, named, line } = setUp({ openMs: [500] });
  for (let i = 0; i < 5; i++) {
    hear(100);
    await clock.advance(100);
  }
  hear(100);
  stream(0).tell(words('Hello.', 150, 450));
  stream(0).tell({ ...words('Hel', 150, 300), type: 'interim', confidence: 0.5 });
  // The first 100 ms were heard when the clock stood at BEGIN, so they began 100 ms earlier.
  const spoken = (ms: number) => BEGIN - 100 - CALL_AT + ms;
  expect(named('stt.final').map(({ event }) => event)).toEqual([
    {
      type: 'stt.final',
      segId: expect.any(String),
      text: 'Hello.',
      startAt: spoken(150),
      endAt: spoken(450),
      conf: 0.9,
    },
  ]);
  expect(named('stt.interim')).toMatchObject([{ event: { text: 'Hel', conf: 0.5 } }]);
  line.close();
});

test('of what is said before the stream opens, the last three seconds are kept', async () => {
  const { clock, hear, stream, named, line } = setUp({ openMs: [5000] });
  line.speechStarted();
  for (let i = 0; i < 45; i++) {
    hear(100);
    await clock.advance(100);
  }
  expect(named('stt.ready')).toEqual([]);
  await clock.advance(500);
  expect(named('stt.ready')).toMatchObject([{ at: 5000 }]);
  expect(stream(0).told[0]).toBe('started');
  expect(stream(0).told.slice(1)).toEqual(Array.from({ length: 30 }, () => 100));
  hear(100);
  expect(stream(0).told).toHaveLength(32);
  line.close();
});

test('a stream that breaks is opened again, each time later, and five seconds apart in the end', async () => {
  const { clock, stream, opened, named, line, unexpected } = setUp();
  await clock.advance(10);
  for (let i = 0; i < 6; i++) {
    stream(i).tell(failure(true));
    await clock.advance(5010);
  }
  const waits = opened.slice(1).map(({ at }, i) => at - (named('stt.error')[i]?.at ?? 0));
  // No shorter timer than a millisecond.
  expect(waits.map((ms) => Math.max(1, ms))).toEqual([1, 250, 500, 1000, 2000, 5000]);
  stream(6).tell(failure(true));
  await clock.advance(60_000);
  expect(opened).toHaveLength(7);
  const retryable = named('stt.error').map(({ event }) =>
    event.type === 'stt.error' ? event.error.retryable : undefined,
  );
  expect(retryable).toEqual([...Array.from({ length: 6 }, () => true), false]);
  expect(unexpected).toHaveLength(7);
  expect(stream(0).told).toEqual(['closed']);
  line.close();
});

test('words of a stream start the count of its failures anew', async () => {
  const { clock, stream, opened, named, line } = setUp();
  await clock.advance(10);
  stream(0).tell(failure(true));
  await clock.advance(5000);
  stream(1).tell(failure(true));
  await clock.advance(5000);
  stream(2).tell(words('Hello.'));
  stream(2).tell(failure(true));
  await clock.advance(5000);
  expect((opened[3]?.at ?? 0) - (named('stt.error')[2]?.at ?? 0)).toBeLessThanOrEqual(1);
  line.close();
});

test('a failure that will not pass is not tried again', async () => {
  const refusal = new ProviderError({
    class: 'auth',
    provider: 'scripted',
    code: 'http_401',
    message: 'the key is wrong',
  });
  const { clock, opened, named, line } = setUp({ openMs: [refusal] });
  await clock.advance(60_000);
  expect(opened).toHaveLength(1);
  expect(named('stt.error')).toMatchObject([
    { event: { error: { code: 'http_401', retryable: false } } },
  ]);
  line.close();
});

test('a stream that broke is no longer heard, and the next one names its segments otherwise', async () => {
  const { clock, stream, named, hear, line } = setUp();
  await clock.advance(10);
  stream(0).tell(words('One.'));
  stream(0).tell(failure(true));
  stream(0).tell(words('Two.'));
  // What is said meanwhile is not lost, and its times are those of the call.
  await clock.advance(500);
  hear(100);
  stream(1).tell(words('Three.', 0, 100));
  const finals = named('stt.final').map(({ event }) => event);
  expect(finals).toMatchObject([{ text: 'One.' }, { text: 'Three.' }]);
  const ids = finals.map((event) => ('segId' in event ? event.segId : ''));
  expect(new Set(ids).size).toBe(2);
  expect(finals[1]).toMatchObject({ endAt: clock.now() - CALL_AT });
  line.close();
});

test('a stream that opens while the caller speaks is told so', async () => {
  const { clock, stream, line } = setUp();
  await clock.advance(10);
  line.speechStarted();
  stream(0).tell(failure(true));
  await clock.advance(100);
  expect(stream(1).told).toEqual(['started']);
  line.speechEnded();
  stream(1).tell(failure(true));
  await clock.advance(1000);
  expect(stream(2).told).toEqual([]);
  line.close();
});

test('[S6] it is asked for final text once in a silence, and told when the caller goes on', async () => {
  const { clock, stream, line } = setUp();
  await clock.advance(10);
  const { told } = stream(0);
  line.flush();
  line.speechResumed();
  expect(told).toEqual([]);
  line.speechStarted();
  line.speechResumed();
  line.flush();
  line.flush();
  expect(told).toEqual(['started', 'flush']);
  line.speechResumed();
  line.speechResumed();
  expect(told).toEqual(['started', 'flush', 'started']);
  line.flush();
  line.speechEnded();
  line.flush();
  expect(told).toEqual(['started', 'flush', 'started', 'flush', 'ended']);
  line.speechStarted();
  line.flush();
  expect(told.slice(-2)).toEqual(['started', 'flush']);
  line.close();
});

test('what a recogniser judges of the end of a turn is told', async () => {
  const { clock, stream, named, line } = setUp();
  await clock.advance(10);
  stream(0).tell({ type: 'eot', eager: true, probability: 0.7 });
  stream(0).tell({ type: 'resumed' });
  expect(named('stt.eot').map(({ event }) => event)).toEqual([
    { type: 'stt.eot', eager: true, p: 0.7 },
  ]);
  line.close();
});

test('closed, it neither tells nor tries anything more, and leaves no timer behind', async () => {
  const open = setUp();
  await open.clock.advance(10);
  open.line.close();
  open.stream(0).tell(words('Hello.'));
  open.stream(0).tell(failure(true));
  expect(open.stream(0).told).toEqual(['closed']);
  expect(open.named('stt.final')).toEqual([]);
  expect(open.named('stt.error')).toEqual([]);
  expect(open.clock.nextDueAt()).toBeUndefined();

  const waiting = setUp();
  await waiting.clock.advance(10);
  waiting.stream(0).tell(failure(true));
  await waiting.clock.advance(1000);
  waiting.stream(1).tell(failure(true));
  waiting.line.close();
  await waiting.clock.advance(60_000);
  expect(waiting.opened).toHaveLength(2);

  const opening = setUp({ openMs: [5000] });
  await opening.clock.advance(10);
  opening.line.close();
  expect(opening.stream(0).options.signal.aborted).toBe(true);
  await opening.clock.advance(60_000);
  expect(opening.stream(0).told).toEqual(['closed']);
  expect(opening.events).toEqual([]);
});

test('a stream that opens after its deadline is closed, and another is used', async () => {
  const { clock, stream, named, hear, line } = setUp({ openMs: [12_000, 0] });
  await clock.advance(9999);
  expect(named('stt.error')).toEqual([]);
  await clock.advance(1);
  expect(named('stt.error')).toMatchObject([{ event: { error: { code: 'open_timeout' } } }]);
  await clock.advance(5000);
  expect(stream(0).told).toEqual(['closed']);
  hear(100);
  expect(stream(1).told).toEqual([100]);
  line.close();
});

test('what is said while a stream is away goes to the next one, once, and of the longest wait three seconds', async () => {
  const { clock, stream, hear, line } = setUp({ openMs: [0, 2000, 4000, 0] });
  await clock.advance(10);
  stream(0).tell(failure(true));
  for (let i = 0; i < 15; i++) {
    await clock.advance(100);
    hear(100);
  }
  await clock.advance(1000);
  expect(stream(0).told).toEqual(['closed']);
  expect(stream(1).told).toEqual(Array.from({ length: 15 }, () => 100));
  stream(1).tell(failure(true));
  for (let i = 0; i < 30; i++) {
    await clock.advance(100);
    hear(100);
  }
  await clock.advance(5000);
  expect(stream(2).told).toEqual(Array.from({ length: 30 }, () => 100));
  stream(2).tell(failure(true));
  await clock.advance(5000);
  expect(stream(3).told).toEqual([]);
  line.close();
});

test('the words of a stream that was opened again have the times of the call, however it came to wait', async () => {
  const { clock, stream, hear, named, line } = setUp();
  await clock.advance(10);
  for (let i = 0; i < 10; i++) {
    hear(100);
    await clock.advance(100);
  }
  stream(0).tell(failure(true));
  await clock.advance(100);
  hear(100);
  stream(1).tell(words('Hello.', 0, 100));
  const said = named('stt.final').at(-1)?.event;
  expect(said).toMatchObject({
    startAt: clock.now() - 100 - CALL_AT,
    endAt: clock.now() - CALL_AT,
  });
  line.close();
});

test('a recogniser that has opened, or is given up, leaves no deadline behind', async () => {
  const open = setUp();
  await open.clock.advance(10);
  expect(open.clock.nextDueAt()).toBeUndefined();
  open.line.close();
  open.hear(100);
  expect(open.stream(0).told).toEqual(['closed']);

  // All that is waited for then is the recogniser itself.
  const opening = setUp({ openMs: [60_000] });
  opening.line.close();
  expect(opening.clock.nextDueAt()).toBe(BEGIN + 60_000);
});

test('a recogniser that another one replaces is told of', async () => {
  const { clock, stream, named, line } = setUp();
  await clock.advance(10);
  const error = new Error('it broke');
  stream(0).options.onFailover?.({ vendor: 'a', successor: 'b', delayMs: 700, error });
  expect(named('vendor.failover')).toMatchObject([
    { event: { port: 'stt', vendor: 'a', successor: 'b', delayMs: 700 } },
  ]);
  expect(stream(0).options).toMatchObject({ sampleRateHz: RATE, hints: ['Parley'] });
  line.close();
});
