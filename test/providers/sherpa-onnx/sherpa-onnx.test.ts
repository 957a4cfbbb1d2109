import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/lib/system-clock.ts';
import type { SttEvent, SttStream } from '../../../src/ports/stt.ts';
import { createSherpaStt } from '../../../src/providers/sherpa-onnx/stt-adapter.ts';
import { createSherpaTts } from '../../../src/providers/sherpa-onnx/tts-adapter.ts';
import { collect } from '../../support/collect.ts';
import {
  TONES,
  type ToneWord,
  VOICE_CHARACTER_SAMPLES,
  VOICE_RATE_HZ,
  writeStreamingModel,
  writeVoiceModel,
  writeWholeModel,
} from '../../support/sherpa-models.ts';
import { describeTtsContract } from '../tts-contract.ts';

// The real library runs real (very small) models: words are tones, and a voice's characters are levels.
let models: string;

beforeAll(async () => {
  models = await mkdtemp(join(tmpdir(), 'sherpa-models-'));
  await writeWholeModel(join(models, 'whole'));
  await writeStreamingModel(join(models, 'streaming'));
  await writeVoiceModel(join(models, 'voice'));
});
afterAll(() => rm(models, { recursive: true }));

const RATE_HZ = 16_000;

function tone(word: ToneWord, ms: number): Int16Array {
  return Int16Array.from({ length: (RATE_HZ * ms) / 1000 }, (_, i) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * TONES[word] * i) / RATE_HZ)),
  );
}

/** The faint noise of a line: digital silence would be no test. */
function pause(ms: number): Int16Array {
  return Int16Array.from({ length: (RATE_HZ * ms) / 1000 }, (_, i) => ((i * 7919) % 41) - 20);
}

function createStt(model: string) {
  const stt = createSherpaStt({ clock: systemClock, dir: join(models, model), threads: 1 });
  onTestFinished(() => stt.close());
  return stt;
}

class Caller {
  readonly events: SttEvent[] = [];
  stream!: SttStream;

  static async open(stt: ReturnType<typeof createStt>): Promise<Caller> {
    const caller = new Caller();
    caller.stream = await stt.open({
      sampleRateHz: RATE_HZ,
      languages: ['en-US'],
      hints: [],
      phrases: [],
      onEvent: (event) => caller.events.push(event),
      signal: new AbortController().signal,
    });
    return caller;
  }

  /** Voice activity notices each edge a little late, as it does. */
  say(...words: readonly ToneWord[]): void {
    this.stream.write(pause(700));
    for (const [i, word] of words.entries()) {
      this.stream.write(tone(word, 300));
      if (i === 0) this.stream.speechStarted();
      this.stream.write(pause(120));
    }
    this.stream.write(pause(80));
    this.stream.speechEnded();
  }

  /** Long tones may be told twice by a model that hears in chunks. */
  get finals(): string[] {
    return this.events.flatMap((event) =>
      event.type === 'final' ? [event.text.replace(/\b(\w+)(?: \1\b)+/g, '$1')] : [],
    );
  }
}

describe.each(['whole', 'streaming'])('a recogniser of the kind: %s', (kind) => {
  test('hears each utterance of each caller, in order and at its time', async () => {
    const stt = createStt(kind);
    const [one, two] = await Promise.all([Caller.open(stt), Caller.open(stt)]);
    one.say('low', 'high');
    two.say('mid');
    await expect.poll(() => [one.finals, two.finals]).toEqual([['low high'], ['mid']]);
    one.say('mid', 'low', 'high');
    await expect.poll(() => one.finals).toEqual(['low high', 'mid low high']);
    const [first, second] = one.events.flatMap((event) => (event.type === 'final' ? [event] : []));
    // 700 ms of quiet, an utterance of 720 ms, and the same again.
    expect(Math.abs((first?.startMs ?? 0) - 900)).toBeLessThan(350);
    expect(Math.abs((first?.endMs ?? 0) - 1540)).toBeLessThan(350);
    expect(second?.startMs).toBeGreaterThan(2200);
    expect(new Set([first?.segmentId, second?.segmentId]).size).toBe(2);
  });

  test('shows text before the utterance is over', async () => {
    const caller = await Caller.open(createStt(kind));
    caller.stream.speechStarted();
    caller.stream.write(tone('high', 900));
    caller.stream.write(pause(300));
    await expect.poll(() => caller.events.at(-1)).toMatchObject({ type: 'interim' });
    expect(caller.finals).toEqual([]);
  });

  test('a noise without words gives no text, and a closed line none either', async () => {
    const stt = createStt(kind);
    const [noisy, gone, last] = [
      await Caller.open(stt),
      await Caller.open(stt),
      await Caller.open(stt),
    ];
    noisy.stream.speechStarted();
    noisy.stream.write(pause(500));
    noisy.stream.speechEnded();
    gone.say('low');
    gone.stream.close();
    last.say('high');
    await expect.poll(() => last.finals).toEqual(['high']);
    expect(noisy.events.filter((event) => event.type !== 'interim')).toEqual([]);
    expect(gone.events).toEqual([]);
  });
});

test('a process that dies is told to every caller, and the next opening starts another after a while', async () => {
  const stt = createStt('whole');
  const caller = await Caller.open(stt);
  const children = execFileSync('pgrep', ['-P', `${process.pid}`, '-f', 'model-process'])
    .toString()
    .trim()
    .split('\n');
  for (const pid of children) process.kill(Number(pid), 'SIGKILL');
  await expect
    .poll(() => caller.events)
    .toMatchObject([{ type: 'error', error: { class: 'internal', code: 'model_lost' } }]);
  // Not at once: what just failed would most likely fail again.
  await expect(Caller.open(stt)).rejects.toMatchObject({ code: 'model_lost' });
});

test.each([
  ['no folder', async () => undefined, /ENOENT/],
  ['an empty folder', (dir: string) => mkdir(dir), /no recogniser: looked for/],
  [
    'a model that is none',
    async (dir: string) => {
      await mkdir(dir);
      await writeFile(join(dir, 'model.onnx'), 'version https://git-lfs.github.com/spec/v1');
      await writeFile(join(dir, 'tokens.txt'), 'a 0');
    },
    /not an ONNX model/,
  ],
  [
    'a model that its library ends the process for',
    async (dir: string) => {
      await writeWholeModel(dir);
      await writeFile(join(dir, 'tokens.txt'), 'a 0\na 0\n');
    },
    /sherpa-onnx (?:ended|can't use)/,
  ],
])('%s is an error that says so, and the service lives', async (name, make, message) => {
  const dir = join(models, name.replaceAll(' ', '-'));
  await make(dir);
  const stt = createSherpaStt({ clock: systemClock, dir, threads: 1 });
  onTestFinished(() => stt.close());
  await expect(stt.start()).rejects.toMatchObject({ code: 'model_lost' });
  await expect(stt.start()).rejects.toThrow(message);
});

describe('a voice', () => {
  function createTts() {
    const tts = createSherpaTts({ clock: systemClock, dir: join(models, 'voice'), threads: 1 });
    onTestFinished(() => tts.close());
    return tts;
  }

  test('speaks sentence by sentence, as it was written', async () => {
    const { signal } = new AbortController();
    const parts = await collect(
      createTts().synthesize({ text: 'bad. ace.', sampleRateHz: 8000, signal }),
    );
    const audio = parts.flatMap((part) => (part.type === 'audio' ? [part] : []));
    expect(audio).toHaveLength(2);
    const levels = audio.map(({ pcm }) =>
      [0, 1, 2].map((i) =>
        Math.round(
          ((pcm[Math.floor((i + 0.5) * VOICE_CHARACTER_SAMPLES)] as number) / 32_767) * 64,
        ),
      ),
    );
    expect(levels).toEqual([
      [2, 1, 4],
      [1, 3, 5],
    ]);
    expect(audio.every(({ sampleRateHz }) => sampleRateHz === VOICE_RATE_HZ)).toBe(true);
  });

  test('what was given up is not spoken, and holds nobody up', async () => {
    const tts = createTts();
    const controller = new AbortController();
    const given = collect(
      tts.synthesize({ text: 'abc. '.repeat(500), sampleRateHz: 8000, signal: controller.signal }),
    ).catch((error: Error) => error.name);
    const { signal } = new AbortController();
    const wanted = collect(tts.synthesize({ text: 'ab.', sampleRateHz: 8000, signal }));
    controller.abort();
    expect(await given).toBe('AbortError');
    expect(await wanted).toHaveLength(1);
  });
});

describeTtsContract('sherpa-onnx', async () => {
  const tts = createSherpaTts({ clock: systemClock, dir: join(models, 'voice'), threads: 1 });
  return {
    tts,
    wordTimings: false,
    fail: { text: '€€€ 12345 €€€' },
    [Symbol.asyncDispose]: () => tts.close(),
  };
});
