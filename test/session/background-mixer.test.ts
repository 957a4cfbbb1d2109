import { beforeEach, describe, expect, test } from 'vitest';
import { holdMusic } from '../../src/audio/hold-music.ts';
import { rmsDb } from '../../src/audio/level.ts';
import type { SoundLoop } from '../../src/audio/sound-loop.ts';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import {
  BackgroundMixer,
  type BackgroundSound,
} from '../../src/session/outbound/background-mixer.ts';
import { Playout } from '../../src/session/outbound/playout.ts';
import { UtteranceBuffer } from '../../src/session/outbound/utterance-buffer.ts';
import { Ticker } from '../../src/session/ticker.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryLeg } from '../support/memory-leg.ts';

const RATE = 16_000;
/** Every sample tells its place: 1 to 9000, over and over. */
const counting: SoundLoop = {
  sampleRateHz: RATE,
  pcm: Int16Array.from({ length: 9000 }, (_, i) => i + 1),
};
const soundOf = (loop: SoundLoop, underSpeechDb = 0): BackgroundSound => ({
  loop,
  gainDb: 0,
  underSpeechDb,
});

let clock: ManualClock;
let ticker: Ticker;
let events: { readonly at: number; readonly event: CallEvent }[];
let tapped: Int16Array[];

function setUp({ answers = true } = {}) {
  const leg = new MemoryLeg({ clock, answers });
  const background = new BackgroundMixer(RATE);
  const playout = new Playout({
    clock,
    ticker,
    mixer: background,
    emit: (event) => events.push({ at: clock.now(), event }),
    tap: { write: (pcm) => tapped.push(pcm.slice()), erase: () => undefined },
  });
  leg.onMark = (name) => playout.marked(name);
  leg.onCleared = (playedMs) => playout.cleared(playedMs);
  playout.attach(leg);
  const play = (sound: BackgroundSound | undefined) => {
    background.play(sound);
    playout.refresh();
  };
  const sent = (from = 0) => Int16Array.from(leg.sent.slice(from).flatMap(({ pcm }) => [...pcm]));
  return { leg, background, playout, play, sent };
}

function utterance(uttId: number, ms: number, sample = 1000): UtteranceBuffer {
  const buffer = new UtteranceBuffer(uttId, RATE);
  buffer.push(new Int16Array(Math.round((ms * RATE) / 1000)).fill(sample));
  buffer.ended = true;
  return buffer;
}

const told = () => events.map(({ event }) => event);
const instants = (type: CallEvent['type']) =>
  events.flatMap(({ at, event }) => (event.type === type ? [at] : []));

beforeEach(() => {
  clock = new ManualClock(1000);
  ticker = new Ticker(clock);
  events = [];
  tapped = [];
});

test('without background sound speech passes through bit for bit, and nothing ticks in its pauses', async () => {
  const { playout, sent } = setUp();
  const noise = Int16Array.from({ length: RATE }, (_, i) => ((i * 7919) % 65_536) - 32_768);
  const speech = new UtteranceBuffer(1, RATE);
  speech.push(noise.slice());
  speech.ended = true;
  playout.start(speech);
  await clock.advance(1500);
  expect(sent()).toEqual(noise);
  expect(ticker.size).toBe(0);
});

describe.each([{ answers: true }, { answers: false }])('marks answered: $answers', (far) => {
  test('fills the pauses without a gap, a little ahead, and tells the machine nothing of it', async () => {
    const { leg, play, sent } = setUp(far);
    play(soundOf(counting));
    await clock.advance(2000);
    expect(leg.maxLeadMs).toBeLessThanOrEqual(60);
    expect(sent().length / RATE).toBeGreaterThanOrEqual(2);
    const steady = sent().subarray(0.2 * RATE);
    for (let i = 1; i < steady.length; i++) {
      const step = (steady[i] as number) - (steady[i - 1] as number);
      expect(step === 1 || step === -8999).toBe(true);
    }
    expect(told()).toEqual([]);
    expect(tapped).toEqual([]);
  });

  test('a word waits 60 ms at the most, and is told, recorded and finished as without background sound', async () => {
    const { leg, playout, play } = setUp(far);
    play(soundOf(counting));
    await clock.advance(1003);
    const started = clock.now();
    playout.start(utterance(1, 510));
    playout.start(utterance(2, 400));
    await clock.advance(2000);

    expect(
      told()
        .map(({ type }) => type)
        .filter((type) => type !== 'play.mark'),
    ).toEqual(['play.started', 'play.finished', 'play.started', 'play.finished']);
    const [first, second] = instants('play.finished').map((at) => at - started) as [number, number];
    expect(first).toBeGreaterThanOrEqual(510);
    expect(first).toBeLessThan(510 + 60 + 130);
    expect(second).toBeGreaterThanOrEqual(910);
    expect(second).toBeLessThan(910 + 60 + 20 + 130);
    expect(leg.maxLeadMs).toBeLessThanOrEqual(200);
    const recorded = Int16Array.from(tapped.flatMap((pcm) => [...pcm]));
    expect(recorded).toEqual(new Int16Array(0.91 * RATE).fill(1000));
  });

  test('speech goes out in whole frames, its last one filled up by the background sound', async () => {
    const { leg, playout, play } = setUp(far);
    play(soundOf(counting));
    playout.start(utterance(1, 513.5));
    await clock.advance(1000);
    const total = leg.sent.reduce((sum, { pcm }) => sum + pcm.length, 0);
    expect(total % (RATE / 50)).toBe(0);
  });

  test('[B10] a clear drops the speech, tells what was heard of it, and the background sound goes on where it was', async () => {
    const { leg, playout, play } = setUp(far);
    play(soundOf(counting));
    await clock.advance(500);
    playout.start(utterance(1, 3000, 0));
    await clock.advance(735);
    const dropped = leg.soundingMs;
    const sentBefore = leg.sent.length;
    const all = leg.sent.flatMap(({ pcm }) => [...pcm]);
    playout.clear();
    // Where the ear was, the background sound goes on at once.
    const heard = all.length - Math.round((dropped * RATE) / 1000);
    expect(leg.sent[sentBefore]?.pcm[0]).toBe(all[heard]);
    expect(leg.soundingMs).toBeGreaterThan(0);
    await clock.advance(300);
    const cleared = told().find(({ type }) => type === 'play.cleared') as { playedMs: number };
    expect(cleared.playedMs).toBeGreaterThan(735 - 61);
    expect(cleared.playedMs).toBeLessThanOrEqual(736);
  });

  test('a clear with nothing but background sound to drop leaves it alone', async () => {
    const { leg, playout, play } = setUp(far);
    play(soundOf(counting));
    playout.start(utterance(1, 300));
    await clock.advance(1000);
    playout.clear();
    playout.start(utterance(2, 300));
    await clock.advance(1000);
    expect(leg.clears).toEqual([]);
    expect(told().filter(({ type }) => type === 'play.finished')).toHaveLength(2);
  });

  test('[B2] a hold stops the speech and not the background sound; a release goes on from the held place', async () => {
    const { leg, playout, play } = setUp(far);
    play(soundOf(counting));
    playout.start(utterance(1, 1000));
    await clock.advance(410);
    playout.hold();
    await clock.advance(600);
    const held = told().find(({ type }) => type === 'play.held') as { playedMs: number };
    expect(held.playedMs).toBeGreaterThan(340);
    expect(held.playedMs).toBeLessThanOrEqual(411);
    expect(leg.soundingMs).toBeGreaterThan(0);
    playout.release();
    await clock.advance(1200);
    const recorded = tapped.reduce((sum, pcm) => sum + pcm.length, 0);
    expect(recorded / RATE).toBeGreaterThanOrEqual(1);
    expect(told().filter(({ type }) => type === 'play.finished')).toHaveLength(1);
  });
});

test('a leg that comes back hears the background sound go on', async () => {
  const { leg, playout, play } = setUp();
  play(soundOf(counting));
  await clock.advance(1000);
  leg.break();
  playout.detach();
  await clock.advance(500);
  const before = leg.sent.length;
  playout.attach(leg);
  await clock.advance(100);
  expect(leg.sent.length).toBeGreaterThan(before);
});

test('hold music sinks below what is said, and comes back after it, without a step', async () => {
  const { playout, play, sent } = setUp();
  const music = holdMusic();
  play(soundOf(music, -16));
  await clock.advance(2000);
  playout.start(utterance(1, 2000, 0));
  await clock.advance(4000);
  const heard = sent();
  const pauseDb = rmsDb(music.pcm.subarray(0.5 * RATE, 2 * RATE));
  expect(rmsDb(heard.subarray(0.5 * RATE, 2 * RATE))).toBeCloseTo(pauseDb, 1);
  const under = rmsDb(heard.subarray(2.5 * RATE, 3.9 * RATE));
  const wouldBe = rmsDb(music.pcm.subarray(2.5 * RATE, 3.9 * RATE));
  expect(under - wouldBe).toBeCloseTo(-16, 0);
  const after = rmsDb(heard.subarray(4.5 * RATE, 5.5 * RATE));
  expect(after).toBeCloseTo(rmsDb(music.pcm.subarray(4.5 * RATE, 5.5 * RATE)), 1);
  let step = 0;
  for (let i = 1; i < heard.length; i++) {
    step = Math.max(step, Math.abs((heard[i] as number) - (heard[i - 1] as number)));
  }
  let own = 0;
  for (let i = 1; i < music.pcm.length; i++) {
    own = Math.max(own, Math.abs((music.pcm[i] as number) - (music.pcm[i - 1] as number)));
  }
  expect(step).toBeLessThanOrEqual(own + 2);
});

test('a sound that is turned off fades out, and then nothing ticks', async () => {
  const { leg, background, play, sent } = setUp();
  const tone: SoundLoop = { sampleRateHz: RATE, pcm: new Int16Array(8000).fill(8000) };
  play(soundOf(tone));
  await clock.advance(1000);
  play(undefined);
  await clock.advance(1000);
  expect(background.isOn).toBe(false);
  expect(ticker.size).toBe(0);
  expect(leg.soundingMs).toBe(0);
  const heard = sent();
  expect(heard.at(-1)).toBeLessThan(20);
  for (let i = 1; i < heard.length; i++) {
    expect(Math.abs((heard[i] as number) - (heard[i - 1] as number))).toBeLessThan(10);
  }
});
