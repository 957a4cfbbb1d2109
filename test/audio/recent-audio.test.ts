import { expect, test } from 'vitest';
import { RecentAudio } from '../../src/audio/recent-audio.ts';

test('the latest samples are kept, oldest first, until cleared', () => {
  const recent = new RecentAudio(5);
  recent.push(Int16Array.of(1, 2));
  expect([...recent.read()]).toEqual([1, 2]);
  recent.push(Int16Array.of(3, 4, 5, 6));
  expect([...recent.read()]).toEqual([2, 3, 4, 5, 6]);
  recent.push(Int16Array.of(7, 8, 9, 10, 11, 12, 13));
  expect([...recent.read()]).toEqual([9, 10, 11, 12, 13]);
  recent.clear();
  expect([...recent.read()]).toEqual([]);
  recent.push(Int16Array.of(14, 15));
  expect([...recent.read()]).toEqual([14, 15]);
});
