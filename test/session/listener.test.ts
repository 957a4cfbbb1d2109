import { expect, test } from 'vitest';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import { Listener } from '../../src/session/inbound/listener.ts';
import { levelVad } from '../support/level-vad.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ScriptedStt } from '../support/scripted-stt.ts';
import { tone } from '../support/tones.ts';

async function setUp({
  legRateHz = 16_000,
  inputRatesHz = [16_000] as readonly number[],
  flushes = true,
  playedDb = -120,
  awaitsBeep = false,
} = {}) {
  const clock = new ManualClock(1000);
  const askedAt: number[] = [];
  const events: { readonly at: number; readonly event: CallEvent }[] = [];
  const stt = Object.assign(new ScriptedStt(), { inputRatesHz, flushes });
  const listener = new Listener({
    clock,
    legRateHz,
    vad: levelVad,
    stt,
    recognition: { languages: ['en-US'], hints: [], phrases: [] },
    isTakenOver: false,
    playedDb: (clockMs) => {
      askedAt.push(clockMs - 1000);
      return playedDb;
    },
    awaitsBeep,
    emit: (event) => void events.push({ at: clock.now() - 1000, event }),
    at: (clockMs) => clockMs - 1000,
    onUnexpected: (error) => {
      throw error;
    },
  });
  await clock.advance(0);
  const hear = async (pcm: Int16Array) => {
    const frame = legRateHz / 50;
    for (let from = 0; from + frame <= pcm.length; from += frame) {
      await clock.advance(20);
      listener.write(pcm.slice(from, from + frame), clock.now());
    }
  };
  const sound = (ms: number, level: number) =>
    hear(new Int16Array((legRateHz * ms) / 1000).fill(level));
  const named = (type: CallEvent['type']) => events.filter(({ event }) => event.type === type);
  return { clock, listener, stt, events, askedAt, hear, sound, named };
}

test('the edges of speech are told when they are sure, with the instants at which they were', async () => {
  const { sound, named, stt, listener } = await setUp();
  await sound(500, 0);
  await sound(600, 4000);
  await sound(400, 0);
  const [start] = named('vad.start').map(({ event }) => event);
  const [stop] = named('vad.stop').map(({ event }) => event);
  expect(start).toMatchObject({ onsetAt: 500, db: -18 });
  expect(stop).toEqual({ type: 'vad.stop', speechEndAt: 1100 });
  expect(named('vad.alive').length).toBeGreaterThanOrEqual(1);
  expect(named('vad.lull')).toHaveLength(1);
  expect(stt.line.edges).toEqual(['started', 'ended']);
  const levels = named('vad.level').map(({ event }) => event);
  expect(levels.length).toBeGreaterThan(0);
  for (const { at, event } of named('vad.level'))
    if (event.type === 'vad.level') {
      expect(at - event.sinceAt).toBe(200);
      expect(event.db).toBe(-18);
    }
  listener.close();
  expect(stt.line.closed).toBe(true);
});

test('[S6] of a lull nothing is told where the recogniser cannot be flushed', async () => {
  const { sound, named, listener } = await setUp({ flushes: false });
  await sound(600, 4000);
  await sound(400, 0);
  expect(named('vad.lull')).toEqual([]);
  listener.close();
});

test.each([
  [{ user: 'pausing', assistant: 'idle' } as const, true],
  [{ user: 'silent', assistant: 'thinking' } as const, true],
  [{ user: 'silent', assistant: 'idle' } as const, false],
  [{ user: 'speaking', assistant: 'speaking' } as const, false],
])('[C10] what may become a voice is told only where a reply is due: %o', async (state, isTold) => {
  const { sound, named, listener } = await setUp();
  listener.follow(state);
  await sound(300, 0);
  await sound(600, 4000);
  const maybe = named('vad.maybe');
  expect(maybe.length > 0).toBe(isTold);
  // It comes before voice activity is sure.
  if (isTold) expect(maybe[0]?.at).toBeLessThan(named('vad.start')[0]?.at ?? 0);
  listener.close();
});

test('what may become a voice is not told before anything is known of the call', async () => {
  const { sound, named, listener } = await setUp();
  await sound(300, 0);
  await sound(600, 4000);
  expect(named('vad.maybe')).toEqual([]);
  listener.close();
});

test('each frame is compared to what the loudspeaker played as it was spoken', async () => {
  const { sound, askedAt, listener } = await setUp();
  await sound(100, 1000);
  expect(askedAt).toEqual([0, 20, 40, 60, 80]);
  listener.close();
});

test('sound that proves to be the assistant’s own ends at once, and begins no more speech', async () => {
  const { sound, named, listener } = await setUp({ playedDb: -15 });
  await sound(300, 0);
  await sound(4000, 400);
  const [start, stop] = [named('vad.start'), named('vad.stop')];
  expect(start).toHaveLength(1);
  expect(stop).toHaveLength(1);
  // With the third frame that is sure to be echo.
  expect(stop).toEqual([{ at: 1060, event: { type: 'vad.stop', speechEndAt: 1000 } }]);
  // A caller who is louder than the echo is heard.
  await sound(500, 12_000);
  expect(named('vad.start')).toHaveLength(2);
  listener.close();
});

test.each([
  ['its own', 16_000, [8000, 16_000, 24_000], 16_000],
  ['the next lower one', 16_000, [8000, 24_000], 8000],
  ['its lowest one', 8000, [24_000, 16_000], 16_000],
])('a recogniser gets the rate of the line, %s', async (_what, legRateHz, inputRatesHz, rate) => {
  const { sound, stt, listener } = await setUp({ legRateHz, inputRatesHz });
  await sound(1000, 1000);
  expect(stt.line.options.sampleRateHz).toBe(rate);
  expect(stt.line.writtenMs).toBeGreaterThan(980);
  expect(stt.line.writtenMs).toBeLessThanOrEqual(1000);
  listener.close();
});

test.each([true, false])(
  '[V2] a machine’s tone is told where one is awaited: %s',
  async (awaitsBeep) => {
    const { hear, sound, named, listener } = await setUp({ legRateHz: 8000, awaitsBeep });
    await sound(500, 0);
    await hear(tone(1000, 400));
    await sound(300, 0);
    expect(named('beep')).toHaveLength(awaitsBeep ? 1 : 0);
    listener.close();
  },
);

test.each([
  [200, 1],
  [100, 0],
])('[V2] a tone of %d ms is a beep: %d', async (ms, beeps) => {
  const { hear, sound, named, listener } = await setUp({ legRateHz: 8000, awaitsBeep: true });
  await sound(500, 0);
  await hear(tone(1000, ms));
  await sound(300, 0);
  expect(named('beep')).toHaveLength(beeps);
  listener.close();
});

test('the recogniser is told only of changes of the voice', async () => {
  const { stt, listener } = await setUp();
  listener.voice(false);
  listener.voice(true);
  listener.voice(true);
  listener.flush();
  listener.voice(false);
  listener.voice(false);
  expect(stt.line.edges).toEqual(['started', 'flushed', 'ended']);
  listener.close();
});

test('where the detector says how soft a sound may be without being voice, nobody is asked while one is heard', async () => {
  const { listener, sound } = await setUp();
  expect(listener.undecidedMs).toBe(0);
  expect(listener.quietBelowDb).toBeUndefined();
  await sound(100, 0);
  listener.close();

  const quiet = { sampleRateHz: 16_000, open: levelVad.open };
  const clock = new ManualClock(0);
  const own = new Listener({
    clock,
    legRateHz: 16_000,
    vad: {
      ...quiet,
      open: (onFrame) => ({ ...levelVad.open(onFrame), quietBelowDb: -60, undecidedMs: 12 }),
    },
    stt: new ScriptedStt(),
    recognition: { languages: ['en-US'], hints: [], phrases: [] },
    isTakenOver: false,
    playedDb: () => -120,
    awaitsBeep: false,
    emit: () => undefined,
    at: (ms) => ms,
    onUnexpected: () => undefined,
  });
  await clock.advance(0);
  expect([own.quietBelowDb, own.undecidedMs]).toEqual([-60, 12]);
  for (let ms = 20; ms <= 400; ms += 20) own.write(new Int16Array(320).fill(4000), ms);
  expect(own.quietBelowDb).toBeUndefined();
  own.close();
});
