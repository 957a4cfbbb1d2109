import { beforeEach, describe, expect, test } from 'vitest';
import { Volume } from '../../src/audio/volume.ts';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import type { MediaLeg } from '../../src/ports/media.ts';
import { Playout } from '../../src/session/outbound/playout.ts';
import { UtteranceBuffer } from '../../src/session/outbound/utterance-buffer.ts';
import { Ticker } from '../../src/session/ticker.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryLeg } from '../support/memory-leg.ts';

const RATE = 16_000;

let clock: ManualClock;
let ticker: Ticker;
let events: { at: number; event: CallEvent }[];
let erased: number[];

function setUp(answers = true, farEnd: Partial<MediaLeg> = {}) {
  const leg = Object.assign(new MemoryLeg({ clock, answers }), farEnd);
  const playout = new Playout({
    clock,
    ticker,
    emit: (event) => events.push({ at: clock.now(), event }),
    tap: { write: () => undefined, erase: (fromMs) => erased.push(fromMs) },
  });
  leg.onMark = (name) => playout.marked(name);
  leg.onCleared = (playedMs) => playout.cleared(playedMs);
  playout.attach(leg);
  return { leg, playout };
}

function utterance(uttId: number, ms: number): UtteranceBuffer {
  const buffer = new UtteranceBuffer(uttId, RATE);
  buffer.push(new Int16Array((ms * RATE) / 1000).fill(1000 + uttId));
  buffer.ended = true;
  return buffer;
}

type PlayEvent = Extract<CallEvent, { uttId: number; type: `play.${string}` }>;

const named = (type: PlayEvent['type']) =>
  events.flatMap(({ at, event }) =>
    event.type === type ? [{ uttId: event.uttId, at, playedMs: playedMsOf(event) }] : [],
  );

function playedMsOf(event: PlayEvent): number {
  return 'playedMs' in event ? event.playedMs : Number.NaN;
}

beforeEach(() => {
  clock = new ManualClock(1000);
  ticker = new Ticker(clock);
  events = [];
  erased = [];
});

describe.each([
  { name: 'a far end that answers marks', answers: true },
  { name: 'a far end that never answers', answers: false },
])('playout to $name', ({ answers }) => {
  test('plays in order without a gap, never 200 ms ahead, and finishes each utterance once', async () => {
    const { leg, playout } = setUp(answers);
    playout.start(utterance(1, 1000));
    playout.start(utterance(2, 500));
    await clock.advance(2000);

    expect(named('play.started').map((event) => event.uttId)).toEqual([1, 2]);
    expect(named('play.finished').map((event) => event.uttId)).toEqual([1, 2]);
    const finished = named('play.finished').map((event) => event.at - 1000);
    expect(finished[0]).toBeGreaterThanOrEqual(1000);
    expect(finished[0]).toBeLessThan(1130);
    expect(finished[1]).toBeGreaterThanOrEqual(1500);
    expect(finished[1]).toBeLessThan(1630);
    expect(leg.maxLeadMs).toBeLessThanOrEqual(200);
    const samples = leg.sent.flatMap(({ pcm }) => [...pcm]);
    expect(samples.length).toBe(1.5 * RATE);
    expect(samples.indexOf(1002)).toBe(RATE);
    expect(ticker.size).toBe(0);
  });

  test('[B10] a clear silences the far end at once and says what was heard', async () => {
    const { leg, playout } = setUp(answers);
    playout.start(utterance(1, 2000));
    await clock.advance(730);
    playout.clear();
    expect(leg.soundingMs).toBe(0);
    await clock.advance(200);

    const [cleared] = named('play.cleared');
    expect(cleared?.uttId).toBe(1);
    expect(Math.abs((cleared?.playedMs ?? 0) - 730)).toBeLessThanOrEqual(1);
    expect(named('play.finished')).toEqual([]);
    expect(erased).toEqual([1730]);
    expect(ticker.size).toBe(0);
  });

  test.each([
    {
      words: [
        [0, 500],
        [600, 900],
      ],
      untilMs: 500,
      what: 'the word that is being sent',
    },
    { words: [], untilMs: 1000, what: 'an utterance without word times' },
  ])('a pause lets $what end, and tells where that was', async ({ words, untilMs }) => {
    const { leg, playout } = setUp(answers);
    const paused = utterance(1, 1000);
    for (const [startMs = 0, endMs = 0] of words)
      paused.words.push({ word: 'word', startMs, endMs });
    playout.start(paused);
    playout.start(utterance(2, 500));
    await clock.advance(210);
    playout.pause();
    expect(playout.hasPaused()).toBe(false);
    await clock.advance(1200);
    expect(playout.hasPaused()).toBe(true);
    const sent = () => leg.sent.reduce((sum, { pcm }) => sum + pcm.length, 0) / RATE;
    expect(sent()).toBeCloseTo(untilMs / 1000, 2);
    if (untilMs === 1000) expect(named('play.finished')).toMatchObject([{ uttId: 1 }]);
    else expect(named('play.mark').at(-1)).toMatchObject({ uttId: 1, playedMs: untilMs });

    playout.unpause();
    await clock.advance(2000);
    expect(sent()).toBe(1.5);
    expect(named('play.finished').map(({ uttId }) => uttId)).toEqual([1, 2]);
  });

  test('to a far end that plays on while the call moves, the words are sent that it can play meanwhile', async () => {
    const { leg, playout } = setUp(answers, { playsOn: true });
    const first = utterance(1, 400);
    const next = utterance(2, 1000);
    for (const [startMs = 0, endMs = 0] of [
      [0, 180],
      [200, 380],
      [400, 700],
    ])
      next.words.push({ word: 'word', startMs, endMs });
    playout.start(first);
    playout.start(next);
    await clock.advance(210);
    playout.pause();
    const sent = () => leg.sent.reduce((sum, { pcm }) => sum + pcm.length, 0) / RATE;
    expect(sent()).toBe(0.78);
    expect(playout.hasPaused()).toBe(true);
    expect(named('play.finished')).toMatchObject([{ uttId: 1 }]);
    expect(named('play.mark').at(-1)).toMatchObject({ uttId: 2, playedMs: 380 });
    playout.leave();
    expect(leg.clears).toEqual([]);
  });

  test('a far end that plays on drops what the machine does not count as heard', async () => {
    const { leg, playout } = setUp(answers, { playsOn: true });
    playout.start(utterance(1, 1000));
    await clock.advance(210);
    playout.leave();
    expect(leg.clears).toHaveLength(1);
  });

  test('speech of an earlier process is heard first, and dropped with what follows it', async () => {
    const earlierSound = { durationMs: 500, untilMs: clock.now() + 300 };
    const { leg, playout } = setUp(answers, { earlierSound });
    playout.start(utterance(1, 1000));
    expect(leg.sent).toEqual([]);
    await clock.advance(230);
    expect(leg.sent).not.toEqual([]);
    playout.clear();
    expect(leg.clears).toHaveLength(1);
    await clock.advance(200);
    expect(named('play.cleared')).toMatchObject([{ uttId: 1, playedMs: 0 }]);
  });

  test('[B2] a hold pauses, [B6] a release goes on from the held place and loses nothing', async () => {
    const { leg, playout } = setUp(answers);
    playout.start(utterance(1, 1000));
    await clock.advance(410);
    playout.hold();
    await clock.advance(600);
    expect(leg.soundingMs).toBe(0);
    const [held] = named('play.held');
    expect(Math.abs((held?.playedMs ?? 0) - 410)).toBeLessThanOrEqual(1);

    const before = leg.sent.length;
    playout.release();
    await clock.advance(1000);
    const after = leg.sent.slice(before).reduce((sum, { pcm }) => sum + pcm.length, 0);
    expect(after / RATE).toBeCloseTo(0.59, 2);
    expect(named('play.finished')).toHaveLength(1);
    expect((named('play.finished')[0]?.at ?? 0) - 2010).toBeGreaterThanOrEqual(590);
  });

  test('[H1] a clear while held tells the held place', async () => {
    const { playout } = setUp(answers);
    playout.start(utterance(1, 1000));
    await clock.advance(410);
    playout.hold();
    await clock.advance(300);
    playout.clear();
    await clock.advance(200);
    expect(named('play.cleared')[0]).toMatchObject({ uttId: 1, playedMs: 410 });
  });
});

test('a far end that never answers has played what was sent a tenth of a second ago, to the last utterance', async () => {
  const { playout } = setUp(false);
  playout.start(utterance(1, 1000));
  playout.start(utterance(2, 500));
  await clock.advance(2000);
  expect(named('play.finished').map(({ at }) => at - 1000)).toEqual([1100, 1600]);
});

test('a far end that never answers is not done while the voice may go on', async () => {
  const { playout } = setUp(false);
  const speech = utterance(1, 300);
  speech.ended = false;
  playout.start(speech);
  await clock.advance(1000);
  expect(named('play.finished')).toEqual([]);
  speech.ended = true;
  playout.nudge();
  await clock.advance(100);
  expect(named('play.finished')).toHaveLength(1);
});

test('[B2] a hold waits for the end of the word when it is near', async () => {
  const { playout } = setUp();
  const speech = utterance(1, 1000);
  speech.words.push(
    { word: 'one', startMs: 0, endMs: 300 },
    { word: 'two', startMs: 320, endMs: 430 },
  );
  playout.start(speech);
  await clock.advance(400);
  playout.hold();
  expect(named('play.held')).toEqual([]);
  await clock.advance(100);
  const [held] = named('play.held');
  expect(held?.playedMs).toBeGreaterThanOrEqual(430);
  expect(held?.playedMs).toBeLessThanOrEqual(450);
});

test.each([
  [600, 0.6],
  // Who heard more of a word has understood it.
  [601, 0],
])(
  '[B6] a word of which %d ms were heard before the hold is said again by %d s',
  async (heardMs, again) => {
    const { leg, playout } = setUp();
    const speech = utterance(1, 2000);
    speech.words.push({ word: 'one', startMs: 800 - heardMs, endMs: 1900 });
    playout.start(speech);
    await clock.advance(800);
    playout.hold();
    await clock.advance(300);
    expect(named('play.held')[0]?.playedMs).toBe(800);
    const before = leg.sent.length;
    playout.release();
    await clock.advance(3000);
    const after = leg.sent.slice(before).reduce((sum, { pcm }) => sum + pcm.length, 0);
    expect(after / RATE).toBeCloseTo(1.2 + again, 2);
  },
);

test('[B6] a word that the hold cut in two is said again from its beginning', async () => {
  const { leg, playout } = setUp();
  const speech = utterance(1, 1000);
  speech.words.push(
    { word: 'one', startMs: 0, endMs: 300 },
    { word: 'two', startMs: 320, endMs: 900 },
  );
  playout.start(speech);
  await clock.advance(500);
  playout.hold();
  await clock.advance(300);
  expect(named('play.held')[0]?.playedMs).toBe(500);
  const before = leg.sent.length;
  playout.release();
  await clock.advance(1000);
  const after = leg.sent.slice(before).reduce((sum, { pcm }) => sum + pcm.length, 0);
  expect(after / RATE).toBeCloseTo(0.68, 2);
});

test('a voice slower than speech: playing goes on when audio comes, and the end is the true end', async () => {
  const { leg, playout } = setUp();
  const speech = new UtteranceBuffer(1, RATE);
  playout.start(speech);
  expect(named('play.started')).toEqual([]);
  speech.push(new Int16Array(RATE / 10).fill(1));
  playout.nudge();
  expect(named('play.started')).toHaveLength(1);
  await clock.advance(500);
  expect(named('play.finished')).toEqual([]);
  speech.push(new Int16Array(RATE / 10).fill(2));
  speech.ended = true;
  playout.nudge();
  await clock.advance(300);
  expect(named('play.finished')).toHaveLength(1);
  expect(leg.sent.reduce((sum, { pcm }) => sum + pcm.length, 0)).toBe(RATE / 5);
});

test('[E6] an utterance without any audio finishes without having started', async () => {
  const { playout } = setUp();
  playout.start(utterance(1, 0));
  playout.start(utterance(2, 100));
  await clock.advance(400);
  expect(named('play.started').map((event) => event.uttId)).toEqual([2]);
  expect(named('play.finished').map((event) => event.uttId)).toEqual([1, 2]);
});

test('a leg that broke and came back hears again what it had not played', async () => {
  const { playout } = setUp();
  playout.start(utterance(1, 1000));
  await clock.advance(500);
  playout.detach();
  await clock.advance(3000);
  const again = new MemoryLeg({ clock });
  again.onMark = (name) => playout.marked(name);
  playout.attach(again);
  await clock.advance(700);
  expect(again.sent.reduce((sum, { pcm }) => sum + pcm.length, 0) / RATE).toBeCloseTo(0.5, 2);
  expect(named('play.finished')).toHaveLength(1);
});

test('[H1] a count that goes on over a reply that was cleared after its end is still understood', async () => {
  const { leg, playout } = setUp();
  const first = new UtteranceBuffer(1, RATE);
  first.push(new Int16Array(RATE / 2).fill(1));
  playout.start(first);
  await clock.advance(900);
  playout.clear();
  await clock.advance(300);
  playout.start(utterance(2, 2000));
  await clock.advance(600);
  // The far end played 60 ms less than the clock says.
  leg.onCleared = () => playout.cleared(500 + 540);
  playout.clear();
  await clock.advance(200);
  expect(named('play.cleared').at(-1)).toMatchObject({ uttId: 2, playedMs: 540 });
});

test('a far end that counts nonsense is not believed', async () => {
  const { playout } = setUp(false);
  playout.start(utterance(1, 2000));
  await clock.advance(600);
  playout.clear();
  playout.cleared(999_999);
  await clock.advance(200);
  expect(named('play.cleared')).toHaveLength(1);
  expect(named('play.cleared')[0]?.playedMs).toBe(600);
});

test('a clear with nothing playing says nothing', async () => {
  const { leg, playout } = setUp();
  playout.clear();
  await clock.advance(300);
  expect(events).toEqual([]);
  expect(leg.clears).toEqual([]);
});

test('a change of volume is heard in what is sent next, and in nothing that was sent', async () => {
  const leg = new MemoryLeg({ clock });
  const volume = new Volume();
  const playout = new Playout({ clock, ticker, emit: () => undefined, volume });
  leg.onMark = (name) => playout.marked(name);
  playout.attach(leg);
  playout.start(utterance(1, 1000));
  await clock.advance(300);
  volume.set(12);
  const before = leg.sent.length;
  await clock.advance(1000);
  const levels = leg.sent.map(({ pcm }) => pcm.at(-1) ?? 0);
  expect(new Set(levels.slice(0, before))).toEqual(new Set([1001]));
  expect(levels.at(-1)).toBeCloseTo(1001 * 10 ** (12 / 20), -1);
});

test('a far end that has played part of an earlier process’s speech is believed about what it played of ours', async () => {
  const earlierSound = { durationMs: 500, untilMs: clock.now() + 300 };
  const { playout } = setUp(false, { earlierSound });
  playout.start(utterance(1, 1000));
  // 300 ms of the earlier speech are left, then 410 of ours were due: it is 100 behind.
  await clock.advance(710);
  playout.clear();
  playout.cleared(500 + 310);
  const [cleared] = named('play.cleared');
  expect(cleared).toMatchObject({ uttId: 1 });
  expect(Math.abs((cleared?.playedMs ?? 0) - 310)).toBeLessThanOrEqual(1);
});

describe('a far end that the call leaves', () => {
  test('drops what was sent if it plays on and the machine does not count it; else nothing is asked of it', async () => {
    const stays = setUp(true);
    stays.playout.start(utterance(1, 1000));
    await clock.advance(210);
    stays.playout.leave();
    expect(stays.leg.clears).toEqual([]);
    // What was sent and not yet heard is not in the record of what was heard.
    expect(erased).toEqual([1210]);
  });

  test('a clear that it has not answered is answered by the clock', async () => {
    const { playout } = setUp(false);
    playout.start(utterance(1, 1000));
    await clock.advance(410);
    playout.clear();
    expect(named('play.cleared')).toEqual([]);
    playout.detach();
    expect(named('play.cleared')).toMatchObject([{ uttId: 1, playedMs: 410 }]);
    await clock.advance(500);
    expect(named('play.cleared')).toHaveLength(1);
  });

  test('without an answer to a clear, the clock is believed after 150 ms', async () => {
    const { playout } = setUp(false);
    playout.start(utterance(1, 1000));
    await clock.advance(410);
    playout.clear();
    await clock.advance(149);
    expect(named('play.cleared')).toEqual([]);
    await clock.advance(1);
    expect(named('play.cleared')).toMatchObject([{ uttId: 1, playedMs: 410 }]);
    // A late answer belongs to that clear, not to the next one.
    playout.start(utterance(2, 1000));
    await clock.advance(300);
    playout.cleared(380);
    playout.clear();
    playout.cleared(250);
    expect(named('play.cleared').at(-1)).toMatchObject({ uttId: 2, playedMs: 250 });
  });

  test.each([
    [499, 111],
    [500, 610],
    [-500, 610],
  ])(
    'one that differs from the clock by %d ms is believed up to half a second',
    async (off, playedMs) => {
      const { playout } = setUp(false);
      playout.start(utterance(1, 2000));
      await clock.advance(610);
      playout.clear();
      playout.cleared(610 - off);
      await clock.advance(200);
      expect(named('play.cleared')).toMatchObject([{ uttId: 1, playedMs }]);
    },
  );

  test('one that claims to have played more than it got is not believed', async () => {
    const { playout } = setUp(false);
    playout.start(utterance(1, 2000));
    await clock.advance(600);
    playout.clear();
    playout.cleared(790);
    await clock.advance(200);
    expect(named('play.cleared')).toMatchObject([{ playedMs: 600 }]);
  });
});

test('after a hold the far end tells better than the clock where it was', async () => {
  const { leg, playout } = setUp(false);
  playout.start(utterance(1, 1000));
  await clock.advance(500);
  playout.hold();
  // It is 80 ms behind.
  playout.cleared(420);
  const before = leg.sent.length;
  playout.release();
  await clock.advance(2000);
  const after = leg.sent.slice(before).reduce((sum, { pcm }) => sum + pcm.length, 0);
  expect(after / RATE).toBeCloseTo(0.58, 2);
});

test('a hold with nothing to play tells nothing, and one before the first sound tells its beginning', async () => {
  const { playout } = setUp();
  playout.hold();
  expect(events).toEqual([]);
  playout.release();
  playout.hold();
  playout.hold();
  playout.start(utterance(1, 500));
  await clock.advance(1000);
  expect(events).toEqual([]);
  playout.release();
  await clock.advance(1000);
  expect(named('play.finished')).toHaveLength(1);

  const slow = new UtteranceBuffer(2, RATE);
  playout.start(slow);
  playout.hold();
  expect(named('play.held')).toMatchObject([{ uttId: 2, playedMs: 0 }]);
});

test('a playout that holds keeps no beat, and one that is closed neither', async () => {
  const { playout } = setUp();
  playout.start(utterance(1, 1000));
  await clock.advance(300);
  playout.hold();
  await clock.advance(300);
  expect(ticker.size).toBe(0);
  playout.release();
  expect(ticker.size).toBe(1);
  playout.close();
  expect(ticker.size).toBe(0);
  const count = events.length;
  await clock.advance(2000);
  expect(events).toHaveLength(count);
});

test('a far end that is away is sent nothing until it is back', async () => {
  const { leg, playout } = setUp();
  playout.start(utterance(1, 1000));
  await clock.advance(300);
  playout.detach();
  expect(ticker.size).toBe(0);
  const sent = leg.sent.length;
  playout.start(utterance(2, 500));
  playout.nudge();
  playout.refresh();
  await clock.advance(1000);
  expect(leg.sent).toHaveLength(sent);
  expect(named('play.finished')).toEqual([]);
});
