import { expect, test } from 'vitest';
import { FarEndPlayer } from '../../src/carriers/emulator/far-end-player.ts';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';

const BUFFER_MS = 20;

function setUp() {
  const clock = new VirtualClock(1000);
  const marks: { name: string; atMs: number }[] = [];
  const player = new FarEndPlayer({
    clock,
    sampleRateHz: 8000,
    startedAtMs: 1000,
    bufferMs: BUFFER_MS,
    onMark: (name) => marks.push({ name, atMs: Math.round(clock.now() - 1000) }),
  });
  const add = (ms: number) => player.add(new Int16Array(ms * 8).fill(1));
  return { clock, marks, player, add };
}

/** Where the track sounds, in ms: `[from, to]` pairs. */
function sounding(samples: Int16Array): number[][] {
  const spans: number[][] = [];
  samples.forEach((sample, i) => {
    if (sample === 0) return;
    const last = spans.at(-1);
    if (last && last[1] === i) last[1] = i + 1;
    else spans.push([i, i + 1]);
  });
  return spans.map((span) => span.map((sample) => Math.round(sample / 8)));
}

test('pieces play without a gap when they come in time, after the buffer', () => {
  const { clock, player, add } = setUp();
  clock.advanceTo(1100);
  add(60);
  clock.advanceTo(1150);
  add(40);
  expect(sounding(player.track.read())).toEqual([[120, 220]]);
  expect(player.queuedToMs).toBeCloseTo(220, 0);
});

test('a piece that comes too late leaves a gap', () => {
  const { clock, player, add } = setUp();
  add(20);
  clock.advanceTo(1100);
  add(20);
  expect(sounding(player.track.read())).toEqual([
    [20, 40],
    [120, 140],
  ]);
});

test('marks are answered when playback reaches them, in order', () => {
  const { clock, marks, player, add } = setUp();
  player.mark('at-once');
  add(100);
  player.mark('a');
  player.mark('b');
  add(100);
  player.mark('c');
  clock.advanceTo(1119);
  expect(marks.map((mark) => mark.name)).toEqual(['at-once']);
  clock.advanceTo(2000);
  expect(marks.slice(1)).toEqual([
    { name: 'a', atMs: 120 },
    { name: 'b', atMs: 120 },
    { name: 'c', atMs: 220 },
  ]);
});

test('a clear drops what was not played, with its marks, and says how much was', () => {
  const { clock, marks, player, add } = setUp();
  add(200);
  player.mark('a');
  clock.advanceTo(1070);
  expect(player.clear()).toBeCloseTo(50, 0);
  clock.advanceTo(2000);
  expect(marks).toEqual([]);
  expect(sounding(player.track.read())).toEqual([[20, 70]]);
  expect(player.clear()).toBe(0);
});

test('silence between pieces does not count as played', () => {
  const { clock, player, add } = setUp();
  add(100);
  clock.advanceTo(1500);
  add(100);
  clock.advanceTo(1570);
  expect(player.clear()).toBeCloseTo(150, 0);
});
