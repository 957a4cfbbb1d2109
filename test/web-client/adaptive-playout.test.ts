import { describe, expect, test } from 'vitest';
import { AdaptivePlayout } from '../../src/web-client/adaptive-playout.ts';
import { testSeed } from '../support/effort.ts';
import fc from '../support/properties.ts';
import { type Arrival, playOver, type SpeechPart, speech, tcpArrivals } from './line-model.ts';

const RATE = 8000;
const MS = RATE / 1000;
const BLOCK = 128;

/** Plays this many milliseconds; what sounded, and the marks with the millisecond they were reached in. */
function play(playout: AdaptivePlayout, ms: number) {
  const heard = new Float32Array(Math.ceil((ms * MS) / BLOCK) * BLOCK);
  const marks: string[] = [];
  for (let at = 0; at < heard.length; at += BLOCK) {
    const block = heard.subarray(at, at + BLOCK);
    playout.pull(block, (name) => marks.push(name));
  }
  return { heard, marks };
}

const ramp = (from: number, count: number) =>
  Float32Array.from({ length: count }, (_, i) => (from + i) / 1_000_000);

const sounding = (samples: Float32Array) => [...samples].filter((sample) => sample !== 0);

const create = () => new AdaptivePlayout({ sampleRateHz: RATE });

describe('received audio is played', () => {
  test('in order and once, however it is cut, if all of it is in time', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(700), { maxLength: 40 }), (pieces) => {
        const playout = create();
        let pushed = 0;
        for (const piece of pieces) {
          playout.push(ramp(pushed + 1, piece));
          pushed += piece;
        }
        const { heard } = play(playout, pushed / MS + 200);
        expect(sounding(heard).slice(0, pushed)).toEqual([...ramp(1, pushed)]);
        expect(playout.dropped).toBe(0);
        expect(playout.waiting).toBe(0);
      }),
    );
  });

  test('after 60 ms if it arrives in real time, at once if more has arrived', () => {
    const slow = create();
    slow.push(ramp(1, 20 * MS));
    expect(sounding(play(slow, 48).heard)).toEqual([]);
    expect(sounding(play(slow, 16).heard)).not.toEqual([]);
    const ahead = create();
    ahead.push(ramp(1, 180 * MS));
    expect(play(ahead, 16).heard[0]).toBe(ramp(1, 1)[0]);
  });

  test('at once if the whole of a short word has arrived', () => {
    const playout = create();
    playout.push(ramp(1, 30 * MS));
    playout.mark('m1', true);
    expect(sounding(play(playout, 48).heard)).toHaveLength(30 * MS);
    expect(playout.stats.concealments).toBe(0);
  });

  test('a mark is reached with the last sample before it', () => {
    const playout = create();
    playout.push(ramp(1, 100 * MS));
    playout.mark('a');
    playout.push(ramp(1, 1));
    playout.mark('b');
    expect(play(playout, 96).marks).toEqual([]);
    expect(play(playout, 16).marks).toEqual(['a', 'b']);
    playout.mark('c');
    expect(play(playout, 16).marks).toEqual(['c']);
  });

  test('a clear drops what waits, with its marks, and counts from the last clear', () => {
    const playout = create();
    playout.push(ramp(1, 300 * MS));
    playout.mark('a', true);
    play(playout, 96);
    expect(playout.clear()).toBe(96 * MS);
    expect(play(playout, 96)).toEqual({ heard: new Float32Array(96 * MS), marks: [] });
    playout.push(ramp(100, 100 * MS));
    play(playout, 32);
    expect(playout.clear()).toBe(32 * MS);
    expect(playout.stats).toMatchObject({ playedMs: 128, concealedMs: 0 });
  });

  test('what does not fit is dropped and counted', () => {
    const playout = new AdaptivePlayout({ sampleRateHz: RATE, capacitySeconds: 1 });
    playout.push(ramp(1, 1400 * MS));
    expect(playout.dropped).toBe(500 * MS);
    expect(sounding(play(playout, 1000).heard)).toHaveLength(900 * MS + 60 * MS);
  });
});

describe('gaps', () => {
  const tone = (ms: number, hz = 200) =>
    Float32Array.from({ length: ms * MS }, (_, i) => 0.5 * Math.sin((2 * Math.PI * hz * i) / RATE));

  test('are bridged by the last pitch period, fading, and counted once sound goes on', () => {
    const playout = create();
    playout.push(tone(200));
    play(playout, 208);
    const { heard } = play(playout, 192);
    const loudest = (from: number, to: number) =>
      Math.max(...heard.subarray(from * MS, to * MS).map(Math.abs));
    expect(loudest(0, 20)).toBeGreaterThan(0.3);
    expect(loudest(0, 20)).toBeLessThan(0.5);
    expect(loudest(80, 190)).toBe(0);
    expect(playout.stats.concealments).toBe(0);
    playout.push(tone(200));
    play(playout, 96);
    expect(playout.stats).toMatchObject({ concealments: 1, concealedMs: 200 });
  });

  test('do not count after a marked end of speech, however soon the next speech begins', () => {
    const playout = create();
    playout.push(tone(200));
    playout.mark('m1', true);
    play(playout, 400);
    playout.push(tone(200));
    play(playout, 400);
    expect(playout.stats).toMatchObject({ concealments: 0, concealedMs: 0 });
  });

  test('without such marks a long one is the end of speech, a short one is not', () => {
    const playout = create();
    for (const pauseMs of [800, 304]) {
      playout.push(tone(200));
      play(playout, 200 + pauseMs);
    }
    playout.push(tone(200));
    play(playout, 304);
    expect(playout.stats).toMatchObject({ concealments: 1 });
  });

  test('of 2 s and more end the speech; they are counted where its end would have been marked', () => {
    const playout = create();
    playout.push(tone(100));
    playout.mark('m1', true);
    play(playout, 304);
    playout.push(tone(100));
    play(playout, 4000);
    expect(playout.stats).toMatchObject({ concealments: 1, concealedMs: 2000 });
  });

  test('end without a click: the join is crossfaded', () => {
    const playout = create();
    playout.push(tone(200));
    const before = play(playout, 224).heard;
    playout.push(tone(400, 210));
    const after = play(playout, 160).heard;
    const all = [...before, ...after];
    const steps = all.slice(1).map((sample, i) => Math.abs(sample - (all[i] as number)));
    // A sine of 210 Hz at half scale has steps of 0.083 at this rate.
    expect(Math.max(...steps)).toBeLessThan(0.12);
  });
});

/** Twelve seconds of words and pauses, as a reply has them; sent 180 ms ahead, topped up at 80. */
const REPLY = Array.from({ length: 4 }, (): SpeechPart[] => [
  { soundMs: 1300 },
  { pauseMs: 250 },
  { soundMs: 1150 },
  { pauseMs: 300 },
]).flat();

test('cleared but kept, positions begin with what is still to be played, and earlier marks are forgotten', () => {
  const playout = create();
  playout.push(new Float32Array(300 * MS).fill(0.5));
  playout.mark('of the process before');
  const marks: string[] = [];
  playout.pull(new Float32Array(200 * MS), (name) => marks.push(name));
  expect(playout.clear({ keeps: true })).toBe(200 * MS);
  const { waiting } = playout;
  expect(waiting).toBe(100 * MS);
  playout.push(new Float32Array(100 * MS).fill(0.5));
  playout.mark('of this process');
  playout.pull(new Float32Array(waiting + 50 * MS), (name) => marks.push(name));
  expect(playout.clear()).toBe(waiting + 50 * MS);
  expect(marks).toEqual([]);
});

describe('the delay follows the line', () => {
  const seed = testSeed(1);

  function hear(
    arrivals: readonly Arrival[],
    playout = new AdaptivePlayout({ sampleRateHz: RATE }),
  ) {
    return { ...playOver(playout, arrivals, RATE), stats: playout.stats };
  }

  test('on a good line nothing is added, taken or concealed, and the delay stays at 60 ms', () => {
    const line = { delayMs: 20, jitterMs: 5, lossShare: 0, seed };
    const { stats } = hear(tcpArrivals(speech(REPLY, RATE), line, { repeats: 4 }));
    expect(stats).toMatchObject({ concealedMs: 0, stretchedMs: 0, cutMs: 0, delayMs: 60 });
  });

  test.each([
    { name: 'with 3 % loss at most 1 %', jitterMs: 0, most: 0.01 },
    { name: 'with 100 ms of jitter and reordering as well at most 3 %', jitterMs: 100, most: 0.03 },
  ])('$name of the sound is concealed, in the mean of a dozen lines', ({ jitterMs, most }) => {
    const shares = Array.from({ length: 12 }, (_, i) => {
      const line = { delayMs: 40, jitterMs, lossShare: 0.03, seed: seed + i };
      const { stats } = hear(tcpArrivals(speech(REPLY, RATE), line, { repeats: 4 }));
      expect(stats.delayMs).toBeLessThanOrEqual(400);
      return stats.concealedMs / stats.playedMs;
    });
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeLessThan(most);
  });

  test('pauses are stretched when it has to grow, and cut again when the line is good for a while', () => {
    const parts = speech(REPLY, RATE);
    const playout = create();
    const good = { delayMs: 40, jitterMs: 0, lossShare: 0, seed };
    // One stall of 350 ms in the first reply, in the middle of a word.
    const stalled = tcpArrivals(parts, good, { repeats: 1 }).map((arrival) =>
      arrival.atMs > 600 && arrival.atMs < 950 ? { ...arrival, atMs: 950 } : arrival,
    );
    hear(stalled, playout);
    expect(playout.stats.concealments).toBe(1);
    const bad = playout.stats;
    expect(bad.delayMs).toBeGreaterThan(100);
    hear(tcpArrivals(parts, good, { repeats: 8 }), playout);
    expect(playout.stats.delayMs).toBe(60);
    expect(playout.stats.concealments).toBe(1);
  });

  test('no word is lost or cut: except for pauses, what was sent is played', () => {
    const parts = speech(REPLY, RATE);
    const line = { delayMs: 40, jitterMs: 100, lossShare: 0.05, seed };
    const { heard, sent, stats } = hear(tcpArrivals(parts, line, { repeats: 3 }));
    const loud = (samples: Float32Array) => [...samples].filter((s) => Math.abs(s) > 0.2).length;
    // Concealment adds a little sound of its own.
    expect(loud(heard)).toBeGreaterThanOrEqual(loud(sent) * 0.99);
    expect(stats.playedMs + stats.cutMs).toBe(Math.round(sent.length / MS));
  });
});
