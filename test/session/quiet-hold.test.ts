import { describe, expect, test } from 'vitest';
import { createFramer } from '../../src/audio/framer.ts';
import { QuietHold } from '../../src/session/quiet-hold.ts';
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

function setUp(belowDb: () => number | undefined = () => -50) {
  const passed: Passed[] = [];
  const hold = new QuietHold({
    sampleRateHz: RATE,
    quietBelowDb: belowDb,
    onAudio: (pcm, endedAt) => passed.push({ values: [...pcm], endedAt }),
  });
  // Nothing is known before the first audio.
  hold.hear(frame(0), 0);
  passed.length = 0;
  return { hold, passed };
}

/** All arrays of a real line are used again, so these are too. */
const memory = new Int16Array(FRAME);
const frame = (value: number) => memory.fill(value);
const values = (...frames: readonly number[]) =>
  frames.flatMap((value) => Array(FRAME).fill(value));

describe('silence on its way into a call', () => {
  test('is handed on in pieces of 100 ms, at the time it has', () => {
    const { hold, passed } = setUp();
    for (let n = 1; n <= 12; n++) hold.hear(frame(n), 20 * n);
    expect(passed).toEqual([
      { values: values(1, 2, 3, 4, 5), endedAt: 100 },
      { values: values(6, 7, 8, 9, 10), endedAt: 200 },
    ]);
  });

  test('goes before the sound that follows it, which does not wait', () => {
    const { hold, passed } = setUp();
    hold.hear(frame(QUIET), 20);
    hold.hear(frame(QUIET), 40);
    hold.hear(frame(LOUD), 60);
    expect(passed).toEqual([
      { values: values(QUIET, QUIET), endedAt: 40 },
      { values: values(LOUD), endedAt: 60 },
    ]);
  });

  test('is not held while anything may matter', () => {
    let belowDb: number | undefined;
    const { hold, passed } = setUp(() => belowDb);
    hold.hear(frame(QUIET), 20);
    expect(passed).toHaveLength(1);
    belowDb = -50;
    // What was known then holds for this one still.
    hold.hear(frame(QUIET), 40);
    expect(passed).toHaveLength(2);
    hold.hear(frame(QUIET), 60);
    expect(passed).toHaveLength(2);
  });

  test('has the time of the frame that came soonest', () => {
    const { hold, passed } = setUp();
    for (const [n, lateMs] of [0, 15, 3, 19, 8].entries())
      hold.hear(frame(QUIET), 30 + 20 * n + lateMs);
    expect(passed).toEqual([{ values: values(...Array(5).fill(QUIET)), endedAt: 110 }]);
  });

  test('is not joined over a gap', () => {
    const { hold, passed } = setUp();
    hold.hear(frame(1), 20);
    hold.hear(frame(2), 500);
    expect(passed).toEqual([{ values: values(1), endedAt: 20 }]);
    hold.flush();
    expect(passed.at(-1)).toEqual({ values: values(2), endedAt: 500 });
  });

  test('comes whole in frames of any length', () => {
    const { hold, passed } = setUp();
    const heard: number[] = [];
    let at = 0;
    for (const [n, samples] of [240, 80, 400, 800, 1200, 7, 640].entries()) {
      const pcm = new Int16Array(samples).fill(n);
      heard.push(...pcm);
      at += samples / 8;
      hold.hear(pcm, at);
    }
    hold.flush();
    hold.flush();
    expect(passed.flatMap((piece) => piece.values)).toEqual(heard);
    expect(passed.at(-1)?.endedAt).toBe(at);
  });
});

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
  test.each([0, 8, 40, 250])(
    'is judged frame by frame as if nothing were held, noise %i',
    (noise) => {
      const line = lineOf(file, noise);
      const frames = Array.from({ length: Math.floor(line.length / FRAME) }, (_, n) =>
        line.subarray(n * FRAME, (n + 1) * FRAME),
      );
      const vad = createNetworkVad();
      const direct: number[] = [];
      const unheld = vad.open((probability) => direct.push(probability));
      for (const pcm of frames) unheld.write(pcm);

      const judged: number[] = [];
      const stream = vad.open((probability) => judged.push(probability));
      const framer = createFramer(FRAME, (pcm) => stream.write(pcm));
      let pieces = 0;
      const hold = new QuietHold({
        sampleRateHz: RATE,
        quietBelowDb: () => stream.quietBelowDb,
        onAudio(pcm) {
          pieces++;
          framer.write(pcm);
        },
      });
      for (const [n, pcm] of frames.entries()) hold.hear(pcm, 20 * (n + 1));
      hold.flush();
      expect(judged).toEqual(direct);
      // Of the six seconds of pauses, at the least.
      if (noise < 100) expect(pieces).toBeLessThan(frames.length - 150);
    },
  );
});
