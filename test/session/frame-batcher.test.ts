import { describe, expect, test } from 'vitest';
import { createFramer } from '../../src/audio/framer.ts';
import { rmsDb } from '../../src/audio/level.ts';
import { FrameBatcher } from '../../src/session/inbound/frame-batcher.ts';
import { rowsOf } from '../support/effort.ts';
import { createNetworkVad } from '../support/network-vad.ts';
import { readTelephoneRecording, recordings } from '../support/recordings.ts';

const RATE = 8000;
const FRAME = 160;
const LOUD = 3000;
const QUIET = 10;

interface Passed {
  readonly values: readonly number[];
  readonly endedAt: number;
}

function setUp(belowDb: () => number | undefined = () => -50, undecidedMs = () => 0) {
  const passed: Passed[] = [];
  const batcher = new FrameBatcher({
    sampleRateHz: RATE,
    quietBelowDb: belowDb,
    undecidedMs,
    onAudio: (pcm, endedAt) => passed.push({ values: [...pcm], endedAt }),
  });
  // Nothing is known before the first audio.
  batcher.write(frame(0), 0);
  passed.length = 0;
  return { batcher, passed };
}

/** All arrays of a real line are used again, so these are too. */
const memory = new Int16Array(FRAME);
const frame = (value: number) => memory.fill(value);
const values = (...frames: readonly number[]) =>
  frames.flatMap((value) => Array(FRAME).fill(value));

describe('silence', () => {
  test('is handed on in pieces of 100 ms, at the time it has', () => {
    const { batcher, passed } = setUp();
    for (let n = 1; n <= 12; n++) batcher.write(frame(n), 20 * n);
    expect(passed).toEqual([
      { values: values(1, 2, 3, 4, 5), endedAt: 100 },
      { values: values(6, 7, 8, 9, 10), endedAt: 200 },
    ]);
  });

  test('goes with the sound that follows it, which does not wait', () => {
    const { batcher, passed } = setUp();
    batcher.write(frame(QUIET), 20);
    batcher.write(frame(QUIET), 40);
    batcher.write(frame(LOUD), 60);
    expect(passed).toEqual([{ values: values(QUIET, QUIET, LOUD), endedAt: 60 }]);
  });

  test('is not held while anything may matter', () => {
    let belowDb: number | undefined;
    const { batcher, passed } = setUp(() => belowDb);
    batcher.write(frame(QUIET), 20);
    expect(passed).toHaveLength(1);
    belowDb = -50;
    // What was known then holds for this one still.
    batcher.write(frame(QUIET), 40);
    expect(passed).toHaveLength(2);
    batcher.write(frame(QUIET), 60);
    expect(passed).toHaveLength(2);
  });

  test('has the time of the frame that came soonest', () => {
    const { batcher, passed } = setUp();
    for (const [n, lateMs] of [0, 15, 3, 19, 8].entries())
      batcher.write(frame(QUIET), 30 + 20 * n + lateMs);
    expect(passed).toEqual([{ values: values(...Array(5).fill(QUIET)), endedAt: 110 }]);
  });

  test('is not joined over a gap', () => {
    const { batcher, passed } = setUp();
    batcher.write(frame(1), 20);
    batcher.write(frame(2), 500);
    expect(passed).toEqual([{ values: values(1), endedAt: 20 }]);
    batcher.flush();
    expect(passed.at(-1)).toEqual({ values: values(2), endedAt: 500 });
  });

  test('comes whole in frames of any length', () => {
    const { batcher, passed } = setUp();
    const heard: number[] = [];
    let at = 0;
    for (const [n, samples] of [240, 80, 400, 800, 1200, 7, 640].entries()) {
      const pcm = new Int16Array(samples).fill(n);
      heard.push(...pcm);
      at += samples / 8;
      batcher.write(pcm, at);
    }
    batcher.flush();
    batcher.flush();
    expect(passed.flatMap((piece) => piece.values)).toEqual(heard);
    expect(passed.at(-1)?.endedAt).toBe(at);
  });
});

describe('a voice on its way into a call', () => {
  test('is handed on when something can be decided by it', () => {
    let undecidedMs = 32;
    const { batcher, passed } = setUp(
      () => undefined,
      () => undecidedMs,
    );
    batcher.write(frame(1), 20);
    expect(passed).toEqual([]);
    undecidedMs = 24;
    batcher.write(frame(2), 40);
    expect(passed).toEqual([{ values: values(1, 2), endedAt: 40 }]);
    batcher.write(frame(3), 60);
    undecidedMs = 20;
    batcher.write(frame(4), 80);
    expect(passed).toHaveLength(2);
    // It completes what is judged by itself.
    batcher.write(frame(5), 100);
    expect(passed.at(-1)).toEqual({ values: values(5), endedAt: 100 });
  });
});

test('more than there is room for is handed on, however much may come', () => {
  const { batcher, passed } = setUp(
    () => undefined,
    () => 500,
  );
  for (let n = 1; n <= 6; n++) batcher.write(frame(n), 20 * n);
  expect(passed).toEqual([{ values: values(1, 2, 3, 4, 5), endedAt: 100 }]);
  batcher.write(new Int16Array(1600), 320);
  expect(passed.map((piece) => piece.values.length / FRAME)).toEqual([5, 1, 10]);
});

interface Judged {
  readonly probability: number;
  readonly at: number;
}

/** A line with a recording on it twice, a pause in between, and noise of this level all along. */
function lineOf(file: string, noise: number): Int16Array {
  const said = readTelephoneRecording(file);
  const pause = new Int16Array(2 * RATE);
  const line = Int16Array.from([...pause, ...said, ...pause, ...said, ...pause]);
  let state = 1;
  return line.map((sample) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return sample + Math.round(((state / 0x7fffffff) * 2 - 1) * noise);
  });
}

describe.each(recordings.map(({ file }) => file))('%s', (file) => {
  // Nothing sent, G.711's own noise, a quiet room, one that is not.
  test.each(rowsOf({ usual: [8, 250], long: [0, 40] }))(
    'is judged as if nothing were held, a voice no later, noise %i',
    (noise) => {
      const line = lineOf(file, noise);
      const frames = Array.from({ length: Math.floor(line.length / FRAME) }, (_, n) =>
        line.subarray(n * FRAME, (n + 1) * FRAME),
      );
      const vad = createNetworkVad();
      let now = 0;
      // Each frame's probability, and when it was told.
      const direct: Judged[] = [];
      const unheld = vad.open((probability) => direct.push({ probability, at: now }));
      for (const [n, pcm] of frames.entries()) {
        now = n;
        unheld.write(pcm);
      }

      const judged: Judged[] = [];
      const stream = vad.open((probability) => judged.push({ probability, at: now }));
      const framer = createFramer(FRAME, (pcm) => stream.write(pcm));
      let pieces = 0;
      const batcher = new FrameBatcher({
        sampleRateHz: RATE,
        quietBelowDb: () => stream.quietBelowDb,
        undecidedMs: () => stream.undecidedMs ?? 0,
        onAudio(pcm) {
          pieces++;
          framer.write(pcm);
        },
      });
      for (const [n, pcm] of frames.entries()) {
        now = n;
        batcher.write(pcm, 20 * (n + 1));
      }
      batcher.flush();
      const probabilities = (all: readonly Judged[]) => all.map(({ probability }) => probability);
      expect(probabilities(judged)).toEqual(probabilities(direct));
      const voiced = (all: readonly Judged[]) => all.filter(({ probability }) => probability > 0);
      expect(voiced(judged)).toEqual(voiced(direct));
      // Of the six seconds of pauses, at the least.
      if (noise < 100) expect(pieces).toBeLessThan(frames.length - 150);
    },
  );
});

test.each([
  [60, 1],
  [61, 2],
])('a pause of %d ms between two frames makes %d batches of them', (ms, batches) => {
  const { batcher, passed } = setUp();
  batcher.write(frame(1), 20);
  batcher.write(frame(2), 20 + ms);
  batcher.flush();
  expect(passed).toHaveLength(batches);
});

test('frames that do not fill a batch evenly are not cut', () => {
  const { batcher, passed } = setUp();
  for (let n = 1; n <= 7; n++) batcher.write(new Int16Array(240).fill(n), 30 * n);
  expect(passed.map(({ values: { length }, endedAt }) => [length, endedAt])).toEqual([
    [720, 90],
    [720, 180],
  ]);
});

test('a frame as loud as a voice may be is not held', () => {
  const { batcher, passed } = setUp(() => rmsDb(frame(QUIET)));
  batcher.write(frame(QUIET), 20);
  expect(passed).toEqual([{ values: values(QUIET), endedAt: 20 }]);
});
