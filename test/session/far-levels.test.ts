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
