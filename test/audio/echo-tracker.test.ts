import { describe, expect, test } from 'vitest';
import { createEchoTracker } from '../../src/audio/echo-tracker.ts';
import { rmsDb } from '../../src/audio/level.ts';
import { gainFromDb } from '../../src/audio/mix.ts';
import { noise } from '../support/noises.ts';
import { readRecording } from '../support/recordings.ts';

const RATE_HZ = 16_000;
const FRAME = (RATE_HZ * 20) / 1000;

function spoken(...files: string[]): Int16Array {
  return Int16Array.from(files.flatMap((file) => [...readRecording(`${file}.wav`, RATE_HZ)]));
}

const OURS = spoken('reading-cold-hearted', 'reading-amiable-himself', 'reading-ill-disposed');
const THEIRS = spoken('inaugural-address');
const HISS = noise('pink', { samples: OURS.length, sampleRateHz: RATE_HZ, seed: 3 });

const echo = (db: number, delayMs: number) => (i: number) =>
  gainFromDb(db) * (OURS[i - Math.round((delayMs * RATE_HZ) / 1000)] ?? 0);
const caller = (db: number) => (i: number) => gainFromDb(db) * (THEIRS[i] ?? 0);
const hiss = (i: number) => 32_768 * gainFromDb(-60) * (HISS[i] as number);

/** Share of the loud frames, the first second left out, that are taken for echo, where `counts` says so. */
function shareOfEcho(
  microphone: (i: number) => number,
  counts: (i: number) => boolean = () => true,
): number {
  const tracker = createEchoTracker();
  let loud = 0;
  let taken = 0;
  for (let at = 0; at + FRAME <= OURS.length; at += FRAME) {
    const frame = Int16Array.from({ length: FRAME }, (_, k) => microphone(at + k) + hiss(at + k));
    const isEcho = tracker.judge(frame, rmsDb(OURS.subarray(at, at + FRAME)));
    if (at < RATE_HZ || rmsDb(frame) < -50 || !counts(at)) continue;
    loud++;
    if (isEcho) taken++;
  }
  expect(loud).toBeGreaterThan(25);
  return taken / loud;
}

describe('echo of our own voice', () => {
  test.each([
    [-10, 40],
    [-10, 450],
    [-20, 123],
    [-20, 287],
    [-25, 123],
  ])('%i dB quieter after %i ms: it is known', (db, delayMs) => {
    expect(shareOfEcho(echo(db, delayMs))).toBeGreaterThan(0.9);
  });
});

describe('a caller while we speak', () => {
  test.each([0, -10, -20])('at %i dB, with no echo: none of it is taken for ours', (db) => {
    expect(shareOfEcho(caller(db))).toBeLessThan(0.02);
  });

  test.each([0, -10])('at %i dB, over an echo: it is heard', (db) => {
    const both = (i: number) => echo(-20, 123)(i) + caller(db)(i);
    const speaks = (i: number) => rmsDb(THEIRS.subarray(i, i + FRAME)) > -25;
    expect(shareOfEcho(both, speaks)).toBeLessThan(0.1);
  });

  test('who begins to speak over an echo is heard from the first syllable on', () => {
    const beginsAt = 4 * RATE_HZ;
    const both = (i: number) => echo(-20, 123)(i) + (i < beginsAt ? 0 : caller(0)(i));
    const firstSecond = (i: number) =>
      i >= beginsAt && i < beginsAt + 2 * RATE_HZ && rmsDb(THEIRS.subarray(i, i + FRAME)) > -30;
    expect(shareOfEcho(both, firstSecond)).toBeLessThan(0.05);
  });
});

test('there is no echo while nothing is played', () => {
  const tracker = createEchoTracker();
  for (let n = 0; n < 500; n++) {
    const frame = new Int16Array(FRAME).fill(3000 - 150 * (n % 17));
    expect(tracker.judge(frame, -120)).toBe(false);
  }
});
