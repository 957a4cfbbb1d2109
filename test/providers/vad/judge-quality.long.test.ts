import { describe, expect, test } from 'vitest';
import { createNetworkVad } from '../../support/network-vad.ts';
import { recordings } from '../../support/recordings.ts';
import {
  areaUnderCurve,
  byTruth,
  type Disturbance,
  hear,
  onTheLine,
} from '../../support/vad-measure.ts';

const vad = createNetworkVad();
const SEEDS = [1, 2, 3];

function heardUnder(noise: Disturbance) {
  return SEEDS.flatMap((seed) =>
    recordings.map((recording, n) => {
      const line = onTheLine(recording, noise, 100 * seed + n);
      return { line, recording, heard: hear(vad, line) };
    }),
  );
}

const p95 = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(0.95 * values.length)];

describe.each([
  { kind: 'pink', snrDb: 5 },
  { kind: 'line', snrDb: 5 },
  { kind: 'clean', snrDb: 0 },
] as const)('8 kHz µ-law, $kind noise at $snrDb dB', (noise) => {
  const all = heardUnder(noise);

  test('speech and noise are told apart: area under the curve at least 0.95', () => {
    const frames = all.map(({ line, heard }) => byTruth(line, heard));
    const speech = frames.flatMap((part) => part.speech);
    const other = frames.flatMap((part) => part.other);
    expect(other.length).toBeGreaterThan(1000);
    expect(areaUnderCurve(speech, other)).toBeGreaterThan(0.95);
  });

  test('every utterance is found, within 120 ms of its onset in 95 of 100', () => {
    const lags = all.map(({ recording, heard }) => {
      const { speechStartMs, voiceStartMs = speechStartMs, speechEndMs } = recording;
      const start = heard.starts.find(
        ({ atMs }) => atMs > speechStartMs - 100 && atMs < speechEndMs,
      );
      return start ? start.atMs - voiceStartMs : Number.POSITIVE_INFINITY;
    });
    expect(p95(lags)).toBeLessThanOrEqual(120);
    expect(Math.max(...lags)).toBeLessThan(400);
  });

  test('the noise before and after starts as good as nothing', () => {
    const outside = all.flatMap(({ recording, heard }) =>
      heard.starts.filter(
        ({ atMs }) => atMs < recording.speechStartMs - 100 || atMs > recording.speechEndMs + 100,
      ),
    );
    expect(outside.length / all.length).toBeLessThan(0.03);
  });
});

test('the end of what was said is told where it is: half of them within 50 ms', () => {
  const lags = heardUnder({ kind: 'clean', snrDb: 0 }).map(
    ({ recording, heard }) =>
      (heard.ends.at(-1)?.speechEndMs ?? Number.POSITIVE_INFINITY) - recording.speechEndMs,
  );
  const sorted = lags.toSorted((a, b) => a - b);
  expect(sorted[0]).toBeGreaterThan(-100);
  expect(sorted[sorted.length >> 1]).toBeLessThanOrEqual(50);
});

test('a line on which nothing is sent costs nothing', () => {
  const before = vad.asked();
  const silent = vad.open((probability) => expect(probability).toBe(0));
  for (let n = 0; n < 500; n++) silent.write(new Int16Array(160));
  silent.close();
  // It takes a moment until silence is believed.
  expect(vad.asked() - before).toBeLessThan(20);
});
