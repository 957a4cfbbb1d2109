import { beforeEach, describe, expect, test } from 'vitest';
import type { MediaLeg } from '../../src/ports/media.ts';
import { BackgroundMixer } from '../../src/session/outbound/background-mixer.ts';
import { FarEnd } from '../../src/session/outbound/far-end.ts';
import type { PlayPosition } from '../../src/session/outbound/sent-timeline.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryLeg } from '../support/memory-leg.ts';

const RATE = 16_000;
const BEGIN = 1000;

let clock: ManualClock;

beforeEach(() => {
  clock = new ManualClock(BEGIN);
});

const soundOf = (ms: number, rate = RATE) => new Int16Array((ms * rate) / 1000).fill(1000);

interface Options {
  readonly music?: boolean;
  readonly rate?: number;
  readonly earlier?: MediaLeg['earlierSound'];
}

function setUp({ music = false, rate = RATE, earlier }: Options = {}) {
  const mixer = new BackgroundMixer(rate);
  const loop = { sampleRateHz: rate, pcm: new Int16Array(1000).fill(5) };
  if (music) mixer.play({ loop, gainDb: 0, underSpeechDb: 0 });
  const leg = new MemoryLeg({ clock, sampleRateHz: rate, answers: false });
  const farEnd = new FarEnd(clock, { mixer });
  farEnd.attach(earlier ? Object.assign(leg, { earlierSound: earlier }) : leg);
  const answers: (PlayPosition | undefined)[] = [];
  const clear = () => farEnd.clear(clock.now(), (position) => void answers.push(position));
  const send = (uttId: number, ms: number) =>
    farEnd.send(leg, uttId, 0, soundOf(ms, rate), clock.now());
  return { farEnd, leg, answers, clear, send };
}

describe('a clear', () => {
  test.each([
    ['speech still sounds', 99, { clears: 1, isEmpty: true }],
    ['only background sound is left', 100, { clears: 0, isEmpty: false }],
    ['all has been heard', 160, { clears: 0, isEmpty: true }],
  ])('where %s', async (_what, ms, expected) => {
    const { farEnd, leg, answers, clear, send } = setUp({ music: true });
    send(1, 100);
    farEnd.fillPause(160, clock.now());
    await clock.advance(ms);
    clear();
    expect({ clears: leg.clears.length, isEmpty: farEnd.isEmpty }).toEqual(expected);
    expect(answers).toEqual(expected.clears > 0 ? [] : [undefined]);
    expect(farEnd.positionAt(clock.now())).toBeUndefined();
    expect(farEnd.speechEndAt).toBe(0);
  });

  test('where the far end is away is answered at once, by nobody', () => {
    const { farEnd, leg, answers, clear, send } = setUp();
    send(1, 100);
    farEnd.detach();
    clear();
    expect(answers).toEqual([undefined]);
    expect(leg.clears).toEqual([]);
  });

  test('is answered once, though the far end answers after its time', async () => {
    const { farEnd, answers, clear, send } = setUp();
    send(1, 180);
    await clock.advance(60);
    clear();
    await clock.advance(150);
    farEnd.cleared(60);
    expect(answers).toEqual([undefined]);
  });

  test.each([
    [-500, undefined],
    [-499, 1],
    [0, 500],
    [120, 620],
    // As far as the far end may round.
    [121, 620],
    [121.5, undefined],
  ])('whose answer is %d ms off the clock is believed: %j', async (off, playedMs) => {
    const { farEnd, answers, clear, send } = setUp();
    send(1, 620);
    await clock.advance(500);
    clear();
    farEnd.cleared(500 + off);
    expect(answers).toEqual([playedMs === undefined ? undefined : { uttId: 1, playedMs }]);
  });

  test('is remembered with seven others; the answer to an older one is taken for that of the next', async () => {
    const { farEnd, answers, clear, send } = setUp();
    for (let uttId = 1; uttId <= 9; uttId++) {
      send(uttId, 100);
      await clock.advance(5);
      clear();
    }
    for (let i = 0; i < 9; i++) farEnd.cleared(5);
    expect(answers.map((position) => position?.uttId)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('of eight in a row all are answered', async () => {
    const { farEnd, answers, clear, send } = setUp();
    for (let uttId = 1; uttId <= 8; uttId++) {
      send(uttId, 100);
      await clock.advance(5);
      clear();
    }
    for (let i = 0; i < 8; i++) farEnd.cleared(5);
    expect(answers.map((position) => position?.uttId)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

test.each([
  [BEGIN - 100, true],
  [BEGIN, true],
  [BEGIN + 1, false],
])('sound of an earlier process that is heard until %d is over: %s', (untilMs, isOver) => {
  const { farEnd } = setUp({ earlier: { durationMs: 500, untilMs } });
  expect(farEnd.isEmpty).toBe(isOver);
  expect(farEnd.speechEndAt).toBe(isOver ? 0 : untilMs);
});

describe('the last frame of speech', () => {
  test.each([
    [100, 100],
    [101, 120],
    [119, 120],
    [100.0625, 120],
  ])('of %d ms is filled up to %d ms with background sound', (ms, filledMs) => {
    const { farEnd, leg, send } = setUp({ music: true });
    send(1, ms);
    farEnd.fillFrame(clock.now());
    const samples = leg.sent.reduce((sum, { pcm }) => sum + pcm.length, 0);
    expect((samples * 1000) / RATE).toBe(filledMs);
  });

  test('is not filled for what adding up lengths leaves', () => {
    const { farEnd, leg } = setUp({ music: true, rate: 48_000 });
    // Pieces of a third of a millisecond: a rounding error less than a frame.
    for (let i = 0; i < 60; i++) farEnd.send(leg, 1, 0, new Int16Array(16), clock.now());
    farEnd.fillFrame(clock.now());
    expect(leg.sent).toHaveLength(60);
  });
});
