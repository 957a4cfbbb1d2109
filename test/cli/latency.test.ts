import { expect, test } from 'vitest';
import { createNoise } from '../../src/audio/seeded-noise.ts';
import { latencyTable } from '../../src/cli/latency-table.ts';
import { measureTurns } from '../../src/testing/spoken/latency.ts';

/** A speaker track at 8 kHz that sounds in these spans (ms). */
function speaker(...spans: readonly [number, number][]): Int16Array {
  const pcm = new Int16Array(80_000);
  for (const [from, to] of spans) {
    for (let i = from * 8; i < to * 8; i++) pcm[i] = i % 8 < 4 ? 5000 : -5000;
  }
  return pcm;
}

test('an answer counts from the end of speech to its first audible sample', () => {
  const turns = [
    { name: 'a', soundFromMs: 1000, speechFromMs: 1000, speechToMs: 2000 },
    { name: 'b', soundFromMs: 5000, speechFromMs: 5000, speechToMs: 6000 },
    { name: 'c', soundFromMs: 9000, speechFromMs: 9000, speechToMs: 9500 },
  ];
  // A short silence belongs to the answer; the third turn gets none.
  const track = speaker([0, 500], [2430, 3000], [3100, 4000], [6700, 7000]);
  expect(measureTurns(turns, track, 8000)).toEqual([
    { name: 'a', answerMs: 430 },
    { name: 'b', answerMs: 700 },
    { name: 'c' },
  ]);
});

test('an answer before the end of speech is a cut-in', () => {
  const turns = [{ name: 'a', soundFromMs: 1000, speechFromMs: 1000, speechToMs: 3000 }];
  expect(measureTurns(turns, speaker([2400, 5000]), 8000)).toEqual([{ name: 'a', answerMs: -600 }]);
});

test('speaking over an answer measures how soon it fell silent', () => {
  const turns = [{ name: 'a', soundFromMs: 2000, speechFromMs: 2000, speechToMs: 3000 }];
  expect(measureTurns(turns, speaker([1000, 2180], [3500, 4000]), 8000)).toEqual([
    { name: 'a', answerMs: 500, bargeInStopMs: 180 },
  ]);
});

test('background sound under and between speech does not count as an answer', () => {
  const noise = createNoise(7);
  const track = speaker([5430, 7000]).map((sample) => sample + Math.round(300 * noise()));
  const turns = [{ name: 'a', soundFromMs: 4000, speechFromMs: 4000, speechToMs: 5000 }];
  expect(measureTurns(turns, track, 8000)).toEqual([{ name: 'a', answerMs: 430 }]);
});

test('the table shows the measured figures beside those of the service', () => {
  const turns = [
    { name: 'one.wav', answerMs: 400 },
    { name: 'two.wav', answerMs: 612, bargeInStopMs: 150 },
  ];
  const metrics = [
    { turn: 1, endpointMs: 300, totalMs: 380 },
    { turn: 2, endpointMs: 350, modelMs: 420.4, totalMs: 590 },
  ];
  expect(
    latencyTable(turns, metrics)
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/)),
  ).toEqual([
    ['turn', 'recording', 'heard', 'silenced', 'endpoint', 'recogniser', 'model', 'voice', 'total'],
    ['1', 'one.wav', '400 ms', '–', '300 ms', '–', '–', '–', '380 ms'],
    ['2', 'two.wav', '612 ms', '150 ms', '350 ms', '–', '420 ms', '–', '590 ms'],
    ['p50', '612 ms', '150 ms', '350 ms', '–', '420 ms', '–', '590 ms'],
    ['max', '612 ms', '150 ms', '350 ms', '–', '420 ms', '–', '590 ms'],
    [''],
  ]);
});

test('if the service counted other turns, they are listed separately', () => {
  const text = latencyTable([{ name: 'one.wav' }], [{ turn: 1 }, { turn: 2, totalMs: 3 }]);
  expect(text).toContain('no answer');
  expect(text).toContain('The service counted 2 turns');
});

test('a barge-in counts from its first word, not from the noise of its room', () => {
  const turns = [{ name: 'a', soundFromMs: 1000, speechFromMs: 1300, speechToMs: 3000 }];
  expect(measureTurns(turns, speaker([0, 1500]), 8000)[0]?.bargeInStopMs).toBe(200);
});
