import { expect, test } from 'vitest';
import { systemClock } from '../../src/lib/system-clock.ts';
import { checkVendors } from '../../src/providers/check-vendors.ts';
import { createProviders } from '../../src/providers/registry.ts';
import { startCartesiaEmulator } from '../support/cartesia-emulator.ts';
import { startDeepgramListenEmulator } from '../support/deepgram-listen-emulator.ts';
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
