import { expect, test } from 'vitest';
import type { TurnPredictor } from '../../src/ports/predictor.ts';
import { TurnPredictorClient } from '../../src/session/inbound/turn-predictor-client.ts';
import { Monitor } from '../../src/session/monitor.ts';
import { Ticker } from '../../src/session/ticker.ts';
import { untilAborted } from '../../src/session/until-aborted.ts';
import { ManualClock } from '../support/manual-clock.ts';

const question = (rev: number) =>
  ({ type: 'predict', rev, text: 'I want', lastAssistantText: 'Hello.' }) as const;

test('a new question to a predictor cancels the one before, whose answer is not told', async () => {
  const clock = new ManualClock();
  const signals: AbortSignal[] = [];
  const answers: ((p: number | undefined) => void)[] = [];
  const told: unknown[] = [];
  const unexpected: unknown[] = [];
  const predictor: TurnPredictor = {
    ...{ provider: 'scripted', sampleRateHz: 8000, audioMs: 500 },
    predict({ signal }) {
      signals.push(signal);
      return new Promise((resolve) => answers.push(resolve));
    },
  };
  const client = new TurnPredictorClient({
    ...{ clock, predictor, languages: ['en-US'], legRateHz: 16_000 },
    emit: (event) => void told.push(event),
    onUnexpected: (error) => void unexpected.push(error),
  });
  client.ask(question(1));
  client.ask(question(2));
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  answers[0]?.(0.1);
  answers[1]?.(0.2);
  await clock.advance(0);
  expect(told).toEqual([{ type: 'predict.result', rev: 2, p: 0.2 }]);
  expect(clock.nextDueAt()).toBeUndefined();
  client.ask(question(3));
  client.close();
  expect(signals[2]?.aborted).toBe(true);
  answers[2]?.(0.3);
  await clock.advance(1000);
  expect(told).toHaveLength(1);
  expect(unexpected).toEqual([]);
});

const ear = () => {
  const got = { samples: 0, ended: [] as string[], lines: 0 };
  return {
    got,
    audio: (pcm: Int16Array) => {
      got.samples += pcm.length / 2;
    },
    event: () => void got.lines++,
    ended: (reason: string) => void got.ended.push(reason),
  };
};

test('ten people may listen in, each from when they came until they left', async () => {
  const clock = new ManualClock();
  const monitor = new Monitor({ clock, legRateHz: 8000 });
  const hear = async (ms: number) => {
    for (let at = 0; at < ms; at += 20) {
      await clock.advance(20);
      monitor.writeCaller(new Int16Array(160).fill(5), clock.now());
    }
  };
  await hear(1000);
  const first = ear();
  const listening = monitor.listen(first);
  if (listening === 'full') throw new Error('there is room');
  expect(listening.sampleRateHz).toBe(8000);
  await hear(1000);
  const others = Array.from({ length: 9 }, ear);
  for (const other of others) expect(monitor.listen(other)).not.toBe('full');
  expect(monitor.listen(ear())).toBe('full');
  monitor.event({ seq: 1, at: 0, kind: 'note', type: 'x', data: {} });
  await hear(1000);
  listening.stop();
  listening.stop();
  const heard = first.got.samples;
  expect(heard).toBeGreaterThan(8 * 1600);
  expect(heard).toBeLessThanOrEqual(8 * 2000);
  await hear(1000);
  expect(first.got).toEqual({ samples: heard, ended: [], lines: 1 });
  monitor.end('user-hung-up');
  monitor.end('user-hung-up');
  for (const { got } of others) expect(got.ended).toEqual(['user-hung-up']);
  await hear(200);
  // After the last one has left, and somebody comes again, they hear what is said from then on.
  const late = ear();
  const again = monitor.listen(late);
  await hear(500);
  if (again !== 'full') again.stop();
  expect(late.got.samples).toBeGreaterThanOrEqual(8 * 300);
  expect(late.got.samples).toBeLessThanOrEqual(8 * 500);
  const later = ear();
  monitor.listen(later);
  await hear(500);
  monitor.end('ended');
  expect(later.got.samples).toBe(8 * 500);
});

test('sound that still comes when the last listener has left, or the call has ended, is nobody’s', async () => {
  const clock = new ManualClock();
  // At another rate than listeners get.
  const monitor = new Monitor({ clock, legRateHz: 48_000 });
  const sound = async () => {
    await clock.advance(200);
    monitor.writeCaller(new Int16Array(9600).fill(5), clock.now());
    monitor.write(new Int16Array(9600).fill(5), clock.now());
  };
  const [leaves, stays] = [ear(), ear()];
  const listening = monitor.listen(leaves);
  if (listening === 'full') throw new Error('there is room');
  await sound();
  listening.stop();
  const heard = leaves.got.samples;
  await sound();
  expect(leaves.got.samples).toBe(heard);
  monitor.listen(stays);
  await sound();
  monitor.end('ended');
  const heardToTheEnd = stays.got.samples;
  expect(heardToTheEnd).toBeGreaterThan(0);
  await sound();
  expect(stays.got.samples).toBe(heardToTheEnd);
});

test('the beat is every 20 ms for all, makes up for no lateness, and rests without listeners', async () => {
  let now = 1000;
  const timers: { at: number; act: () => void }[] = [];
  const clock = {
    now: () => now,
    setTimeout(act: () => void, ms: number) {
      timers.push({ at: now + ms, act });
      return timers.length as never;
    },
    clearTimeout: () => void timers.splice(0),
  };
  const ticker = new Ticker(clock);
  const beats: number[] = [];
  const stop = ticker.subscribe((at) => void beats.push(at));
  const other = ticker.subscribe(() => undefined);
  expect(timers.map(({ at }) => at)).toEqual([1020]);
  const fire = (lateMs: number) => {
    const next = timers.shift();
    now = (next?.at ?? now) + lateMs;
    next?.act();
  };
  fire(0);
  fire(5);
  // Late, and still on the grid.
  expect(timers[0]?.at).toBe(1060);
  fire(45);
  expect(timers[0]?.at).toBe(1120);
  expect(beats).toEqual([1020, 1045, 1105]);
  other();
  expect(timers).toHaveLength(1);
  stop();
  expect([timers.length, ticker.size]).toEqual([0, 0]);
  ticker.subscribe(() => undefined);
  expect(timers[0]?.at).toBe(now + 20);
});

test('a stream that is aborted ends at once, and its source is told', async () => {
  let returned = 0;
  const source = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise<IteratorResult<number>>(() => undefined),
      async return() {
        returned++;
        return { done: true as const, value: undefined };
      },
    }),
  };
  const controller = new AbortController();
  const read = (async () => {
    for await (const _ of untilAborted(source, controller.signal))
      expect.unreachable('nothing came');
  })();
  controller.abort(new Error('too late'));
  await expect(read).rejects.toThrow('too late');
  expect(returned).toBe(1);
});
