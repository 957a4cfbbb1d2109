import { describe, expect, test } from 'vitest';
import { holdMusic } from '../../src/audio/hold-music.ts';
import { peakDb, rmsDb } from '../../src/audio/level.ts';
import { LoopCursor } from '../../src/audio/loop-cursor.ts';
import { roomAmbience } from '../../src/audio/room-ambience.ts';
import { LOOP_RMS_DB, loopOf, resampleLoop, type SoundLoop } from '../../src/audio/sound-loop.ts';

const sounds: readonly { name: string; loop: SoundLoop }[] = [
  { name: 'room ambience', loop: roomAmbience() },
  { name: 'hold music', loop: holdMusic() },
];

/** The largest step from one sample to the next, over the seam and within the loop. */
function steps(pcm: Int16Array): { readonly seam: number; readonly inside: number } {
  let inside = 0;
  for (let i = 1; i < pcm.length; i++) {
    inside = Math.max(inside, Math.abs((pcm[i] as number) - (pcm[i - 1] as number)));
  }
  return { seam: Math.abs((pcm[0] as number) - (pcm.at(-1) as number)), inside };
}

describe.each(sounds)('the built-in $name', ({ loop }) => {
  test('is 20 to 30 seconds at 16 kHz, at the level of every loop, and not clipped', () => {
    expect(loop.sampleRateHz).toBe(16_000);
    expect(loop.pcm.length / 16_000).toBeGreaterThan(19.9);
    expect(loop.pcm.length / 16_000).toBeLessThanOrEqual(30);
    expect(rmsDb(loop.pcm)).toBeCloseTo(LOOP_RMS_DB, 0);
    expect(peakDb(loop.pcm)).toBeLessThan(-1);
  });

  test.each([8000, 16_000, 24_000, 48_000])('joins without a click at %i Hz', (rateHz) => {
    const { pcm } = resampleLoop(loop, rateHz);
    expect(Math.abs(pcm.length / rateHz - loop.pcm.length / 16_000)).toBeLessThan(1 / rateHz);
    const { seam, inside } = steps(pcm);
    expect(seam).toBeLessThanOrEqual(inside);
    const around = Math.round(0.01 * rateHz);
    const join = Int16Array.of(...pcm.subarray(-around), ...pcm.subarray(0, around));
    expect(Math.abs(steps(join).inside)).toBeLessThanOrEqual(inside);
    // No hole either, as a filter that starts anew would leave.
    expect(rmsDb(join)).toBeGreaterThan(LOOP_RMS_DB - 12);
  });
});

test('the room is the same for the same seed, another for another', () => {
  expect(roomAmbience(7).pcm).toEqual(roomAmbience(7).pcm);
  expect(roomAmbience(7).pcm).not.toEqual(roomAmbience(8).pcm);
});

test('the room moves slowly: no second of it stands out', () => {
  const { pcm } = roomAmbience();
  const levels = Array.from({ length: 19 }, (_, i) =>
    rmsDb(pcm.subarray(i * 16_000, (i + 1) * 16_000)),
  );
  expect(Math.max(...levels) - Math.min(...levels)).toBeGreaterThan(0.5);
  expect(Math.max(...levels) - Math.min(...levels)).toBeLessThan(6);
});

test('most of the room is heard on a telephone as well', () => {
  const phone = resampleLoop(sounds[0]?.loop as SoundLoop, 8000);
  expect(rmsDb(phone.pcm)).toBeGreaterThan(LOOP_RMS_DB - 1);
});

describe('a loop of a user’s sound', () => {
  const saw = Int16Array.from({ length: 16_000 }, (_, i) => Math.round((i / 16_000) * 2000));

  test('joins its end to its beginning', () => {
    const loop = loopOf(saw, 16_000);
    const { seam, inside } = steps(loop?.pcm as Int16Array);
    expect(seam).toBeLessThanOrEqual(inside + 2);
  });

  test('is brought to the level of every loop, a very quiet one only part of the way', () => {
    const tone = (level: number) =>
      Int16Array.from({ length: 16_000 }, (_, i) => Math.round(level * Math.sin(i / 10)));
    expect(rmsDb(loopOf(tone(12_000), 16_000)?.pcm as Int16Array)).toBeCloseTo(LOOP_RMS_DB, 0);
    expect(rmsDb(loopOf(tone(20), 16_000)?.pcm as Int16Array)).toBeLessThan(LOOP_RMS_DB - 10);
  });

  test('silence, and a sound too short to be joined, are no loops', () => {
    expect(loopOf(new Int16Array(16_000), 16_000)).toBeUndefined();
    expect(loopOf(saw.subarray(0, 1000), 16_000)).toBeUndefined();
  });
});

test('a cursor goes round, and back to what was not heard', () => {
  const cursor = new LoopCursor({ sampleRateHz: 8000, pcm: Int16Array.of(1, 2, 3, 4, 5) });
  expect([...cursor.read(7)]).toEqual([1, 2, 3, 4, 5, 1, 2]);
  cursor.rewind(4);
  expect([...cursor.read(3)]).toEqual([4, 5, 1]);
  cursor.rewind(13);
  expect([...cursor.read(2)]).toEqual([4, 5]);
});
