import { expect, test } from 'vitest';
import { emulateSpeech } from '../support/emulated-speech.ts';
import { HeardWords, hearsEndOf } from '../support/heard-words.ts';
import { RATE_HZ } from '../support/sound-call.ts';
import { inARow, sound, type Utterance } from '../support/utterance.ts';

const MS = RATE_HZ / 1000;
const silence = (ms: number) => new Int16Array(ms * MS);

function spoken(text: string): Utterance {
  const { bytes, charMs } = emulateSpeech(text, 'pcm16', RATE_HZ);
  let chars = 0;
  const words = text.split(' ').map((word) => {
    const startMs = chars * charMs;
    chars += word.length + 1;
    return { text: word, startMs, endMs: (chars - 1) * charMs };
  });
  return { ...sound(new Int16Array(bytes.buffer), RATE_HZ), words };
}

const REPLY = spoken('we open at nine and close at noon on every day but sunday');
const OTHER = spoken('thirty people waited outside before anybody came with the key');

/** Plays the pieces in frames of 20 ms, and tells what was heard when. */
function play(...pieces: readonly Int16Array[]) {
  const heard: { text: string; startMs: number; endMs: number }[] = [];
  const words = new HeardWords((word) => heard.push(word));
  words.expect(REPLY);
  let at = 0;
  for (const pcm of pieces)
    for (let from = 0; from < pcm.length; from += 20 * MS) {
      const frame = pcm.subarray(from, from + 20 * MS);
      words.hear(frame, at);
      at += frame.length;
    }
  return heard;
}

test('each word is heard when it has sounded, at its time', () => {
  const heard = play(silence(500), REPLY.pcm);
  expect(heard.map(({ text }) => text)).toEqual(REPLY.words.map(({ text }) => text));
  for (const [i, { startMs, endMs }] of heard.entries()) {
    const word = REPLY.words[i] as (typeof REPLY.words)[number];
    expect(Math.abs(endMs - 500 - word.endMs)).toBeLessThanOrEqual(20);
    expect(Math.abs(startMs - 500 - word.startMs)).toBeLessThanOrEqual(20);
  }
});

test('a reply that is held has no words until it goes on', () => {
  const [cutMs] = REPLY.words.slice(3).map(({ endMs }) => endMs) as [number];
  const heard = play(
    REPLY.pcm.subarray(0, cutMs * MS),
    silence(2000),
    REPLY.pcm.subarray(cutMs * MS),
  );
  expect(heard.map(({ text }) => text)).toEqual(REPLY.words.map(({ text }) => text));
  expect(heard[3]?.endMs).toBeLessThanOrEqual(cutMs + 20);
  expect(heard[4]?.startMs).toBeGreaterThanOrEqual(cutMs + 2000);
});

test('an end is heard in the reply itself, and not in another one of its length', () => {
  const cut = REPLY.pcm.subarray(0, REPLY.pcm.length * 0.8);
  const resumed = inARow(
    [sound(cut, RATE_HZ), sound(REPLY.pcm.subarray(cut.length), RATE_HZ)],
    0,
    RATE_HZ,
  );
  expect(hearsEndOf(REPLY, resumed.pcm)).toBe(true);
  // Frames of what was heard begin anywhere in those of the reply.
  for (const lateMs of [3, 10, 13]) {
    const late = inARow([sound(silence(lateMs), RATE_HZ), REPLY], 0, RATE_HZ);
    expect(hearsEndOf(REPLY, late.pcm)).toBe(true);
  }
  expect(hearsEndOf(REPLY, cut)).toBe(false);
  expect(hearsEndOf(REPLY, inARow([sound(cut, RATE_HZ), OTHER], 600, RATE_HZ).pcm)).toBe(false);
});
