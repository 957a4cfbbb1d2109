import { describe, expect, test } from 'vitest';
import { peakDb, rmsDb } from '../../src/audio/level.ts';
import { Volume } from '../../src/audio/volume.ts';

const tone = (level: number, samples = 1600) =>
  Int16Array.from(
    { length: samples },
    (_, i) => level * Math.sin((2 * Math.PI * 300 * i) / 16_000),
  );

const settled = (gainDb: number) => {
  const volume = new Volume();
  volume.set(gainDb);
  volume.apply(tone(100));
  return volume;
};

describe('volume', () => {
  test('leaves sound alone until it is changed', () => {
    const pcm = tone(1000);
    expect(new Volume().apply(pcm)).toBe(pcm);
  });

  test.each([4, 12, -8])('moves ordinary speech by %i dB', (db) => {
    const pcm = tone(2000);
    expect(rmsDb(settled(db).apply(pcm)) - rmsDb(pcm)).toBeCloseTo(db, 1);
    expect(rmsDb(pcm)).toBeCloseTo(rmsDb(tone(2000)), 5);
  });

  test('never cuts peaks off: loud sound gets louder and stays below full scale', () => {
    const loud = settled(12).apply(tone(9000));
    expect(peakDb(loud)).toBeGreaterThan(peakDb(tone(9000)));
    const flat = loud.filter(
      (sample, i) => i > 0 && sample === loud[i - 1] && Math.abs(sample) > 30_000,
    );
    expect(Math.max(...loud)).toBeLessThanOrEqual(32_767);
    expect(flat.length).toBeLessThan(loud.length / 10);
  });

  test('changes without a click: no step is larger than the sound itself makes', () => {
    const volume = new Volume();
    const steps = (pcm: Int16Array) =>
      Math.max(...pcm.slice(1).map((sample, i) => Math.abs(sample - (pcm[i] as number))));
    const before = volume.apply(tone(3000));
    volume.set(12);
    const moving = volume.apply(tone(3000));
    const after = volume.apply(tone(3000));
    expect(steps(Int16Array.from([...before, ...moving, ...after]))).toBeLessThanOrEqual(
      steps(after) * 1.05,
    );
  });

  test('comes back to the very same sound', () => {
    const volume = settled(8);
    volume.set(0);
    volume.apply(tone(100));
    const pcm = tone(1000);
    expect(volume.apply(pcm)).toBe(pcm);
  });
});
