import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/lib/system-clock.ts';
import { environmentName, VENDOR_ACCOUNTS } from '../../src/lib/vendor-accounts.ts';
import type { Llm } from '../../src/ports/llm.ts';
import { createBuiltInEngines } from '../../src/providers/built-in-engines.ts';
import { ThreadPool } from '../../src/providers/offline/stt/thread-pool.ts';
import { VoicePool } from '../../src/providers/offline/tts/voice-pool.ts';
import { createProviders, type Providers } from '../../src/providers/registry.ts';
import type { VendorAccesses } from '../../src/providers/usable-vendor.ts';
import { VadThread } from '../../src/providers/vad/vad-thread.ts';
import { startChatEmulator } from '../support/chat-completions-emulator.ts';
import { collect } from '../support/collect.ts';
import { startDeepgramFluxEmulator } from '../support/deepgram-flux-emulator.ts';
import { startElevenLabsEmulator } from '../support/elevenlabs-emulator.ts';
import { ManualClock } from '../support/manual-clock.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const open: Providers[] = [];

function providers(vendors: VendorAccesses = {}, allowPrivateTargets = false): Providers {
  const created = createProviders({
    vendors,
    allowPrivateTargets,
    clock: systemClock,
    log: silent,
  });
  open.push(created);
  return created;
}

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function ask(llm: Llm) {
  const messages = [{ role: 'user', content: 'hello' }] as const;
  return collect(llm.stream({ messages, signal: new AbortController().signal }));
}

const choice = { provider: 'openai', model: '', url: '' };

describe('defaults', () => {
  test('without any key: offline', () => {
    const { catalogue } = providers();
    expect(catalogue.llm.defaultName).toBe('offline');
    expect(catalogue.tts.defaultName).toBe('offline');
    expect(catalogue.llm.names).toEqual(
      expect.arrayContaining(['openai', 'azure-openai', 'google', 'deepseek', 'anthropic']),
    );
  });

  test.each<[VendorAccesses, string]>([
    [{ OPENAI: { apiKey: 'k' }, GOOGLE: { apiKey: 'k' } }, 'openai'],
    [{ DEEPSEEK: { apiKey: 'k' }, ANTHROPIC: { apiKey: 'k' } }, 'deepseek'],
    [{ OPENAI: { baseUrl: 'http://127.0.0.1/v1' }, ANTHROPIC: { apiKey: 'k' } }, 'anthropic'],
    // A deployment has to be named: it can't be anybody's default.
    [{ AZURE_OPENAI: { apiKey: 'k', baseUrl: 'https://r.openai.azure.com/openai/v1' } }, 'offline'],
  ])('%j: %s', (vendors, name) => {
    expect(providers(vendors).catalogue.llm.defaultName).toBe(name);
  });
});

describe('models', () => {
  test('an operator’s base URL may be private, and gets key and default model', async () => {
    await using emulator = await startChatEmulator({ apiKey: 'k1' });
    emulator.script({ deltas: ['hi'] });
    const { llm } = providers({ OPENAI: { apiKey: 'k1', baseUrl: emulator.baseUrl } });
    const parts = await ask(llm(choice));
    expect(parts[0]).toEqual({ type: 'text', text: 'hi' });
    expect(emulator.requests[0]?.body.model).toBe('gpt-4.1-mini');
  });

  test('azure is reached by its own header, address and deployment', async () => {
    await using emulator = await startChatEmulator({ apiKey: 'k2' });
    emulator.script({ deltas: ['hi'], azure: true });
    const baseUrl = `${emulator.baseUrl}?api-version=2024-10-21`;
    const { llm } = providers({ AZURE_OPENAI: { apiKey: 'k2', baseUrl } });
    await ask(llm({ provider: 'azure-openai', model: 'my-deployment', url: '' }));
    const [request] = emulator.requests;
    expect(request?.headers['api-key']).toBe('k2');
    expect(request?.headers.authorization).toBeUndefined();
    expect(request?.path).toBe('/v1/chat/completions?api-version=2024-10-21');
  });

  test('deepseek is told not to think, unless the server behind its address knows no such field', async () => {
    await using emulator = await startChatEmulator({ apiKey: 'k3' });
    emulator.script({ deltas: ['hi'] });
    const { llm } = providers({ DEEPSEEK: { apiKey: 'k3', baseUrl: emulator.baseUrl } });
    for (let i = 0; i < 2; i++) await ask(llm({ ...choice, provider: 'deepseek' }));
    const [first, second, third] = emulator.requests;
    expect(first?.body).toMatchObject({ model: 'deepseek-flash', thinking: { type: 'disabled' } });
    // The emulated server takes what OpenAI takes: it refuses the field by name, and that is remembered.
    expect(second?.body).not.toHaveProperty('thinking');
    expect(third?.body).not.toHaveProperty('thinking');
    expect(emulator.requests).toHaveLength(3);
  });

  test('a user’s URL is guarded, and never gets an operator’s key', async () => {
    await using emulator = await startChatEmulator();
    emulator.script({ deltas: ['hi'] });
    const own = { provider: 'custom-llm', model: 'llama', url: emulator.baseUrl };
    const keys = { OPENAI: { apiKey: 'k' } };
    await expect(ask(providers(keys).llm(own))).rejects.toMatchObject({ code: 'private_target' });
    expect(emulator.connections()).toBe(0);
    await ask(providers(keys, true).llm(own));
    expect(emulator.requests[0]?.headers.authorization).toBeUndefined();
    expect(emulator.requests[0]?.body.model).toBe('llama');
  });

  test('the same choice is the same model, so that what it learnt is kept', () => {
    const { llm } = providers({ OPENAI: { apiKey: 'k' } });
    expect(llm(choice)).toBe(llm({ ...choice }));
    expect(llm({ ...choice, model: 'gpt-4o' })).not.toBe(llm(choice));
  });

  test.each([
    [{ ...choice }, 'no_key', /OPENAI_API_KEY/],
    [{ ...choice, provider: 'azure-openai', model: 'd' }, 'no_url', /AZURE_OPENAI_BASE_URL/],
    [{ ...choice, provider: 'azure-openai' }, 'no_model', /name one/],
    [{ ...choice, provider: 'custom-llm' }, 'no_url', /assistantLLMUrl/],
    [{ ...choice, provider: 'custom-llm', url: '::' }, 'bad_url', /not a URL/],
    [{ ...choice, provider: 'nobody' }, 'unknown_vendor', /known: openai/],
  ])('%j can’t serve: %s', (unusable, code, message) => {
    expect(() => providers().llm(unusable)).toThrow(
      expect.objectContaining({
        name: 'ProviderError',
        code,
        message: expect.stringMatching(message),
      }),
    );
  });

  test('offline needs nothing', async () => {
    const parts = await ask(providers().llm({ ...choice, provider: 'offline' }));
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
  });
});

test('vectors come from openai with its key, from a server of its own without; else there are none', () => {
  expect(providers({ OPENAI: { apiKey: 'k' } }).embedder?.model).toBe('text-embedding-3-small');
  expect(providers().embedder).toBeUndefined();
  const own = createProviders({
    vendors: {},
    embeddings: { baseUrl: 'http://127.0.0.1:9/v1', model: 'own-model' },
    allowPrivateTargets: true,
    clock: systemClock,
    log: silent,
  });
  expect(own.embedder?.model).toBe('own-model');
});

test('a call to come starts the built-in engines that it may use, fallbacks included', async () => {
  const started = {
    voice: vi.spyOn(VoicePool.prototype, 'run'),
    recogniser: vi.spyOn(ThreadPool.prototype, 'pick'),
    vad: vi.spyOn(VadThread.prototype, 'start'),
  };
  onTestFinished(() => void vi.restoreAllMocks());
  const { wake, threadsOf } = providers();
  const speech = (stt: string, tts: string, sttFallback = 'none') => ({
    ...{ assistantProvider: 'offline', assistantModel: '', assistantLLMUrl: '' },
    config: {
      speech: {
        stt: { vendor: stt, languages: 'en-US' },
        sttFallback: { enabled: sttFallback !== 'none', vendor: sttFallback, languages: 'en-US' },
        ttsData: [{ enabled: true, vendor: tts }],
      },
    },
  });
  await wake(speech('deepgram', 'cartesia'));
  expect(started.vad).toHaveBeenCalled();
  expect(started.voice).not.toHaveBeenCalled();
  expect(started.recogniser).not.toHaveBeenCalled();
  expect(threadsOf(speech('deepgram', 'cartesia'))).toEqual(['vad']);
  expect(threadsOf(speech('deepgram', 'cartesia', 'offline'))).toEqual(['vad', 'recogniser']);
  expect(threadsOf(speech('offline', 'offline'))).toEqual(['vad', 'recogniser', 'voice']);
  await wake(speech('deepgram', 'cartesia', 'offline'));
  expect(started.recogniser).toHaveBeenCalledOnce();
  await Promise.all([wake(speech('offline', 'offline')), wake(speech('offline', 'offline'))]);
  expect(started.voice).toHaveBeenCalledOnce();
  expect(started.recogniser).toHaveBeenCalledOnce();
});

test('a call waits for the voice to be ready, but not for one that does not start', async () => {
  const clock = new ManualClock();
  const speech = { stt: { vendor: 'deepgram' }, ttsData: [{ enabled: true, vendor: 'offline' }] };
  const config = { speech };
  const assistant = { assistantProvider: '', assistantModel: '', assistantLLMUrl: '', config };
  const engines = createBuiltInEngines({ clock, log: silent });
  onTestFinished(() => engines.close());
  const spoken = vi.spyOn(VoicePool.prototype, 'run');
  onTestFinished(() => void vi.restoreAllMocks());
  await engines.wake(assistant);
  expect(await Promise.race([spoken.mock.results[0]?.value, 'not ready'])).toMatchObject({
    sampleRateHz: 16_000,
  });

  vi.spyOn(VoicePool.prototype, 'isRunning', 'get').mockReturnValue(false);
  spoken.mockReturnValue(new Promise(() => undefined));
  let isAwake = false;
  const waking = engines.wake(assistant).then(() => {
    isAwake = true;
  });
  await clock.advance(999);
  expect(isAwake).toBe(false);
  await clock.advance(1);
  await waking;
});

describe('voices and recognisers', () => {
  test('the first voice with a key is the default; those with word times come first', () => {
    const key = { apiKey: 'k' };
    const defaults = (vendors: VendorAccesses) => providers(vendors).catalogue.tts.defaultName;
    expect(defaults({ OPENAI: key, CARTESIA: key })).toBe('cartesia');
    expect(defaults({ OPENAI: key })).toBe('openai');
    expect(defaults({ OPENAI: { baseUrl: 'http://127.0.0.1' } })).toBe('offline');
  });

  test('a voice speaks through the address and with the key of the operator, one for all calls', async () => {
    await using emulator = await startElevenLabsEmulator({ apiKey: 'k3' });
    const { tts } = providers({ ELEVENLABS: { apiKey: 'k3', baseUrl: emulator.baseUrl } });
    const { signal } = new AbortController();
    const parts = await collect(
      tts('elevenlabs').synthesize({ text: 'Hello.', sampleRateHz: 8000, signal }),
    );
    expect(parts.some((part) => part.type === 'audio')).toBe(true);
    expect(tts('elevenlabs')).toBe(tts('elevenlabs'));
  });

  test('without a key, a voice can’t serve', () => {
    expect(() => providers().tts('deepgram')).toThrow(/DEEPGRAM_API_KEY/);
  });

  test('the quickest recogniser with a key is the default', () => {
    const key = { apiKey: 'k' };
    const defaults = (vendors: VendorAccesses) => providers(vendors).catalogue.stt.defaultName;
    expect(defaults({ OPENAI: key, ASSEMBLYAI: key })).toBe('assemblyai');
    expect(defaults({ OPENAI: key, DEEPGRAM: key })).toBe('deepgram');
    expect(defaults({ OPENAI: { baseUrl: 'http://127.0.0.1' } })).toBe('offline');
  });

  test('a recogniser listens through the address and with the key of the operator', async () => {
    await using emulator = await startDeepgramFluxEmulator({ apiKey: 'k4', clock: systemClock });
    const { stt } = providers({ DEEPGRAM: { apiKey: 'k4', baseUrl: emulator.baseUrl } });
    const stream = await stt('deepgram-flux').open({
      sampleRateHz: 16_000,
      languages: ['en'],
      hints: [],
      phrases: [],
      onEvent: () => undefined,
      signal: new AbortController().signal,
    });
    stream.close();
    expect(stt('deepgram-flux')).toBe(stt('deepgram-flux'));
    expect(emulator.connections).toHaveLength(1);
  });

  test('without a key, a recogniser can’t serve', () => {
    expect(() => providers().stt('deepgram-flux')).toThrow(/DEEPGRAM_API_KEY/);
  });

  test('the catalogue says what offline voices and closed recognisers have', () => {
    const { stt, tts } = providers().catalogue;
    expect(tts.voices?.offline).toContain('slt');
    expect(tts.languages?.offline).toEqual(['en']);
    expect(stt.languages?.offline).toEqual(['en', 'fr']);
    expect(stt.languages?.['deepgram-flux']).toContain('nl');
  });

  test('every account has a vendor that uses it', () => {
    // The other way round the types see to it: a factory can name no account that has no settings.
    for (const account of VENDOR_ACCOUNTS) {
      const keys = { [environmentName(account)]: { apiKey: 'k', baseUrl: 'http://127.0.0.1:9' } };
      const { llm, stt, tts } = providers(keys);
      const uses = [
        () => llm({ provider: account, model: 'm', url: '' }),
        () => stt(account),
        () => tts(account),
      ];
      const able = uses.filter((use) => {
        try {
          use();
          return true;
        } catch {
          return false;
        }
      });
      expect([account, able.length > 0]).toEqual([account, true]);
    }
  });

  test('an assistant whose model is to end is warned with the day and the successor, and goes on', () => {
    const { problemsOf } = providers({ GOOGLE: { apiKey: 'k' } });
    const named = (assistantModel: string) =>
      problemsOf({
        assistantProvider: 'google',
        assistantModel,
        assistantLLMUrl: '',
        config: { speech: { stt: { vendor: 'offline' }, ttsData: [] } },
      }).filter(({ path }) => path === 'assistantModel');
    expect(named('gemini-2.5-flash')).toEqual([
      {
        path: 'assistantModel',
        vendor: 'google',
        code: 'model_ending',
        message:
          'google ends gemini-2.5-flash on 2026-12-01; it names gemini-3.5-flash-lite in its place',
        blocks: false,
      },
    ]);
    expect(named('')).toEqual([]);
  });

  test('unknown ones are refused, with the known ones named', () => {
    const { tts, stt } = providers();
    expect(tts('offline').provider).toBe('offline');
    expect(() => tts('nobody')).toThrow(
      /known: elevenlabs, cartesia, deepgram, openai, sherpa-onnx, offline/,
    );
    expect(() => stt('nobody')).toThrow(/No recogniser vendor "nobody"/);
  });
});
