import { expect, test } from 'vitest';
import { FarLevels } from '../../src/session/outbound/far-levels.ts';

const RATE_HZ = 8000;
const tone = (ms: number, level: number) => new Int16Array((RATE_HZ * ms) / 1000).fill(level);

test('each instant has the level of what is played then, however it was sent', () => {
  const whole = new FarLevels(RATE_HZ);
  const pieces = new FarLevels(RATE_HZ);
  whole.write(tone(200, 8192), 1_700_000_000_007);
  for (let ms = 0; ms < 200; ms += 5) pieces.write(tone(5, 8192), 1_700_000_000_007 + ms);
  for (let ms = 40; ms < 180; ms += 7) {
    expect(whole.levelAt(1_700_000_000_000 + ms)).toBeCloseTo(-12.04, 1);
    expect(pieces.levelAt(1_700_000_000_000 + ms)).toBeCloseTo(-12.04, 1);
  }
  expect(whole.levelAt(1_700_000_000_300)).toBe(-120);
  expect(whole.levelAt(1_699_999_999_000)).toBe(-120);
});

test('what was taken back is silence, and the past is forgotten', () => {
  const levels = new FarLevels(RATE_HZ);
  levels.write(tone(200, 8192), 1000);
  levels.erase(1100);
  expect(levels.levelAt(1090)).toBeGreaterThan(-13);
  expect(levels.levelAt(1150)).toBe(-120);
  levels.write(tone(20, 100), 1000 + 64 * 20);
  expect(levels.levelAt(1000)).toBe(-120);
});

test('a sound that fills only a part of 20 ms is as much softer there', () => {
  const levels = new FarLevels(RATE_HZ);
  levels.write(tone(5, 8192), 1000);
  // A quarter of the energy is 6 dB less.
  expect(levels.levelAt(1019)).toBeCloseTo(-12.04 - 6.02, 1);
  levels.write(tone(5, 8192), 1005);
  expect(levels.levelAt(1000)).toBeCloseTo(-12.04 - 3.01, 1);
  expect(levels.levelAt(1020)).toBe(-120);
  expect(levels.levelAt(999)).toBe(-120);
});

test('each sample counts in the 20 ms in which it is heard, wherever its piece begins', () => {
  const levels = new FarLevels(RATE_HZ);
  const pcm = new Int16Array(RATE_HZ / 10);
  // Only the samples from 1040 ms to 1060 ms sound.
  pcm.fill(8192, (RATE_HZ * 33) / 1000, (RATE_HZ * 53) / 1000);
  levels.write(pcm, 1007);
  expect(levels.levelAt(1039)).toBe(-120);
  expect(levels.levelAt(1040)).toBeCloseTo(-12.04, 1);
  expect(levels.levelAt(1059)).toBeCloseTo(-12.04, 1);
  expect(levels.levelAt(1060)).toBe(-120);
});

test('what is written again after it was taken back counts alone', () => {
  const levels = new FarLevels(RATE_HZ);
  levels.write(tone(200, 8192), 1000);
  levels.erase(1100);
  // The 20 ms in which the sound ended keep what was heard of them.
  expect(levels.levelAt(1100)).toBeGreaterThan(-13);
  expect(levels.levelAt(1120)).toBe(-120);
  levels.write(tone(20, 4096), 1120);
  expect(levels.levelAt(1120)).toBeCloseTo(-18.06, 1);
});

test('sound is known for more than a second, which is as long as an echo takes', () => {
  const levels = new FarLevels(RATE_HZ);
  levels.write(tone(1280, 8192), 2000);
  expect(levels.levelAt(2000)).toBeCloseTo(-12.04, 1);
  expect(levels.levelAt(3279)).toBeCloseTo(-12.04, 1);
  expect(levels.levelAt(0)).toBe(-120);
});

test('what was taken back is silence, in whichever place it was kept', () => {
  const levels = new FarLevels(RATE_HZ);
  levels.write(tone(1280, 8192), 12_800);
  levels.erase(12_799);
  for (let ms = 0; ms < 1280; ms += 20) expect(levels.levelAt(12_800 + ms)).toBe(-120);
});
