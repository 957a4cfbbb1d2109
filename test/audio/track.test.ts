import { expect, test } from 'vitest';
import { Track } from '../../src/audio/track.ts';

const SECOND = 8000;

test('forgotten samples free their memory, and the rest keep their positions', () => {
  const track = new Track();
  for (let at = 0; at < 60 * SECOND; at += SECOND) {
    track.write(new Int16Array(SECOND).fill(at / SECOND + 1), at);
    track.forget(at);
  }
  expect(track.length).toBe(60 * SECOND);
  expect([...track.read(59 * SECOND, 59 * SECOND + 2)]).toEqual([60, 60]);
  // Silence that was never written, beyond what was moved.
  track.write(Int16Array.of(7), 61 * SECOND);
  expect([...track.read(61 * SECOND - 1, 61 * SECOND + 1)]).toEqual([0, 7]);
  track.truncate(60 * SECOND);
  expect(track.length).toBe(60 * SECOND);
  // The view's memory is all there is: some seconds, not the minute.
  expect(track.read(59 * SECOND).buffer.byteLength).toBeLessThan(20 * SECOND * 2);
});
