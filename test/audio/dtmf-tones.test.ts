import { expect, test } from 'vitest';
import { DTMF_PAUSE_MS, DTMF_TONE_MS, dtmfTone } from '../../src/audio/dtmf-tones.ts';

const RATE_HZ = 8000;
const TONES_HZ = [697, 770, 852, 941, 1209, 1336, 1477, 1633];

/** Energy at one frequency, as a receiver finds it (Goertzel). */
function energy(pcm: Int16Array, hz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / RATE_HZ);
  let [before, last] = [0, 0];
  for (const sample of pcm) [before, last] = [last, sample + coefficient * last - before];
  return last * last + before * before - coefficient * last * before;
}

test.each([
  ['1', [697, 1209]],
  ['5', [770, 1336]],
  ['9', [852, 1477]],
  ['0', [941, 1336]],
  ['*', [941, 1209]],
  ['#', [941, 1477]],
  ['D', [941, 1633]],
] as const)('key %s is its two tones and no other', (key, expected) => {
  const pcm = dtmfTone(key, RATE_HZ);
  expect(pcm).toHaveLength(((DTMF_TONE_MS + DTMF_PAUSE_MS) * RATE_HZ) / 1000);
  const tone = pcm.subarray(0, (DTMF_TONE_MS * RATE_HZ) / 1000);
  const loudest = TONES_HZ.map((hz) => [hz, energy(tone, hz)] as const).toSorted(
    ([, a], [, b]) => b - a,
  );
  expect(
    loudest
      .slice(0, 2)
      .map(([hz]) => hz)
      .toSorted((a, b) => a - b),
  ).toEqual(expected);
  const [, second = [0, 0], third = [0, 1]] = loudest;
  expect(10 * Math.log10(second[1] / third[1])).toBeGreaterThan(15);
  expect(pcm.subarray(tone.length).every((sample) => sample === 0)).toBe(true);
});

test('anything but a key is silence', () => {
  for (const key of ['x', '', '12'])
    expect(dtmfTone(key, RATE_HZ).every((s) => s === 0)).toBe(true);
});
