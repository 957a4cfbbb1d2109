import { expect, test } from 'vitest';
import { muteParts } from '../../src/audio/mute-parts.ts';

const voice = () => new Int16Array(2000).fill(5000);
const how = { at: 0, channels: 2, sampleRateHz: 16_000 } as const;

test('parts are silent on both channels, and the frames beside them stay', () => {
  const pcm = voice();
  muteParts(
    pcm,
    [
      { from: 100, to: 200 },
      { from: 990, to: Number.POSITIVE_INFINITY },
    ],
    { ...how, by: 'silence' },
  );
  expect([pcm[199], pcm[200], pcm[399], pcm[400]]).toEqual([5000, 0, 0, 5000]);
  expect([pcm[1979], pcm[1980], pcm[1999]]).toEqual([5000, 0, 0]);
});

test('a tone goes on from one chunk to the next', () => {
  const whole = voice();
  const parts = [{ from: 0, to: 1000 }];
  muteParts(whole, parts, { ...how, by: 'tone' });
  const halves = [voice().subarray(0, 900), voice().subarray(900)];
  muteParts(halves[0] as Int16Array, parts, { ...how, by: 'tone' });
  muteParts(halves[1] as Int16Array, parts, { ...how, at: 450, by: 'tone' });
  expect([...(halves[0] as Int16Array), ...(halves[1] as Int16Array)]).toEqual([...whole]);
});
