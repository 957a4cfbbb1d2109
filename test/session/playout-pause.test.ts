import { expect, test } from 'vitest';
import { UtteranceBuffer } from '../../src/session/outbound/utterance-buffer.ts';
import { playoutRig, soundOf, speechOf } from '../support/playout-rig.ts';

test.each([
  [
    'in a word goes on to its end',
    [
      [0, 100],
      [120, 300],
      [400, 900],
    ],
    300,
  ],
  [
    'between two words stops there',
    [
      [0, 180],
      [180, 400],
      [400, 900],
    ],
    180,
  ],
  ['in the only word goes on to its end', [[0, 700]], 700],
] as const)('a pause after 180 ms %s', async (_what, words, untilMs) => {
  const { clock, playout, sentMs, asked, told } = playoutRig(true);
  playout.start(speechOf(1, 1000, words));
  playout.pause();
  await clock.advance(untilMs - 1);
  expect(playout.hasPaused()).toBe(false);
  await clock.advance(1);
  expect(sentMs()).toBe(untilMs);
  expect(playout.hasPaused()).toBe(true);
  expect(told('play.mark').at(-1)).toEqual({ uttId: 1, at: untilMs, playedMs: untilMs });
  expect(asked.some(({ end }) => end)).toBe(false);
});

test('the far end is asked once where the last word before a pause ends, as soon as that is sent', async () => {
  const { clock, playout, asked } = playoutRig(true);
  const words = [
    [0, 280],
    [300, 500],
    [600, 900],
  ] as const;
  playout.start(speechOf(1, 1000, words));
  await clock.advance(110);
  expect(asked).toHaveLength(1);
  playout.pause();
  expect(asked).toHaveLength(2);
  await clock.advance(500);
  playout.unpause();
  const before = asked.length;
  playout.pause();
  // A part of the next word is sent.
  expect(asked).toHaveLength(before);
  await clock.advance(1000);
  expect(asked).toHaveLength(before + 1);
});

test('a pause before the first sound of an utterance asks nothing, and has nothing to wait for', async () => {
  const { clock, playout, asked, told } = playoutRig(true);
  playout.start(speechOf(1, 100));
  playout.start(new UtteranceBuffer(2, 16_000));
  await clock.advance(50);
  const before = asked.length;
  playout.pause();
  expect(asked).toHaveLength(before);
  expect(playout.hasPaused()).toBe(false);
  await clock.advance(50);
  expect(told('play.finished')).toHaveLength(1);
  expect(playout.hasPaused()).toBe(true);
});

test('an utterance without word times is played to its end before a pause, and nothing after it', async () => {
  const { clock, playout, told } = playoutRig(true);
  playout.start(speechOf(1, 500));
  playout.pause();
  await clock.advance(499);
  expect(playout.hasPaused()).toBe(false);
  await clock.advance(1);
  expect(playout.hasPaused()).toBe(true);
  expect(told('play.finished')).toHaveLength(1);
});

test.each([
  ['never answers', false, 100],
  ['has answered before', true, 1000],
])(
  'where a far end that %s (%s) says nothing, the clock is believed after %d ms',
  async (_what, hasAnswered, lateMs) => {
    const { clock, playout, asked, told } = playoutRig(false);
    playout.start(
      speechOf(1, 1000, [
        [0, 200],
        [300, 900],
      ]),
    );
    if (hasAnswered) playout.marked(asked[0]?.name ?? '');
    playout.pause();
    await clock.advance(200 + lateMs - 1);
    expect(playout.hasPaused()).toBe(false);
    await clock.advance(1);
    expect(playout.hasPaused()).toBe(true);
    expect(told('play.mark').at(-1)).toMatchObject({ uttId: 1, playedMs: 200 });
  },
);

test('where the connection breaks in a pause, what was heard by the clock is told, once', async () => {
  const { clock, playout, told } = playoutRig(true);
  playout.start(speechOf(1, 1000, [[0, 900]]));
  await clock.advance(110);
  playout.pause();
  playout.detach();
  expect(told('play.mark')).toEqual([]);
  expect(playout.hasPaused()).toBe(true);
  expect(playout.hasPaused()).toBe(true);
  expect(told('play.mark')).toEqual([{ uttId: 1, at: 110, playedMs: 110 }]);
});

test('where it breaks within the next utterance, the one before was heard to its end', async () => {
  const { clock, playout, told } = playoutRig(false);
  playout.start(speechOf(1, 100));
  playout.start(speechOf(2, 1000, [[0, 900]]));
  await clock.advance(150);
  playout.pause();
  playout.detach();
  expect(told('play.finished')).toEqual([]);
  expect(playout.hasPaused()).toBe(true);
  expect(told('play.finished')).toMatchObject([{ uttId: 1, at: 150 }]);
  expect(told('play.mark')).toEqual([{ uttId: 2, at: 150, playedMs: 50 }]);
});

const everyTenth = Array.from({ length: 10 }, (_, i) => [100 * i, 100 * i + 100] as const);

test.each([
  ['as many words of the next utterance as it can play', 500, everyTenth, 600],
  ['an utterance whole, and none of the next if that has no word times', 500, [], 500],
  ['an utterance without word times whole, though it is longer', 700, everyTenth, 700],
] as const)(
  'a far end that plays on while the call moves is sent %s',
  async (_what, firstMs, words, untilMs) => {
    const { clock, playout, sentMs } = playoutRig(true, { playsOn: true });
    playout.start(speechOf(1, firstMs));
    playout.start(speechOf(2, 1000, words));
    playout.pause();
    await clock.advance(1000);
    expect(sentMs()).toBe(untilMs);
  },
);

test('a far end that plays on and has all of it needs no time before the call moves', () => {
  const { playout, told } = playoutRig(true, { playsOn: true });
  playout.start(speechOf(1, 100));
  playout.pause();
  expect(playout.hasPaused()).toBe(true);
  expect(told('play.finished')).toHaveLength(1);
});

test('what it has is told once, and of an utterance of which it has nothing no word', () => {
  const { playout, told } = playoutRig(true, { playsOn: true });
  playout.start(speechOf(1, 1000, [[0, 180]]));
  playout.pause();
  for (let i = 0; i < 3; i++) expect(playout.hasPaused()).toBe(true);
  expect(told('play.mark')).toEqual([{ uttId: 1, at: 0, playedMs: 180 }]);

  const other = playoutRig(true, { playsOn: true });
  other.playout.start(speechOf(1, 100));
  other.playout.start(new UtteranceBuffer(2, 16_000));
  other.playout.pause();
  for (let i = 0; i < 3; i++) expect(other.playout.hasPaused()).toBe(true);
  expect(other.told('play.finished')).toHaveLength(1);
  expect(other.told('play.mark')).toEqual([]);
});

test('what a late voice says is not sent in a pause that began at its last word', async () => {
  const { clock, playout, sentMs } = playoutRig(true);
  const speech = new UtteranceBuffer(1, 16_000);
  speech.push(soundOf(100));
  speech.words.push({ word: 'one', startMs: 0, endMs: 100 });
  playout.start(speech);
  playout.pause();
  speech.push(soundOf(100));
  playout.nudge();
  await clock.advance(500);
  expect(sentMs()).toBe(100);
  expect(playout.hasPaused()).toBe(true);
});

test('an utterance whose voice tells its end only in a pause, after the last word, is heard to its end', async () => {
  const { clock, playout, told } = playoutRig(true);
  const speech = new UtteranceBuffer(1, 16_000);
  speech.push(soundOf(100));
  speech.words.push({ word: 'one', startMs: 0, endMs: 100 });
  playout.start(speech);
  playout.pause();
  speech.ended = true;
  playout.nudge();
  await clock.advance(500);
  expect(playout.hasPaused()).toBe(true);
  expect(told('play.finished')).toHaveLength(1);
});

test('an utterance that a far end which plays on can just play is sent with the silence at its end', async () => {
  const { clock, playout, sentMs } = playoutRig(true, { playsOn: true });
  playout.start(speechOf(1, 600, [[0, 500]]));
  playout.start(speechOf(2, 1000, everyTenth));
  playout.pause();
  await clock.advance(1000);
  expect(sentMs()).toBe(600);
});
