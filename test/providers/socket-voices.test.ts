import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/system-clock.ts';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { TtsPart, TtsRequest } from '../../src/ports/tts.ts';
import { createCartesiaProtocol } from '../../src/providers/cartesia-tts/protocol.ts';
import { createDeepgramTtsProtocol } from '../../src/providers/deepgram-tts/protocol.ts';
import { createElevenLabsProtocol } from '../../src/providers/elevenlabs-tts/protocol.ts';
import { createTtsSocket } from '../../src/providers/tts-socket/adapter.ts';
import type { TtsVendor } from '../../src/providers/tts-socket/tts-vendor.ts';
import { WrittenWords } from '../../src/providers/tts-socket/written-words.ts';
import { startCartesiaEmulator } from '../support/cartesia-emulator.ts';
import { collect } from '../support/collect.ts';
import { startDeepgramSpeakEmulator } from '../support/deepgram-speak-emulator.ts';
import { startElevenLabsEmulator } from '../support/elevenlabs-emulator.ts';
import type {
  EmulatedConnection,
  UpgradeRefusal,
  VendorSocketEmulator,
} from '../support/vendor-socket-emulator.ts';
import { describeTtsContract } from './tts-contract.ts';

const KEY = 'key_THISISSECRET';
const TEXT = 'We are open from nine to five, and we like it.';

interface Script {
  readonly apiKey?: string;
  readonly refuse?: UpgradeRefusal;
  readonly fault?: 'hang' | 'close' | 'error' | 'garbage' | 'no-audio' | 'hang-first';
}

interface VendorUnderTest {
  readonly name: string;
  readonly wordTimings: boolean;
  readonly start: (script: Script) => Promise<VendorSocketEmulator>;
  readonly protocol: (baseUrl: string, apiKey: string) => TtsVendor;
}

const VENDORS: readonly VendorUnderTest[] = [
  {
    name: 'elevenlabs',
    wordTimings: true,
    start: startElevenLabsEmulator,
    protocol: (baseUrl, apiKey) => createElevenLabsProtocol({ baseUrl, apiKey }),
  },
  {
    name: 'cartesia',
    wordTimings: true,
    start: startCartesiaEmulator,
    protocol: (baseUrl, apiKey) => createCartesiaProtocol({ baseUrl, apiKey }),
  },
  {
    name: 'deepgram',
    wordTimings: false,
    start: startDeepgramSpeakEmulator,
    protocol: (baseUrl, apiKey) => createDeepgramTtsProtocol({ baseUrl, apiKey }),
  },
];

interface Bench extends AsyncDisposable {
  readonly emulator: VendorSocketEmulator;
  readonly tts: ReturnType<typeof createTtsSocket>;
  speak(request?: Partial<TtsRequest>): AsyncIterable<TtsPart>;
}

async function bench(
  vendor: VendorUnderTest,
  emulator: VendorSocketEmulator,
  clock: Clock = systemClock,
): Promise<Bench> {
  let ids = 0;
  const tts = createTtsSocket(vendor.protocol(emulator.baseUrl, KEY), {
    clock,
    createId: () => `ctx_${++ids}`,
  });
  return {
    emulator,
    tts,
    speak: (request) =>
      tts.synthesize({
        text: TEXT,
        sampleRateHz: 16_000,
        signal: new AbortController().signal,
        ...request,
      }),
    async [Symbol.asyncDispose]() {
      tts.close();
      await emulator[Symbol.asyncDispose]();
    },
  };
}

function samplesOf(parts: readonly TtsPart[]): number {
  return parts.reduce((sum, part) => sum + (part.type === 'audio' ? part.pcm.length : 0), 0);
}

function wordsOf(parts: readonly TtsPart[]) {
  return parts.flatMap((part) => (part.type === 'words' ? [...part.words] : []));
}

async function pong(connection: EmulatedConnection | undefined): Promise<void> {
  const answered = new Promise((resolve) => connection?.socket.once('pong', resolve));
  connection?.socket.ping();
  await answered;
}

for (const vendor of VENDORS) {
  describeTtsContract(vendor.name, async () => {
    const b = await bench(vendor, await vendor.start({ apiKey: KEY }));
    return {
      tts: b.tts,
      wordTimings: vendor.wordTimings,
      fail: { text: 'x'.repeat(20_000) },
      [Symbol.asyncDispose]: b[Symbol.asyncDispose],
    };
  });
}

describe.each(VENDORS)('$name', (vendor) => {
  const begin = async (script: Script = {}, clock?: Clock): Promise<Bench> =>
    bench(vendor, await vendor.start(script), clock);

  test.each([
    [8000, 8000],
    [16_000, 16_000],
    [24_000, 24_000],
  ])('asked for %i Hz it sounds at %i Hz, every sample of it', async (wanted, rate) => {
    await using b = await begin();
    const parts = await collect(b.speak({ sampleRateHz: wanted }));
    const rates = parts.flatMap((part) => (part.type === 'audio' ? [part.sampleRateHz] : []));
    expect(new Set(rates)).toEqual(new Set([rate]));
    // The emulators speak 60 ms a character.
    const ms = (samplesOf(parts) * 1000) / rate;
    expect(ms).toBeGreaterThanOrEqual(TEXT.length * 60);
    expect(ms).toBeLessThanOrEqual((TEXT.length + 1) * 60);
  });

  test('a connection is used again, and given back when nobody speaks', async () => {
    const clock = new VirtualClock();
    await using b = await begin({}, clock);
    for (let i = 0; i < 4; i++) await collect(b.speak());
    expect(b.emulator.connections).toHaveLength(1);
    const [connection] = b.emulator.connections;
    for (let passedMs = 0; passedMs < 14_000; passedMs += 5000) {
      clock.advanceTo(clock.now() + 5000);
      // Two ways there and back: pings of ours have been answered by then.
      if (passedMs < 10_000) for (let i = 0; i < 2; i++) await pong(connection);
    }
    expect(await connection?.closed).toMatchObject({ code: 1000 });
    await collect(b.speak());
    expect(b.emulator.connections).toHaveLength(2);
  });

  test('the key goes into a header and nowhere else', async () => {
    await using b = await begin({ apiKey: KEY });
    await collect(b.speak());
    const [connection] = b.emulator.connections;
    expect(JSON.stringify(connection?.headers)).toContain(KEY);
    expect(connection?.url.href).not.toContain(KEY);
    expect(JSON.stringify(connection?.received)).not.toContain(KEY);
  });

  test.each<[string, Script, object]>([
    ['a refused key', { apiKey: 'another' }, { class: 'auth' }],
    [
      'a 429',
      { refuse: { status: 429, headers: { 'retry-after': '2' } } },
      { class: 'rate', retryAfterMs: 2000 },
    ],
    ['a 503', { refuse: { status: 503 } }, { class: 'network', retryable: true }],
    ['a close in the middle', { fault: 'close' }, { class: 'network', code: 'ws_1011' }],
    ['garbage', { fault: 'garbage' }, {}],
    ['an error in the middle', { fault: 'error' }, {}],
    ['no audio at all', { fault: 'no-audio' }, { class: 'silent', code: 'no_audio' }],
  ])('%s is a typed failure', async (_, script, expected) => {
    await using b = await begin(script);
    const error = await collect(b.speak()).catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'ProviderError', provider: vendor.name, ...expected });
    expect(String(error)).not.toContain('SECRET');
  });

  test('audio that came before a failure is delivered', async () => {
    await using b = await begin({ fault: 'close' });
    const heard: TtsPart[] = [];
    const reading = (async () => {
      for await (const part of b.speak()) heard.push(part);
    })();
    await expect(reading).rejects.toMatchObject({ class: 'network' });
    expect(samplesOf(heard)).toBeGreaterThan(0);
  });

  test.each([
    ['hang-first', 'first_audio_timeout', 5000],
    ['hang', 'stalled', 4000],
  ] as const)('%s is given up after a while (%s)', async (fault, code, ms) => {
    const clock = new VirtualClock();
    await using b = await begin({ fault }, clock);
    const heard: TtsPart[] = [];
    const reading = (async () => {
      for await (const part of b.speak()) heard.push(part);
    })().catch((e: unknown) => e);
    await expect.poll(() => b.emulator.connections[0]?.received.length).toBeGreaterThan(0);
    if (fault === 'hang') await expect.poll(() => samplesOf(heard)).toBeGreaterThan(0);
    clock.advanceTo(clock.now() + ms - 1);
    clock.advanceTo(clock.now() + 1);
    expect(await reading).toMatchObject({ class: 'timeout', code });
  });

  test('a connection that has gone half open is found by its silence', async () => {
    const clock = new VirtualClock();
    await using b = await begin({}, clock);
    await collect(b.speak());
    const [connection] = b.emulator.connections;
    // The far end's machine is gone: nothing is read, nothing answered.
    connection?.socket.pause();
    clock.advanceTo(clock.now() + 5000);
    clock.advanceTo(clock.now() + 5000);
    expect(samplesOf(await collect(b.speak()))).toBeGreaterThan(0);
    expect(b.emulator.connections).toHaveLength(2);
  });

  test('a kept connection that died is replaced without an error', async () => {
    await using b = await begin();
    await collect(b.speak());
    const [connection] = b.emulator.connections;
    const silenced = collect(b.speak());
    connection?.socket.terminate();
    expect(samplesOf(await silenced)).toBeGreaterThan(0);
    expect(b.emulator.connections).toHaveLength(2);
  });

  test('an abort tells the vendor, and the next utterance hears nothing of the old one', async () => {
    await using b = await begin();
    const controller = new AbortController();
    const cut = b.speak({ text: `${TEXT} `.repeat(20), signal: controller.signal });
    for await (const part of cut) {
      expect(part.type).toBe('audio');
      break;
    }
    controller.abort();
    const ms = samplesOf(await collect(b.speak({ text: 'Short one.' }))) / 16;
    expect(ms).toBeGreaterThanOrEqual(600);
    expect(ms).toBeLessThanOrEqual(660);
  });

  test('text without a sound in it asks for nothing', async () => {
    await using b = await begin();
    expect(await collect(b.speak({ text: ' … 🎉 ' }))).toEqual([]);
    expect(b.emulator.connections).toHaveLength(0);
  });
});

describe('elevenlabs', () => {
  const vendor = VENDORS[0] as VendorUnderTest;

  test('every field of the contract’s voice settings has its place', async () => {
    await using b = await bench(vendor, await startElevenLabsEmulator());
    const settings = {
      modelId: 'eleven_turbo_v2_5',
      stability: 0.3,
      similarityBoost: 0.9,
      speakerBoost: false,
      styleExaggeration: 0.2,
      seed: 7,
      speed: 3,
      applyTextNormalization: false,
    };
    await collect(b.speak({ voice: 'v1', language: 'de-AT', settings, sampleRateHz: 8000 }));
    const [connection] = b.emulator.connections;
    expect(connection?.url.pathname).toBe('/v1/text-to-speech/v1/multi-stream-input');
    expect(Object.fromEntries(connection?.url.searchParams ?? [])).toMatchObject({
      model_id: 'eleven_turbo_v2_5',
      output_format: 'ulaw_8000',
      language_code: 'de',
      seed: '7',
      apply_text_normalization: 'off',
      auto_mode: 'true',
    });
    expect(connection?.received[0]).toMatchObject({
      text: ' ',
      voice_settings: {
        stability: 0.3,
        similarity_boost: 0.9,
        style: 0.2,
        use_speaker_boost: false,
        speed: 1.2,
      },
    });
  });

  test('at most five utterances share a connection', async () => {
    await using b = await bench(vendor, await startElevenLabsEmulator());
    await collect(b.speak());
    await Promise.all(Array.from({ length: 7 }, () => collect(b.speak())));
    expect(b.emulator.connections.length).toBeGreaterThan(1);
  });

  test.each([{ otherSpelling: true }, { noAlignment: true }])('%j', async (script) => {
    await using b = await bench(vendor, await startElevenLabsEmulator(script));
    const words = wordsOf(await collect(b.speak()));
    if (script.noAlignment) expect(words).toEqual([]);
    else expect(words.map((word) => word.word)).toEqual(TEXT.split(' '));
  });

  test('times of a chunk count from the audio before it', async () => {
    await using b = await bench(vendor, await startElevenLabsEmulator());
    const words = wordsOf(await collect(b.speak()));
    const at = TEXT.indexOf('like');
    expect(words.find((word) => word.word === 'like')).toEqual({
      word: 'like',
      startMs: at * 60,
      endMs: (at + 4) * 60,
    });
  });

  test('errors in the stream have their class', async () => {
    await using b = await bench(vendor, await startElevenLabsEmulator({ fault: 'error' }));
    await expect(collect(b.speak())).rejects.toMatchObject({
      class: 'quota',
      code: 'quota_exceeded',
    });
  });
});

describe('cartesia', () => {
  const vendor = VENDORS[1] as VendorUnderTest;

  test('one connection for all voices, and the version in its header', async () => {
    await using b = await bench(vendor, await startCartesiaEmulator());
    await collect(b.speak({ voice: 'a', settings: { speed: 9 } }));
    await collect(b.speak({ voice: 'b', language: 'fr-FR' }));
    expect(b.emulator.connections).toHaveLength(1);
    const [first, second] = b.emulator.connections[0]?.received ?? [];
    expect(first).toMatchObject({ voice: { id: 'a' }, generation_config: { speed: 1.5 } });
    expect(second).toMatchObject({ voice: { id: 'b' }, language: 'fr', continue: false });
  });

  test('times may come before their audio', async () => {
    await using b = await bench(vendor, await startCartesiaEmulator({ timestampsFirst: true }));
    const words = wordsOf(await collect(b.speak()));
    expect(words.map((word) => word.word)).toEqual(TEXT.split(' '));
    expect(words.at(-1)?.endMs).toBe(TEXT.length * 60);
  });
});

describe('deepgram', () => {
  const vendor = VENDORS[2] as VendorUnderTest;

  test('what comes late after a cancel is not taken for the next utterance', async () => {
    const emulator = await startDeepgramSpeakEmulator({ lateFrames: true, fault: 'hang' });
    await using b = await bench(vendor, emulator);
    const controller = new AbortController();
    for await (const part of b.speak({ signal: controller.signal })) {
      expect(part.type).toBe('audio');
      controller.abort();
      break;
    }
    await expect.poll(() => emulator.connections[0]?.received.at(-1)).toEqual({ type: 'Clear' });
    const words = collect(b.speak({ text: 'ok' }));
    expect(samplesOf(await words)).toBe(2 * 60 * 16);
  });

  test('a connection whose flushes are used up is left for a new one', async () => {
    await using b = await bench(vendor, await startDeepgramSpeakEmulator());
    for (let i = 0; i < 19; i++) await collect(b.speak({ text: 'ok' }));
    expect(b.emulator.connections).toHaveLength(2);
  });

  test('long texts go in messages of the size it takes; voices by name or model', async () => {
    await using b = await bench(vendor, await startDeepgramSpeakEmulator());
    const text = 'A sentence of some words. '.repeat(200).trim();
    const parts = await collect(b.speak({ text, voice: 'orion', language: 'es-MX' }));
    expect(samplesOf(parts)).toBe(text.length * 60 * 16);
    expect(b.emulator.connections[0]?.url.searchParams.get('model')).toBe('aura-2-orion-es');
    await collect(b.speak({ voice: 'aura-2-luna-en' }));
    expect(b.emulator.connections[1]?.url.searchParams.get('model')).toBe('aura-2-luna-en');
  });
});

describe('written words', () => {
  test('pieces of any size become the words of the text, in order and once', () => {
    const words = new WrittenWords('Hello, wide world!');
    expect(words.take([{ text: 'Hel', startMs: 0, endMs: 10 }])).toEqual([]);
    expect(words.take([{ text: 'lo, wi', startMs: 10, endMs: 30 }])).toEqual([
      { word: 'Hello,', startMs: 0, endMs: 30 },
    ]);
    expect(words.take([{ text: 'de world!', startMs: 30, endMs: 90 }])).toEqual([
      { word: 'wide', startMs: 30, endMs: 90 },
      { word: 'world!', startMs: 90, endMs: 90 },
    ]);
    expect(words.end()).toEqual([]);
  });

  test('what the vendor leaves out or adds does not lose the thread', () => {
    const words = new WrittenWords('Yes — “really”, 5 of them');
    const timings = ['Yes', 'really', 'uh', 'five', 'of', 'them'].map((text, i) => ({
      text,
      startMs: i * 100,
      endMs: i * 100 + 90,
    }));
    const given = [...words.take(timings), ...words.end()];
    expect(given.map((word) => word.word)).toEqual(['Yes', '—', '“really”,', '5', 'of', 'them']);
    expect(given.at(-1)).toEqual({ word: 'them', startMs: 500, endMs: 590 });
    expect(given[2]).toMatchObject({ startMs: 100, endMs: 190 });
  });
});
