import { describe, expect, test } from 'vitest';
import { createBeepDetector } from '../../src/audio/beep-detector.ts';
import { dtmfTone } from '../../src/audio/dtmf-tones.ts';
import { mulaw } from '../../src/audio/g711.ts';
import { holdMusic } from '../../src/audio/hold-music.ts';
import { createResampler } from '../../src/audio/resampler.ts';
import { readTelephoneRecording, recordings } from '../support/recordings.ts';
import { tone } from '../support/tones.ts';

const RATE_HZ = 8000;

/** When beeps were said to have ended, ms. */
function beepsIn(pcm: Int16Array, rateHz = RATE_HZ): number[] {
  const detector = createBeepDetector(rateHz);
  const frame = rateHz / 50;
  const found: number[] = [];
  for (let at = 0; at + frame <= pcm.length; at += frame)
    if (detector.hear(pcm.subarray(at, at + frame))) found.push(((at + frame) * 1000) / rateHz);
  return found;
}

const silence = (ms: number) => new Int16Array(ms * 8);
const join = (...parts: readonly Int16Array[]) =>
  Int16Array.from(parts.flatMap((part) => [...part]));
const telephoned = (pcm: Int16Array) => mulaw.decode(mulaw.encode(pcm));
/** The same noise each time. */
function noise(pcm: Int16Array, rms: number): Int16Array {
  let seed = 1;
  return pcm.map((sample) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return sample + ((seed / 2 ** 32) * 2 - 1) * rms * Math.sqrt(3);
  });
}

describe.each([400, 440, 620, 800, 1000, 1400, 2000])('a beep of %i Hz', (hz) => {
  test.each([160, 200, 500, 1000])('[V2] of %i ms is found as it ends', (ms) => {
    // Not on the frames' grid.
    const line = join(silence(333), tone(hz, ms), silence(500));
    const found = beepsIn(telephoned(line));
    expect(found).toHaveLength(1);
    expect((found[0] ?? 0) - 333 - ms).toBeGreaterThanOrEqual(-20);
    expect((found[0] ?? 0) - 333 - ms).toBeLessThanOrEqual(40);
  });

  test('[V2] is found when soft, on a noisy line, and at other sample rates', () => {
    const soft = tone(hz, 400).map((sample) => sample / 10);
    const line = noise(join(silence(300), soft, silence(300)), 50);
    expect(beepsIn(telephoned(line))).toHaveLength(1);
    const wide = join(new Int16Array(4800), tone(hz, 400, 16_000), new Int16Array(4800));
    expect(beepsIn(wide, 16_000)).toHaveLength(1);
  });
});

test.each(recordings.map(({ file }) => file))('[V2] speech has no beep: %s', (file) => {
  expect(beepsIn(readTelephoneRecording(file))).toEqual([]);
});

test('[V2] music, keys, noise, a whistle and a dial tone have none', () => {
  const { pcm, sampleRateHz } = holdMusic();
  const resampler = createResampler(sampleRateHz, RATE_HZ);
  expect(beepsIn(telephoned(resampler.process(pcm)))).toEqual([]);
  resampler.close();
  for (const key of '0123456789*#') expect(beepsIn(dtmfTone(key, RATE_HZ))).toEqual([]);
  expect(beepsIn(noise(silence(5000), 2000))).toEqual([]);
  const glide = Int16Array.from(
    { length: RATE_HZ },
    (_, i) => 8000 * Math.sin(2 * Math.PI * (600 + (i * 600) / RATE_HZ) * (i / RATE_HZ)),
  );
  expect(beepsIn(join(glide, silence(200)))).toEqual([]);
  expect(beepsIn(join(tone(425, 5000), silence(200)))).toEqual([]);
});
