import { describe, expect, test } from 'vitest';
import type { SoundLoop } from '../../src/audio/sound-loop.ts';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import type { TtsPart } from '../../src/ports/tts.ts';
import { BackchannelPlayer } from '../../src/session/outbound/backchannel-player.ts';
import { BackgroundMixer } from '../../src/session/outbound/background-mixer.ts';
import { CallSounds } from '../../src/session/outbound/call-sounds.ts';
import { SentTimeline } from '../../src/session/outbound/sent-timeline.ts';
import { UtteranceBuffer } from '../../src/session/outbound/utterance-buffer.ts';
import { UtteranceQueue } from '../../src/session/outbound/utterance-queue.ts';
import { Voice } from '../../src/session/outbound/voice.ts';
import { ManualClock } from '../support/manual-clock.ts';

const RATE = 8000;
const loop = (level: number): SoundLoop => ({
  sampleRateHz: RATE,
  pcm: new Int16Array(RATE).fill(level),
});
const bed = (level: number, gainDb = 0, underSpeechDb = 0) => ({
  ...{ loop: loop(level), gainDb, underSpeechDb },
});

function utterance(uttId: number, ms: number, words: readonly (readonly [number, number])[] = []) {
  const buffer = new UtteranceBuffer(uttId, RATE);
  const pcm = Int16Array.from({ length: ms * 8 }, (_, i) => i % 1000);
  for (let at = 0; at < pcm.length; at += 333) buffer.push(pcm.slice(at, at + 333));
  buffer.words.push(...words.map(([startMs, endMs]) => ({ word: 'word', startMs, endMs })));
  return buffer;
}

describe('the sound under speech', () => {
  test('comes within a fifth of a second, and goes as fast', () => {
    const mixer = new BackgroundMixer(RATE);
    expect(mixer.isOn).toBe(false);
    mixer.play(bed(1000));
    expect(mixer.isOn).toBe(true);
    const soft = new BackgroundMixer(RATE);
    soft.play(bed(10_000, -20, -20));
    expect(soft.read(RATE / 10).at(-1)).toBeCloseTo(500, -1);
    expect(soft.read(RATE / 10).at(-1)).toBeCloseTo(1000, -1);
    const first = mixer.read(RATE / 10);
    expect(first[0]).toBe(0);
    expect(first.at(-1)).toBeCloseTo(500, -1);
    expect(mixer.read(RATE / 10).at(-1)).toBeCloseTo(1000, -1);
    expect(mixer.read(RATE / 10)[0]).toBeCloseTo(1000, -1);
    mixer.play(undefined);
    expect(mixer.isOn).toBe(true);
    expect(mixer.read(RATE / 10).at(-1)).toBeCloseTo(500, -1);
    mixer.read(RATE / 10);
    expect(mixer.isOn).toBe(false);
    expect([...mixer.read(8)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  test('is softer under speech than in a pause, where it was told so', () => {
    const mixer = new BackgroundMixer(RATE);
    mixer.play(bed(1000, 0, -20));
    mixer.read(RATE);
    const speech = new Int16Array(RATE).fill(200);
    mixer.mixUnder(speech);
    expect(speech.at(-1)).toBeCloseTo(200 + 100, -1);
    expect(mixer.read(RATE).at(-1)).toBeCloseTo(1000, -1);
  });

  test('gives way to another one, and a sound that was not yet heard is gone at once', () => {
    const mixer = new BackgroundMixer(RATE);
    mixer.play(bed(1000));
    mixer.play(bed(2000));
    mixer.read(RATE);
    expect(mixer.read(8)[0]).toBeCloseTo(2000, -1);
    mixer.play(bed(500));
    const both = mixer.read(RATE / 10);
    expect(both.at(-1)).toBeCloseTo(1000 + 250, -1);
    expect(mixer.read(RATE / 5).at(-1)).toBeCloseTo(500, -1);
  });

  test('of sounds that fade, no more than four are mixed', () => {
    const mixer = new BackgroundMixer(RATE);
    let last = 0;
    for (const ms of [200, 100, 50, 25, 12.5]) {
      mixer.play(bed(8000));
      last = mixer.read((RATE * ms) / 1000).at(-1) ?? 0;
    }
    // Three that leave and the one that comes, each at a sixteenth; the first of all is gone.
    expect(last).toBeCloseTo(4 * 500, -2);
  });

  test('sounds that are replaced at once do not cut off the one that fades', () => {
    const mixer = new BackgroundMixer(RATE);
    mixer.play(bed(1000));
    mixer.read(RATE / 5);
    for (let i = 0; i < 5; i++) mixer.play(bed(1000));
    expect(mixer.read(RATE / 100)[0]).toBeGreaterThan(950);
  });

  test('goes back by what was never heard', () => {
    const mixer = new BackgroundMixer(RATE);
    const rising = {
      sampleRateHz: RATE,
      pcm: Int16Array.from({ length: RATE }, (_, i) => i),
    };
    mixer.play({ loop: rising, gainDb: 0, underSpeechDb: 0 });
    mixer.read(RATE / 2);
    const before = mixer.read(8)[0] ?? 0;
    mixer.read(792);
    mixer.rewind(100);
    expect(mixer.read(8)[0]).toBe(before);
  });
});

describe('the sounds of a call', () => {
  function setUp(answers: Partial<Record<'ambience' | 'holdMusic' | 'own', SoundLoop>>) {
    const played: (number | undefined)[] = [];
    const asked: string[] = [];
    let changes = 0;
    const mixer = {
      play: (sound?: { loop: SoundLoop }) => void played.push(sound?.loop.pcm[0]),
    } as unknown as BackgroundMixer;
    const sounds = new CallSounds({
      mixer,
      sampleRateHz: RATE,
      onChange: () => changes++,
      background: { volume: 50 },
      expectedHoldUrl: 'https://example.com/hold.mp3',
      sounds: {
        async ambience() {
          return answers.ambience as SoundLoop;
        },
        async holdMusic() {
          return answers.holdMusic as SoundLoop;
        },
        async fromUrl(url) {
          asked.push(url);
          return answers.own;
        },
      },
    });
    return { sounds, played, asked, changes: () => changes };
  }
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

  test('the background gives way to hold music, and comes back after it', async () => {
    const { sounds, played, asked, changes } = setUp({ ambience: loop(1), holdMusic: loop(2) });
    sounds.begin();
    await settle();
    expect(asked).toEqual(['https://example.com/hold.mp3']);
    sounds.hold({ on: true });
    await settle();
    sounds.hold({ on: false });
    sounds.hold({ on: false });
    expect(played).toEqual([1, 2, 1]);
    expect(changes()).toBe(3);
  });

  test('a call has its own hold music, or the built-in one where that cannot be had', async () => {
    const own = setUp({ holdMusic: loop(2), own: loop(3) });
    own.sounds.hold({ on: true, url: 'https://example.com/hold.mp3' });
    await settle();
    expect(own.played).toEqual([3]);
    const missing = setUp({ holdMusic: loop(2) });
    missing.sounds.hold({ on: true, url: 'https://example.com/hold.mp3' });
    await settle();
    expect(missing.played).toEqual([2]);
  });

  test('music that comes after its hold has ended, or the call, is not played', async () => {
    const late = setUp({ holdMusic: loop(2) });
    late.sounds.hold({ on: true });
    late.sounds.hold({ on: false });
    await settle();
    expect(late.played).toEqual([]);
    const over = setUp({ ambience: loop(1) });
    over.sounds.begin();
    over.sounds.close();
    await settle();
    expect(over.played).toEqual([undefined]);
    expect(over.changes()).toBe(0);
  });

  test('a background that comes during hold music waits for its end', async () => {
    const { sounds, played } = setUp({ ambience: loop(1), holdMusic: loop(2) });
    sounds.hold({ on: true });
    await settle();
    sounds.begin();
    await settle();
    expect(played).toEqual([2]);
    sounds.hold({ on: false });
    expect(played).toEqual([2, 1]);
  });
});

describe('backchannels', () => {
  function setUp(fails: readonly string[] = []) {
    const clock = new ManualClock();
    const started: UtteranceBuffer[] = [];
    const asked: string[] = [];
    const failing = new Set(fails);
    const player = new BackchannelPlayer({
      phrases: ['mhm', 'I see'],
      playout: { start: (buffer) => void started.push(buffer) },
      createVoice: (emit: (event: CallEvent) => void) =>
        new Voice({
          clock,
          options: {},
          sampleRateHz: RATE,
          emit,
          onAudio: () => undefined,
          onUnexpected: () => undefined,
          tts: {
            provider: 'scripted',
            async *synthesize({ text }): AsyncIterable<TtsPart> {
              asked.push(text);
              if (failing.delete(text)) throw new Error('it fails');
              yield { type: 'audio', pcm: new Int16Array(800).fill(10_000), sampleRateHz: RATE };
            },
          },
        }),
    });
    return { clock, player, started, asked };
  }

  test('are spoken once, ahead, and played softly as often as they are wanted', async () => {
    const { clock, player, started, asked } = setUp();
    player.play('mhm');
    player.prepare();
    player.play('mhm');
    expect(started).toEqual([]);
    await clock.advance(10);
    player.prepare();
    player.play('mhm');
    player.play('mhm');
    player.play('never');
    expect(asked).toEqual(['mhm', 'I see']);
    expect(started.map(({ ended, samples }) => [ended, samples])).toEqual([
      [true, 800],
      [true, 800],
    ]);
    expect(started.map((buffer) => buffer.read(0, 1)[0])).toEqual([3981, 3981]);
    const ids = started.map(({ uttId }) => uttId);
    expect(new Set(ids).size).toBe(2);
    expect(Math.max(...ids)).toBeLessThan(0);
    player.close();
  });

  test('one whose voice failed is spoken again when they are readied next', async () => {
    const { clock, player, started, asked } = setUp(['mhm']);
    player.prepare();
    await clock.advance(10);
    player.play('mhm');
    expect(started).toEqual([]);
    player.prepare();
    await clock.advance(10);
    expect(asked).toEqual(['mhm', 'I see', 'mhm']);
    player.play('mhm');
    player.play('I see');
    expect(started).toHaveLength(2);
    player.close();
  });
});

describe('an utterance', () => {
  test('is read from anywhere, whatever the pieces in which it came', () => {
    const buffer = utterance(1, 500);
    expect(buffer.durationMs).toBe(500);
    for (const from of [0, 1, 332, 333, 334, 1000, 3999, 4000, 5000])
      for (const count of [0, 1, 333, 700, 9999]) {
        const expected = Array.from({ length: 4000 }, (_, i) => i % 1000).slice(from, from + count);
        expect([...buffer.read(from, count)]).toEqual(expected);
      }
  });

  test('gives whole frames while its voice goes on, and all that is left at its end', () => {
    const buffer = utterance(1, 50);
    expect(buffer.readFrames(0, 9999)).toHaveLength(320);
    expect(buffer.readFrames(0, 319)).toHaveLength(160);
    expect(buffer.readFrames(320, 9999)).toHaveLength(0);
    buffer.ended = true;
    expect(buffer.readFrames(0, 400)).toHaveLength(400);
    expect(buffer.readFrames(0, 399)).toHaveLength(320);
    expect(buffer.readFrames(320, 9999)).toHaveLength(80);
  });

  test('knows the word at each instant, but none at the edges of words', () => {
    const buffer = utterance(1, 500, [
      [0, 200],
      [200, 400],
    ]);
    expect(buffer.word(0)).toBeUndefined();
    expect(buffer.word(50)).toEqual({ saidMs: 50, leftMs: 150 });
    expect(buffer.word(200)).toBeUndefined();
    expect(buffer.word(399)).toEqual({ saidMs: 199, leftMs: 1 });
    expect(buffer.word(450)).toBeUndefined();
  });
});

describe('the queue of utterances', () => {
  test('sends and hears in order, and goes back to where something was heard', () => {
    const queue = new UtteranceQueue();
    expect([queue.isEmpty, queue.cursorMs, queue.headIsSent]).toEqual([true, 0, false]);
    const [one, two] = [utterance(1, 100), utterance(2, 200)];
    queue.push(one);
    queue.push(two);
    queue.advance(800);
    expect(queue.cursorMs).toBe(100);
    queue.next();
    expect(queue.headIsSent).toBe(true);
    expect([queue.head, queue.current]).toEqual([one, two]);
    expect(queue.upcoming).toEqual([two]);
    queue.advance(400);
    queue.seek(1, 50);
    expect([queue.current, queue.cursorMs, queue.headIsSent]).toEqual([one, 50, false]);
    queue.seek(1, 9999);
    expect(queue.cursorMs).toBe(100);
    queue.seek(7, 0);
    expect(queue.cursorMs).toBe(100);
    queue.next();
    queue.advance(80);
    // A part of the second one was sent already.
    expect(queue.finishHead()).toBe(true);
    expect([queue.head, queue.current, queue.cursorMs]).toEqual([two, two, 10]);
    expect(queue.finishHead()).toBe(false);
    expect([queue.isEmpty, queue.cursor]).toEqual([true, 0]);
  });

  test('of the next utterance nothing sounds yet if nothing of it was sent', () => {
    const queue = new UtteranceQueue();
    queue.push(utterance(1, 100));
    queue.push(utterance(2, 200));
    queue.next();
    expect(queue.finishHead()).toBe(false);
    queue.push(utterance(3, 100));
    queue.next();
    queue.next();
    expect(queue.finishHead()).toBe(true);
    queue.clear();
    expect([queue.isEmpty, queue.cursor, queue.headIsSent]).toEqual([true, 0, false]);
  });
});

test('of a long reply the last two seconds are known, piece by piece', () => {
  const sent = new SentTimeline();
  expect(sent.isEmpty).toBe(true);
  for (let at = 0; at < 10_000; at += 20) sent.push(1, at, 20, at);
  expect(sent.streamMs).toBe(10_000);
  for (const ago of [0, 500, 1000, 1900]) {
    const at = 10_000 - ago;
    expect(sent.positionAt(at)).toEqual({ uttId: 1, playedMs: at });
    expect(sent.playedStreamMs(at)).toBe(at);
    expect(sent.positionInStream(at)).toEqual({ uttId: 1, playedMs: at });
  }
  expect(sent.leadMs(9950)).toBe(50);
  expect(sent.leadMs(10_500)).toBe(0);
});

test('a pause that was filled is no part of an utterance, but of what the far end counts', () => {
  const sent = new SentTimeline();
  sent.pushFiller(100, 1000);
  expect(sent.positionAt(1050)).toBeUndefined();
  expect(sent.positionInStream(50)).toBeUndefined();
  sent.push(4, 0, 200, 1000);
  sent.pushFiller(60, 1000);
  expect([sent.endAt, sent.speechEndAt, sent.streamMs]).toEqual([1360, 1300, 360]);
  // Before it begins, its beginning; after its end, its end.
  expect(sent.positionAt(1050)).toEqual({ uttId: 4, playedMs: 0 });
  expect(sent.positionAt(1150)).toEqual({ uttId: 4, playedMs: 50 });
  expect(sent.positionAt(1350)).toEqual({ uttId: 4, playedMs: 200 });
  expect(sent.positionInStream(150)).toEqual({ uttId: 4, playedMs: 50 });
  expect(sent.positionInStream(350)).toEqual({ uttId: 4, playedMs: 200 });
  expect(sent.playedStreamMs(999)).toBe(0);
  expect(sent.playedStreamMs(1150)).toBe(150);
  expect(sent.playedStreamMs(9999)).toBe(360);
  sent.forgetSpeech();
  expect(sent.positionAt(1150)).toBeUndefined();
  expect([sent.endAt, sent.speechEndAt]).toEqual([1360, 0]);
});

test('speech of an earlier process is speech, though it belongs to no utterance', () => {
  const sent = new SentTimeline();
  sent.pushEarlier(300, 1000);
  expect([sent.endAt, sent.speechEndAt, sent.streamMs]).toEqual([1300, 1300, 300]);
  expect(sent.positionAt(1100)).toBeUndefined();
  sent.pushFiller(100, 1000);
  expect([sent.endAt, sent.speechEndAt]).toEqual([1400, 1300]);
});
