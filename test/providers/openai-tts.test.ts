import { describe, expect, test } from 'vitest';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { TtsPart, TtsRequest } from '../../src/ports/tts.ts';
import { createOpenAiTts } from '../../src/providers/openai-tts/adapter.ts';
import { collect } from '../support/collect.ts';
import {
  type OpenAiSpeechScript,
  startOpenAiSpeechEmulator,
} from '../support/openai-speech-emulator.ts';
import { describeTtsContract } from './tts-contract.ts';

const KEY = 'sk-proj-THISISSECRET';
const TEXT = 'We are open from nine to five.';

async function bench(script: OpenAiSpeechScript = {}, clock: Clock = systemClock) {
  const emulator = await startOpenAiSpeechEmulator(script);
  const guarded = createGuardedFetch({ allowPrivate: true, clock });
  const { baseUrl } = emulator;
  const tts = createOpenAiTts({ apiKey: KEY, baseUrl, fetch: guarded.fetch, clock });
  return {
    emulator,
    tts,
    speak: (request: Partial<TtsRequest> = {}): AsyncIterable<TtsPart> =>
      tts.synthesize({
        text: TEXT,
        sampleRateHz: 16_000,
        signal: new AbortController().signal,
        ...request,
      }),
    async [Symbol.asyncDispose]() {
      await guarded.close();
      await emulator[Symbol.asyncDispose]();
    },
  };
}

function samplesOf(parts: readonly TtsPart[]): number {
  return parts.reduce((sum, part) => sum + (part.type === 'audio' ? part.pcm.length : 0), 0);
}

describeTtsContract('openai-tts', async () => {
  const b = await bench({ apiKey: KEY });
  return {
    tts: b.tts,
    wordTimings: false,
    fail: { text: 'x'.repeat(5000) },
    [Symbol.asyncDispose]: b[Symbol.asyncDispose],
  };
});

describe('openai-tts', () => {
  test('chunks of odd sizes lose no sample', async () => {
    await using b = await bench();
    const parts = await collect(b.speak());
    expect(samplesOf(parts)).toBe(TEXT.length * 60 * 24);
    expect(parts.every((part) => part.type === 'audio' && part.sampleRateHz === 24_000)).toBe(true);
  });

  test('a compatible server may send a WAV file of its own rate', async () => {
    await using b = await bench({ wavRateHz: 22_050 });
    const parts = await collect(b.speak());
    expect(samplesOf(parts)).toBe(Math.round(TEXT.length * 60 * 22.05));
    expect(parts[0]).toMatchObject({ sampleRateHz: 22_050 });
  });

  test('the request says what, how and how fast', async () => {
    await using b = await bench({ apiKey: KEY });
    await collect(b.speak({ voice: 'cedar', settings: { modelId: 'tts-1', speed: 1.25 } }));
    await collect(b.speak());
    expect(b.emulator.requests).toEqual([
      { model: 'tts-1', voice: 'cedar', input: TEXT, response_format: 'pcm', speed: 1.25 },
      { model: 'gpt-4o-mini-tts', voice: 'marin', input: TEXT, response_format: 'pcm' },
    ]);
  });

  test.each<[OpenAiSpeechScript, object]>([
    [{ apiKey: 'another' }, { class: 'auth', code: 'invalid_api_key' }],
    [{ status: 429 }, { class: 'rate', retryable: true }],
    [{ status: 429, body: { error: { code: 'insufficient_quota' } } }, { class: 'quota' }],
    [{ status: 500 }, { class: 'network' }],
    [{ fault: 'reset' }, { class: 'network' }],
    [{ fault: 'no-audio' }, { class: 'silent', code: 'no_audio' }],
    [{ fault: 'html' }, { class: 'protocol', code: 'not_audio' }],
  ])('%j is a typed failure', async (script, expected) => {
    await using b = await bench(script);
    const error = await collect(b.speak()).catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'ProviderError', provider: 'openai', ...expected });
    expect(String(error)).not.toContain('SECRET');
  });

  test.each([
    ['hang-first', 'first_audio_timeout', 5000],
    ['hang', 'stalled', 4000],
  ] as const)('%s is given up after a while (%s)', async (fault, code, ms) => {
    const clock = new VirtualClock();
    await using b = await bench({ fault }, clock);
    const heard: TtsPart[] = [];
    const reading = (async () => {
      for await (const part of b.speak()) heard.push(part);
    })().catch((e: unknown) => e);
    await expect.poll(() => b.emulator.requests).toHaveLength(1);
    if (fault === 'hang') await expect.poll(() => samplesOf(heard)).toBeGreaterThan(4000);
    clock.advanceTo(clock.now() + ms);
    expect(await reading).toMatchObject({ class: 'timeout', code });
  });

  test('an abort is seen by the server', async () => {
    await using b = await bench({ fault: 'hang' });
    const controller = new AbortController();
    const reading = collect(b.speak({ signal: controller.signal })).catch((e: Error) => e.name);
    await expect.poll(() => b.emulator.requests).toHaveLength(1);
    controller.abort();
    expect(await reading).toBe('AbortError');
    await expect.poll(() => b.emulator.disconnected()).toBe(1);
  });
});
