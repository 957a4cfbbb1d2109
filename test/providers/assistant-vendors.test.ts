import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { AssistantVendors } from '../../src/providers/assistant-vendors.ts';
import { createProviders, type Providers } from '../../src/providers/registry.ts';
import type { VendorAccesses } from '../../src/providers/usable-vendor.ts';
import { startCartesiaEmulator } from '../support/cartesia-emulator.ts';
import { collect } from '../support/collect.ts';
import { startDeepgramSpeakEmulator } from '../support/deepgram-speak-emulator.ts';

const warnings: Readonly<Record<string, unknown>>[] = [];
const log = {
  debug() {},
  info() {},
  warn: (fields: Readonly<Record<string, unknown>>) => void warnings.push(fields),
  error() {},
};
const open: Providers[] = [];

function providers(vendors: VendorAccesses): Providers {
  const created = createProviders({ vendors, allowPrivateTargets: false, clock: systemClock, log });
  open.push(created);
  return created;
}

afterEach(async () => {
  warnings.length = 0;
  for (const one of open.splice(0)) await one.close();
});

function assistant(
  voices: readonly { vendor: string; enabled?: boolean; voice?: string }[],
  more: Partial<AssistantVendors['config']['speech']> = {},
): AssistantVendors {
  return {
    assistantProvider: 'offline',
    assistantModel: '',
    assistantLLMUrl: '',
    ttsAudioCacheScope: 'team',
    config: {
      speech: {
        stt: { vendor: 'offline' },
        ttsData: voices.map((voice) => ({ enabled: true, ...voice })),
        ...more,
      },
    },
  };
}

const request = (text: string) => ({
  text,
  sampleRateHz: 8000,
  signal: new AbortController().signal,
});

describe('voices of an assistant', () => {
  test('the first that is enabled speaks; when it fails, the next, in its own voice', async () => {
    await using cartesia = await startCartesiaEmulator({ refuse: { status: 500 } });
    await using deepgram = await startDeepgramSpeakEmulator();
    const { forAssistant } = providers({
      CARTESIA: { apiKey: 'k', baseUrl: cartesia.baseUrl },
      DEEPGRAM: { apiKey: 'k', baseUrl: deepgram.baseUrl },
    });
    const { tts } = forAssistant(
      assistant([
        { vendor: 'elevenlabs', enabled: false },
        { vendor: 'cartesia' },
        { vendor: 'deepgram', voice: 'aura-2-luna-en' },
      ]),
    );
    const parts = await collect(tts.synthesize(request('Hello there.')));
    expect(parts.some((part) => part.type === 'audio')).toBe(true);
    expect(deepgram.connections[0]?.url.searchParams.get('model')).toBe('aura-2-luna-en');
    expect(warnings).toContainEqual(expect.objectContaining({ vendor: 'cartesia' }));
  });

  test('one without a key is passed over; none with one is told as such', () => {
    const { forAssistant } = providers({ DEEPGRAM: { apiKey: 'k' } });
    const { tts } = forAssistant(assistant([{ vendor: 'cartesia' }, { vendor: 'deepgram' }]));
    expect(tts.provider).toBe('deepgram');
    expect(warnings).toContainEqual(
      expect.objectContaining({ vendor: 'cartesia', code: 'no_key' }),
    );
    expect(() => forAssistant(assistant([{ vendor: 'cartesia' }]))).toThrow(/CARTESIA_API_KEY/);
  });

  test('what was spoken is spoken again within the scope, and only there', async () => {
    await using cartesia = await startCartesiaEmulator();
    const { forAssistant } = providers({ CARTESIA: { apiKey: 'k', baseUrl: cartesia.baseUrl } });
    const speak = (teamId: string, assistantId: string) =>
      collect(
        forAssistant(assistant([{ vendor: 'cartesia' }]), {
          teamId,
          assistantId,
        }).tts.synthesize(request('Welcome.')),
      );
    const spoken = () => cartesia.connections.flatMap(({ received }) => received).length;
    await speak('t1', 'a1');
    await speak('t1', 'a2');
    expect(spoken()).toBe(1);
    await speak('t2', 'a3');
    expect(spoken()).toBe(2);
  });
});

test.each([
  // Spoken for: the same assistant, another of the team, one of another team.
  ['assistant', 3],
  ['team', 2],
  ['global', 1],
] as const)('what is cached for the scope %s is synthesised %i times', async (scope, times) => {
  await using cartesia = await startCartesiaEmulator();
  const { forAssistant } = providers({ CARTESIA: { apiKey: 'k', baseUrl: cartesia.baseUrl } });
  const config = { ...assistant([{ vendor: 'cartesia' }]), ttsAudioCacheScope: scope };
  for (const [teamId, assistantId] of [
    ...[['t1', 'a1'] as const, ['t1', 'a1'] as const],
    ...[['t1', 'a2'] as const, ['t2', 'a3'] as const],
  ]) {
    const { tts } = forAssistant(config, { teamId, assistantId });
    await collect(tts.synthesize(request('Welcome.')));
  }
  const spoken = cartesia.connections.flatMap(({ received }) => received);
  expect(spoken).toHaveLength(times);
});

describe('recognisers of an assistant', () => {
  const fallback = (vendor: string, enabled = true) =>
    assistant([{ vendor: 'offline' }], {
      stt: { vendor: 'deepgram' },
      sttFallback: { enabled, vendor, languages: 'en-US, de-DE' },
    });

  test('what one says of itself reaches the calls of a team', () => {
    const { forAssistant } = providers({ DEEPGRAM: { apiKey: 'k' } });
    const of = (vendor: string) =>
      forAssistant(assistant([{ vendor: 'offline' }], { stt: { vendor } }), { teamId: 't1' }).stt;
    expect(of('deepgram')).toMatchObject({ provider: 'deepgram', flushes: true });
    expect(of('deepgram').sparseInterims).toBeFalsy();
    expect(of('offline')).toMatchObject({ flushes: true, sparseInterims: true });
  });

  test('one behind the other, where there is another that can serve', () => {
    const { forAssistant, stt } = providers({ DEEPGRAM: { apiKey: 'k' }, OPENAI: { apiKey: 'k' } });
    const alone = stt('deepgram').finalLatencyP99Ms;
    const later = stt('openai').finalLatencyP99Ms;
    // Two are as late as the later of them.
    const latency = (vendor: string, enabled = true) =>
      forAssistant(fallback(vendor, enabled)).stt.finalLatencyP99Ms;
    expect(later).toBeGreaterThan(alone);
    expect(latency('openai')).toBe(later);
    expect(latency('openai', false)).toBe(alone);
    expect(latency('deepgram')).toBe(alone);
    expect(latency('assemblyai')).toBe(alone);
    expect(warnings).toContainEqual(
      expect.objectContaining({ vendor: 'assemblyai', code: 'no_key' }),
    );
  });
});
