import { expect, test } from 'vitest';
import { UtteranceBuffer } from '../../src/session/outbound/utterance-buffer.ts';
import { playoutRig, soundOf, speechOf } from '../support/playout-rig.ts';

test('what a mark tells is where the far end is when it answers', async () => {
  const { clock, playout, told } = playoutRig(true);
  playout.start(speechOf(1, 2000));
  await clock.advance(2500);
  const marks = told('play.mark');
  expect(marks.map(({ playedMs }) => playedMs)).toEqual([180, 580, 980, 1380, 1780]);
  expect(marks.map(({ at }) => at)).toEqual(marks.map(({ playedMs }) => playedMs));
});

test('the far end is told which mark ends an utterance; one without audio has none', async () => {
  const { clock, playout, asked } = playoutRig(true);
  playout.start(speechOf(1, 100));
  playout.start(speechOf(2, 0));
  playout.start(speechOf(3, 100));
  await clock.advance(500);
  expect(asked.map(({ end }) => end)).toEqual([false, true, false, true]);
});

test('after a pause the next words are sent at once', async () => {
  const { clock, playout, sentMs } = playoutRig(true);
  playout.start(
    speechOf(1, 1000, [
      [0, 200],
      [300, 900],
    ]),
  );
  await clock.advance(50);
  playout.pause();
  await clock.advance(1000);
  expect(sentMs()).toBe(200);
  playout.unpause();
  expect(sentMs()).toBeGreaterThan(200);
});

test('[B2] a word that ends on a beat is not played beyond its end', async () => {
  const { clock, playout, told } = playoutRig(true);
  playout.start(speechOf(1, 1000, [[0, 440]]));
  await clock.advance(410);
  playout.hold();
  await clock.advance(100);
  expect(told('play.held')).toEqual([{ uttId: 1, at: 440, playedMs: 440 }]);
});

test('a late voice is sent before the next beat only where the far end is about to run dry', async () => {
  const { clock, playout, sentMs } = playoutRig(true);
  const speech = new UtteranceBuffer(1, 16_000);
  speech.push(soundOf(100));
  playout.start(speech);
  await clock.advance(80);
  speech.push(soundOf(100));
  playout.nudge();
  expect(sentMs()).toBe(100);
  await clock.advance(1);
  playout.nudge();
  expect(sentMs()).toBe(200);
});

test('an utterance that follows a clear is told to have started as its first sound is sent', async () => {
  const { clock, playout, told } = playoutRig(true);
  playout.start(speechOf(1, 1000));
  await clock.advance(300);
  playout.clear();
  playout.start(speechOf(2, 1000));
  expect(told('play.started').map(({ uttId }) => uttId)).toEqual([1, 2]);
});

test('marks that a far end hands back with what it drops do not make it one that answers', async () => {
  const { clock, playout, told, asked } = playoutRig(false);
  playout.start(speechOf(1, 1000));
  await clock.advance(50);
  playout.clear();
  for (const { name } of asked) playout.marked(name);
  playout.start(speechOf(2, 300));
  await clock.advance(1000);
  expect(told('play.finished').map(({ uttId }) => uttId)).toEqual([2]);
});

test('a clear of an utterance of which nothing was heard or sent tells nothing of it', () => {
  const { playout, events, leg } = playoutRig(true);
  playout.start(new UtteranceBuffer(1, 16_000));
  playout.clear();
  expect(events).toEqual([]);
  expect(leg.clears).toEqual([]);
});

test.each([
  [199, 1],
  [200, 0],
])('a clear %d ms into 200 ms of speech of an earlier process drops it: %d', async (ms, clears) => {
  const { clock, playout, leg } = playoutRig(true, {
    earlierSound: { durationMs: 500, untilMs: 1200 },
  });
  await clock.advance(ms);
  playout.clear();
  expect(leg.clears).toHaveLength(clears);
});

test('what is held, cleared or closed lets go of the beat at once, and a closed one waits for no answer', async () => {
  const { clock, ticker, playout, told } = playoutRig(false);
  playout.start(speechOf(1, 1000));
  await clock.advance(300);
  playout.hold();
  expect(ticker.size).toBe(0);
  playout.release();
  expect(ticker.size).toBe(1);
  await clock.advance(300);
  playout.clear();
  expect(ticker.size).toBe(0);
  playout.close();
  expect(told('play.cleared')).toHaveLength(1);
  expect(clock.nextDueAt()).toBeUndefined();
});

test('where a far end never answers, the clock tells each word a tenth of a second after it was due', async () => {
  const { clock, playout, told } = playoutRig(false);
  playout.start(speechOf(1, 1000));
  await clock.advance(1500);
  expect(told('play.mark').map(({ at, playedMs }) => [at, playedMs])).toEqual([
    [500, 400],
    [900, 800],
  ]);
});

test('a hold just as the last word ends still takes the answer to its mark', async () => {
  const { clock, playout, told, asked } = playoutRig(false);
  playout.start(speechOf(1, 300));
  await clock.advance(300);
  playout.hold();
  playout.marked(asked.at(-1)?.name ?? '');
  expect(told('play.finished')).toHaveLength(1);
});

test('marks that a far end hands back at a hold are of sound that it has dropped', async () => {
  const { clock, playout, told, asked } = playoutRig(false);
  playout.start(speechOf(1, 500));
  await clock.advance(400);
  playout.hold();
  for (const { name } of asked) playout.marked(name);
  expect(told('play.finished')).toEqual([]);
});

test('a far end that is back at once is sent at once what it had not played', async () => {
  const { clock, playout, sentMs, leg } = playoutRig(true);
  playout.start(speechOf(1, 1000));
  await clock.advance(100);
  const before = sentMs();
  playout.detach();
  leg.break();
  playout.attach(leg);
  expect(sentMs() - before).toBe(180);
});

test('an utterance of a single sample is played', async () => {
  const { clock, playout, told } = playoutRig(true);
  const speech = new UtteranceBuffer(1, 16_000);
  speech.push(new Int16Array(1));
  speech.ended = true;
  playout.start(speech);
  await clock.advance(100);
  expect(told('play.finished')).toHaveLength(1);
});

test.each([
  [440, 440],
  [441, 400],
])('[B2] a hold at 400 ms of a word that ends at %d ms is at %d ms', async (endMs, heldAt) => {
  const { clock, playout, told } = playoutRig(true);
  playout.start(speechOf(1, 1000, [[0, endMs]]));
  await clock.advance(400);
  playout.hold();
  await clock.advance(200);
  expect(told('play.held')).toEqual([{ uttId: 1, at: heldAt, playedMs: heldAt }]);
});

test('while the far end is away nothing beats, though there is more to say', () => {
  const { ticker, playout, leg } = playoutRig(true);
  playout.detach();
  playout.start(speechOf(1, 1000));
  playout.refresh();
  expect(ticker.size).toBe(0);
  playout.attach(leg);
  expect(ticker.size).toBe(1);
});
