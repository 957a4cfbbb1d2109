import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';
import { StereoCapture } from '../../src/session/record/stereo-capture.ts';

const RATE = 8000;
const BEGIN = 5000;

/** Captures what `act` does, at instants counted from the beginning. */
function capture(
  act: (to: StereoCapture, at: (ms: number) => number) => void,
  { legRateHz = RATE, flushMs = 600, sentAhead = false } = {},
) {
  const clock = new VirtualClock(BEGIN);
  const pieces: { readonly at: number; readonly pcm: Int16Array }[] = [];
  const onAudio = (pcm: Int16Array) => void pieces.push({ at: clock.now() - BEGIN, pcm });
  const to = new StereoCapture({ clock, legRateHz, flushMs, onAudio });
  act(to, (ms) => {
    clock.advanceTo(BEGIN + ms);
    return BEGIN + ms;
  });
  to.close({ sentAhead });
  const all = pieces.flatMap(({ pcm }) => [...pcm]);
  const caller = all.filter((_, i) => i % 2 === 0);
  const assistant = all.filter((_, i) => i % 2 === 1);
  return { to, pieces, caller, assistant };
}

const sound = (ms: number, level: number, rate = RATE) =>
  new Int16Array((ms * rate) / 1000).fill(level);

/** From when to when a level is heard, in ms. */
function heard(channel: readonly number[], level: number) {
  const ms = (sample: number) => (sample * 1000) / RATE;
  return [ms(channel.indexOf(level)), ms(channel.lastIndexOf(level) + 1)];
}

/** The caller speaks at a level, in frames of 20 ms that arrive when they end. */
function speak(
  to: StereoCapture,
  at: (ms: number) => number,
  [from, until]: readonly [number, number],
  level: number,
): void {
  for (let ms = from + 20; ms <= until; ms += 20) to.writeCaller(sound(20, level), at(ms));
}

test('a caller who was silent for a while is put where they spoke', () => {
  const { caller } = capture((to, at) => {
    speak(to, at, [0, 100], 1);
    speak(to, at, [700, 800], 2);
    at(1000);
  });
  expect(heard(caller, 1)).toEqual([0, 100]);
  expect(heard(caller, 2)).toEqual([700, 800]);
  expect(caller).toHaveLength(RATE);
});

test.each([
  // What is late by so much is the jitter of the line: a gap of its length would be heard in the middle of a word.
  [200, 100],
  [201, 301],
])('a caller who is %d ms late goes on at %d ms', (late, from) => {
  const { caller } = capture((to, at) => {
    speak(to, at, [0, 100], 1);
    to.writeCaller(sound(20, 2), at(120 + late));
    at(1000);
  });
  expect(heard(caller, 2)[0]).toBe(from);
});

test.each([
  ['silence', 0, 0],
  ['what is as soft as a line at rest', 100, 0],
  ['speech', 3000, 200],
])(
  'of a burst that came late, %s is left out until the caller is on time',
  (_what, level, kept) => {
    const { caller } = capture((to, at) => {
      speak(to, at, [0, 400], 1);
      // 300 ms more than the clock has room for, all at once.
      for (let i = 0; i < 15; i++) to.writeCaller(sound(20, 1), at(400));
      for (let i = 0; i < 10; i++) to.writeCaller(sound(20, level), at(400));
      at(2000);
    });
    const count = level === 0 ? 0 : caller.filter((sample) => sample === level).length;
    expect((count * 1000) / RATE).toBe(kept);
  },
);

test('silence that is hardly early is kept', () => {
  const { caller } = capture((to, at) => {
    speak(to, at, [0, 400], 1);
    for (let i = 0; i < 10; i++) to.writeCaller(sound(20, 1), at(400));
    to.writeCaller(sound(20, 7), at(400 + 20));
    at(2000);
  });
  expect(caller.filter((sample) => sample === 7)).toHaveLength(0.02 * RATE);
});

test.each([
  [20, 100],
  [21, 121],
])('pieces of speech that are %d ms apart: the second one begins at %d ms', (apart, from) => {
  const { assistant } = capture((to, at) => {
    at(50);
    to.write(sound(100, 1), BEGIN);
    to.write(sound(100, 2), BEGIN + 100 + apart);
    at(500);
  });
  expect(heard(assistant, 2)[0]).toBe(from);
});

test('what was never heard is erased, and what follows stands at its own time', () => {
  const { assistant } = capture((to, at) => {
    at(50);
    to.write(sound(180, 1), BEGIN + 50);
    at(110);
    to.erase(BEGIN + 110);
    to.write(sound(100, 2), BEGIN + 120);
    at(500);
  });
  expect(heard(assistant, 1)).toEqual([50, 110]);
  expect(heard(assistant, 2)).toEqual([110, 210]);
});

test('a killed process loses no more than its flush and the newest 200 ms', () => {
  const { pieces } = capture((to, at) => speak(to, at, [0, 3000], 1));
  expect(pieces.map(({ at }) => at)).toEqual([800, 1400, 2000, 2600, 3000]);
  expect(pieces.map(({ pcm }) => (pcm.length / 2 / RATE) * 1000)).toEqual([
    600, 600, 600, 600, 600,
  ]);
});

test('a caller who says nothing does not keep back what the assistant says', () => {
  const { pieces, assistant } = capture((to, at) => {
    for (let ms = 0; ms < 3000; ms += 100) to.write(sound(100, 1), at(ms) + 150);
  });
  expect(pieces[0]?.at).toBe(800);
  expect(assistant.filter((sample) => sample !== 1)).toHaveLength(0.15 * RATE);
});

test.each([
  [false, 500],
  [true, 680],
])('where what was sent ahead is heard (%s), the capture ends at %d ms', (sentAhead, ms) => {
  const { assistant } = capture(
    (to, at) => {
      to.write(sound(180, 1), at(500));
      expect(to.sampleRateHz).toBe(RATE);
    },
    { sentAhead },
  );
  expect((assistant.length * 1000) / RATE).toBe(ms);
});

test('a second close keeps nothing twice, and what ended before now is not cut', () => {
  const { assistant } = capture(
    (to, at) => {
      to.write(sound(100, 1), at(500));
      at(900);
    },
    { sentAhead: true },
  );
  expect((assistant.length * 1000) / RATE).toBe(900);
  expect(heard(assistant, 1)).toEqual([500, 600]);
});

test('a line of 48,000 samples a second is kept at 16,000, all of it at its time', () => {
  const clock = new VirtualClock(BEGIN);
  const all: number[] = [];
  const to = new StereoCapture({
    clock,
    legRateHz: 48_000,
    flushMs: 600,
    onAudio: (pcm) => all.push(...pcm),
  });
  expect(to.sampleRateHz).toBe(16_000);
  clock.advanceTo(BEGIN + 1000);
  to.write(sound(500, 3000, 48_000), BEGIN + 1000);
  clock.advanceTo(BEGIN + 2000);
  to.close();
  const assistant = all.filter((_, i) => i % 2 === 1);
  expect(assistant).toHaveLength(32_000);
  const loud = assistant.flatMap((sample, i) => (sample > 2500 ? [i] : []));
  expect(Math.abs((loud[0] ?? 0) - 16_000)).toBeLessThan(100);
  expect(Math.abs(loud.length - 8000)).toBeLessThan(200);
});

test('closed without a word of it, a capture ends now; what was taken back before its beginning is not in it', () => {
  const clock = new VirtualClock(BEGIN);
  const pieces: Int16Array[] = [];
  const to = new StereoCapture({
    ...{ clock, legRateHz: 16_000, flushMs: 100 },
    onAudio: (pcm) => void pieces.push(pcm),
  });
  to.write(new Int16Array(1600).fill(2), clock.now());
  clock.advanceTo(BEGIN + 50);
  to.erase(clock.now() - 60);
  to.close();
  expect(pieces.flatMap((pcm) => [...pcm])).toEqual(Array.from({ length: 2 * 800 }, () => 0));
});

test('closed, a capture has given back the resamplers of both sides', () => {
  const { to } = capture(() => undefined, { legRateHz: 48_000 });
  const pcm = sound(20, 1, 48_000);
  expect(() => to.writeCaller(pcm, BEGIN)).toThrow('the resampler is closed');
  expect(() => to.write(pcm, BEGIN)).toThrow('the resampler is closed');
});
