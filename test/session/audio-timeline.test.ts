import { expect, test } from 'vitest';
import { AudioTimeline } from '../../src/session/inbound/audio-timeline.ts';

/** A timeline of which each frame of 20 ms came so late. */
function heard(...lateMs: readonly number[]): AudioTimeline {
  const timeline = new AudioTimeline();
  for (const [i, late] of lateMs.entries()) timeline.advance(20, 1000 + 20 * (i + 1) + late);
  return timeline;
}

test.each([
  ['comes in its time', [0, 0, 0], 1000],
  ['comes late for once', [0, 150, 0], 1000],
  ['comes earlier than what was before', [30, 10, 20], 1010],
  ['is 200 ms later than what was before', [0, 200], 1000],
  ['comes after a gap', [0, 201], 1201],
  ['comes in time again after a gap', [0, 500, 480], 1480],
])('audio that %s (%j) began at %d ms', (_what, late, beganAt) => {
  const timeline = heard(...late);
  expect(timeline.clockAt(0)).toBe(beganAt);
  expect(timeline.clockAt(40)).toBe(beganAt + 40);
  expect(timeline.positionMs).toBe(20 * late.length);
});

test('without any audio a position is its own instant', () => {
  expect(new AudioTimeline().clockAt(5)).toBe(5);
});
