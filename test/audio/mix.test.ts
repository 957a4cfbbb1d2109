import { expect, test } from 'vitest';
import { downmix } from '../../src/audio/downmix.ts';
import { applyGain, gainFromDb, mixInto } from '../../src/audio/mix.ts';

test('sums with a gain and saturates instead of wrapping', () => {
  const target = Int16Array.of(1000, 30000, -30000, 5);
  mixInto(target, Int16Array.of(1000, 30000, -30000), 0.5);
  expect([...target]).toEqual([1500, 32767, -32768, 5]);
});

test('a source longer than its target is cut', () => {
  const target = Int16Array.of(1);
  mixInto(target, Int16Array.of(1, 2, 3), 1);
  expect([...target]).toEqual([2]);
});

test('the gain moves evenly', () => {
  const pcm = new Int16Array(4).fill(1000);
  applyGain(pcm, 1, 0);
  expect([...pcm]).toEqual([1000, 750, 500, 250]);
  const target = new Int16Array(4);
  mixInto(target, new Int16Array(4).fill(1000), 0, 1);
  expect([...target]).toEqual([0, 250, 500, 750]);
});

test('gains in dB', () => {
  expect(gainFromDb(0)).toBe(1);
  expect(gainFromDb(-20)).toBeCloseTo(0.1);
});

test('channels are joined by their mean; one stays as it is', () => {
  const left = Int16Array.of(32767, -4);
  expect([...downmix([left, Int16Array.of(32767, 2)])]).toEqual([32767, -1]);
  expect(downmix([left])).toBe(left);
});
