import { expect, test } from 'vitest';
import { Microphone } from '../../src/carriers/emulator/microphone.ts';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';

function setUp() {
  const clock = new VirtualClock(500);
  const frames: { atMs: number; frame: Int16Array }[] = [];
  const microphone = new Microphone({
    clock,
    sampleRateHz: 8000,
    startedAtMs: 500,
    onFrame: (frame) => frames.push({ atMs: clock.now() - 500, frame: frame.slice() }),
  });
  return { clock, frames, microphone };
}

test('a frame leaves every 20 ms, of silence when nothing is said', () => {
  const { clock, frames } = setUp();
  clock.advanceTo(600);
  expect(frames.map((entry) => entry.atMs)).toEqual([20, 40, 60, 80, 100]);
  expect(frames.every((entry) => entry.frame.length === 160)).toBe(true);
  expect(frames.every((entry) => entry.frame.every((sample) => sample === 0))).toBe(true);
});

test('speech leaves sample for sample, one piece after the other', async () => {
  const { clock, frames, microphone } = setUp();
  clock.advanceTo(530);
  const first = microphone.say(Int16Array.from({ length: 250 }, (_, i) => i + 1));
  const second = microphone.say(Int16Array.from({ length: 10 }, (_, i) => -i - 1));
  clock.advanceTo(700);
  await Promise.all([first.spoken, second.spoken]);
  expect(first.fromSample).toBe(160);
  expect(second.fromSample).toBe(160 + 250);
  const sent = frames.flatMap((entry) => [...entry.frame]);
  expect(sent.slice(160, 160 + 260)).toEqual([
    ...Array.from({ length: 250 }, (_, i) => i + 1),
    ...Array.from({ length: 10 }, (_, i) => -i - 1),
  ]);
  expect([...microphone.track.read()]).toEqual(sent);
});

test('frames that were late are made up for: no drift', () => {
  const late = new VirtualClock(0);
  let skipMs = 0;
  const clock = { ...bound(late), now: () => late.now() + skipMs };
  let frames = 0;
  new Microphone({ clock, sampleRateHz: 8000, startedAtMs: 0, onFrame: () => frames++ });
  late.advanceTo(100);
  skipMs = 70; // The process stood still.
  late.advanceTo(330);
  expect(frames).toBe(20);
});

test('after close nothing leaves', () => {
  const { clock, frames, microphone } = setUp();
  clock.advanceTo(540);
  microphone.close();
  clock.advanceTo(2000);
  expect(frames).toHaveLength(2);
  expect(clock.nextDueAt()).toBeUndefined();
});

function bound(clock: VirtualClock) {
  return {
    setTimeout: (callback: () => void, delayMs: number) => clock.setTimeout(callback, delayMs),
    clearTimeout: (timer: unknown) => clock.clearTimeout(timer),
  };
}

test('closing ends what is still being said, and nothing is taken after it', async () => {
  const clock = new VirtualClock(0);
  let frames = 0;
  const microphone = new Microphone({
    clock,
    sampleRateHz: 8000,
    startedAtMs: 0,
    onFrame: () => {
      frames++;
      microphone.close();
    },
  });
  const { spoken } = microphone.say(new Int16Array(8000));
  clock.advanceTo(100);
  await spoken;
  await microphone.say(new Int16Array(8000)).spoken;
  expect(frames).toBe(1);
});
