import { expect, test } from 'vitest';
import { ProviderError } from '../../src/lib/errors.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { LlmPart } from '../../src/ports/llm.ts';
import type { Stt, SttEvent } from '../../src/ports/stt.ts';
import { checkVendors } from '../../src/providers/check-vendors.ts';
import { judgeRecogniser } from '../../src/providers/judge-recogniser.ts';
import { createProviders } from '../../src/providers/registry.ts';
import { startCartesiaEmulator } from '../support/cartesia-emulator.ts';
import { startDeepgramListenEmulator } from '../support/deepgram-listen-emulator.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { toneSpeech } from '../support/tone-words.ts';

test('each vendor is tried, measured, and a failure is a row without secrets', async () => {
  await using cartesia = await startCartesiaEmulator();
  await using deepgram = await startDeepgramListenEmulator({ clock: systemClock });
  const providers = createProviders({
    vendors: {
      OPENAI: { apiKey: 'sk-THISISSECRET', baseUrl: 'http://127.0.0.1:9/v1' },
      CARTESIA: { apiKey: 'k', baseUrl: cartesia.baseUrl },
      DEEPGRAM: { apiKey: 'k', baseUrl: deepgram.baseUrl },
    },
    allowPrivateTargets: false,
    clock: systemClock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const rows = await checkVendors(
    providers,
    { llm: ['openai'], tts: ['cartesia'], stt: ['deepgram'] },
    { pcm: toneSpeech('thank you', 16_000), sampleRateHz: 16_000 },
    systemClock,
  );
  await providers.close();
  expect(rows).toEqual([
    expect.objectContaining({ port: 'model', vendor: 'openai', ok: false }),
    expect.objectContaining({ port: 'voice', vendor: 'cartesia', ok: true }),
    expect.objectContaining({ port: 'recogniser', ok: true, note: '"thank you"' }),
    expect.objectContaining({ port: 'embeddings', ok: false }),
  ]);
  expect(rows[0]?.note).toMatch(/^network: openai/);
  expect(rows[1]?.note).toMatch(/^2\.\d s of audio, 11 words timed$/);
  expect(JSON.stringify(rows)).not.toContain('THISISSECRET');
});

test('a vendor that refuses its default model is told as such, with the day on which that was true', async () => {
  const refusal = new ProviderError({
    class: 'invalid',
    provider: 'deepseek',
    code: 'model_not_found',
    message: 'deepseek: Model Not Exist',
  });
  const providers = {
    llm: () => ({
      provider: 'deepseek',
      // biome-ignore lint/correctness/useYield: it fails before it says anything
      async *stream(): AsyncGenerator<LlmPart> {
        throw refusal;
      },
    }),
    tts: () => {
      throw new Error('unused');
    },
    stt: () => {
      throw new Error('unused');
    },
    embedder: undefined,
  };
  const tried = { llm: ['deepseek'], tts: [], stt: [] };
  const sample = { pcm: new Int16Array(0), sampleRateHz: 16_000 };
  const [row] = await checkVendors(providers, tried, sample, systemClock);
  expect(row).toMatchObject({ ok: false, vendor: 'deepseek' });
  expect(row?.note).toMatch(/^refuses deepseek-flash, its default here since 2026-11-22: name /);
});

test('a recogniser of one’s own is judged by words and by speed, and deafness counts as errors', async () => {
  const clock = new ManualClock();
  const texts = ['ask what you can do', 'go forward then meters', ''];
  const stt: Stt = {
    provider: 'local',
    inputRatesHz: [8000],
    finalLatencyP99Ms: 100,
    async open({ onEvent }) {
      const text = texts.shift() ?? '';
      const final = { type: 'final', segmentId: '1', text, startMs: 0, endMs: 1, confidence: 1 };
      return {
        droppedMs: 0,
        write() {},
        speechStarted() {},
        flush() {},
        speechEnded: () => void clock.setTimeout(() => text && onEvent(final as SttEvent), 500),
        close() {},
      };
    },
  };
  const sample = (text: string) => ({
    name: text,
    text,
    pcm: new Int16Array(16_000),
    sampleRateHz: 8000,
  });
  const spoken = ['Ask what you can do.', 'Go forward ten meters.', 'Seven'].map(sample);
  const judging = judgeRecogniser(stt, spoken, clock);
  for (let i = 0; i < 3; i++) await clock.advance(10_000);
  const judged = await judging;
  expect(judged.heard.map(({ text }) => text)).toEqual([
    'ask what you can do',
    'go forward then meters',
    '',
  ]);
  expect(judged.wordErrorRate).toBeCloseTo(2 / 10);
  // Two recordings of two seconds, each understood in half of one.
  expect(judged.timesRealTime).toBeCloseTo(4);
});
