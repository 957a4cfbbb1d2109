import { expect, test } from 'vitest';
import { createVoiceLevelMeter } from '../../src/audio/voice-level.ts';

/** Frames of 20 ms at these levels, all within speech; what the meter tells, and after which frame. */
function tell(levels: readonly number[]) {
  const meter = createVoiceLevelMeter();
  return levels.flatMap((db, i) => {
    const told = meter.push(db, true);
    return told ? [{ frame: i, agoMs: told.agoMs, db: Math.round(told.db) }] : [];
  });
}

const frames = (count: number, db: number) => Array.from({ length: count }, () => db);

test('a steady voice is told once in 200 ms, the first time after 100', () => {
  const told = tell(frames(31, -20));
  expect(told).toEqual([5, 15, 25].map((frame) => ({ frame, agoMs: 200, db: -20 })));
});

test('the dips between syllables change nothing, an end is told after 200 ms of it', () => {
  const syllables = Array.from({ length: 6 }, () => [...frames(5, -20), ...frames(3, -40)]).flat();
  expect(new Set(tell(syllables).map(({ db }) => db))).toEqual(new Set([-20]));
  const ends = tell([...frames(27, -20), ...frames(20, -40)]);
  const fall = ends.find(({ db }) => db < -30);
  // The smoothed level needs two frames more.
  expect(fall).toEqual({ frame: 27 + 10 + 1, agoMs: 200, db: -40 });
});

test('a louder voice is told at once', () => {
  const told = tell([...frames(18, -40), ...frames(4, -20)]);
  expect(told.find(({ db }) => db > -30)).toEqual({ frame: 18, agoMs: 60, db: -25 });
});

test('outside of speech it measures and tells nothing', () => {
  const meter = createVoiceLevelMeter();
  expect(frames(30, -33).map((db) => meter.push(db, false))).toEqual(
    frames(30, 0).map(() => undefined),
  );
  expect(Math.round(meter.db)).toBe(-33);
});
