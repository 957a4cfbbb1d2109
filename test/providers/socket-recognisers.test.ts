import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/ports/clock.ts';
import { createAssemblyAiProtocol } from '../../src/providers/assemblyai-stt/protocol.ts';
import { createDeepgramFluxProtocol } from '../../src/providers/deepgram-flux-stt/protocol.ts';
import { createDeepgramSttProtocol } from '../../src/providers/deepgram-stt/protocol.ts';
import { createOpenAiRealtimeSttProtocol } from '../../src/providers/openai-realtime-stt/protocol.ts';
import { createSttSocket } from '../../src/providers/stt-socket/adapter.ts';
import type { SttVendor } from '../../src/providers/stt-socket/stt-vendor.ts';
import { advanceLive } from '../support/advance-live.ts';
import { startAssemblyAiEmulator } from '../support/assemblyai-emulator.ts';
import { CallerLine } from '../support/caller-line.ts';
import { startDeepgramFluxEmulator } from '../support/deepgram-flux-emulator.ts';
import { startDeepgramListenEmulator } from '../support/deepgram-listen-emulator.ts';
import type { HearingScript } from '../support/hearing-script.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  type RealtimeScript,
  startOpenAiRealtimeEmulator,
} from '../support/openai-realtime-emulator.ts';
import type { VendorSocketEmulator } from '../support/vendor-socket-emulator.ts';
import { describeSttContract, type SttUnderTest } from './stt-contract.ts';

interface SocketVendor {
  readonly name: string;
  readonly start: (script: HearingScript) => Promise<VendorSocketEmulator>;
  readonly protocol: (access: { baseUrl: string; apiKey: string }) => SttVendor;
}

const VENDORS: readonly SocketVendor[] = [
  {
    name: 'deepgram',
    start: startDeepgramListenEmulator,
    protocol: createDeepgramSttProtocol,
  },
  {
    name: 'deepgram-flux',
    start: startDeepgramFluxEmulator,
    protocol: createDeepgramFluxProtocol,
  },
  { name: 'assemblyai', start: startAssemblyAiEmulator, protocol: createAssemblyAiProtocol },
  {
    name: 'openai',
    start: startOpenAiRealtimeEmulator,
    protocol: ({ baseUrl, apiKey }) =>
      createOpenAiRealtimeSttProtocol({ baseUrl: `${baseUrl}/v1`, apiKey }),
  },
];

function recogniser(vendor: SttVendor, clock: Clock) {
  return createSttSocket(vendor, { clock, random: () => 0.5 });
}

function underTest({ name, start, protocol }: SocketVendor): SttUnderTest {
  return {
    name,
    interims: true,
    connected: true,
    async emulate(script) {
      const emulator = await start(script);
      const open = () => emulator.connections.filter(({ socket }) => socket.readyState === 1);
      return {
        baseUrl: emulator.baseUrl,
        count: () => emulator.connections.length,
        openCount: () => open().length,
        freeze: () => {
          for (const { socket } of open()) socket.pause();
        },
        [Symbol.asyncDispose]: () => emulator[Symbol.asyncDispose](),
      };
    },
    create: (baseUrl, apiKey, clock) => recogniser(protocol({ baseUrl, apiKey }), clock),
  };
}

for (const vendor of VENDORS) describeSttContract(underTest(vendor));

async function bench<Script extends HearingScript>(
  vendor: SocketVendor,
  script: Partial<Script> = {},
  options: Parameters<typeof CallerLine.open>[2] = {},
) {
  const clock = new ManualClock();
  const emulator = await vendor.start({ clock, ...script });
  const stt = recogniser(vendor.protocol({ baseUrl: emulator.baseUrl, apiKey: 'k' }), clock);
  const opening = CallerLine.open(stt, clock, options);
  return {
    clock,
    emulator,
    stt,
    opening,
    get query() {
      return [...(emulator.connections[0]?.url.searchParams ?? [])];
    },
    async [Symbol.asyncDispose]() {
      (await opening.catch(() => undefined))?.stream.close();
      await emulator[Symbol.asyncDispose]();
    },
  };
}

const [DEEPGRAM, FLUX, ASSEMBLYAI, OPENAI] = VENDORS as [
  SocketVendor,
  SocketVendor,
  SocketVendor,
  SocketVendor,
];

describe('languages and hints', () => {
  test.each([
    [['en-US'], 'en-US'],
    [['de-DE'], 'de'],
    [['pt-BR'], 'pt-BR'],
    [['en-US', 'es-ES'], 'multi'],
    [['pl-PL', 'en-US'], 'pl'],
  ])('deepgram: %j is %s', async (languages, language) => {
    await using b = await bench(DEEPGRAM, {}, { languages });
    await b.opening;
    expect(Object.fromEntries(b.query).language).toBe(language);
  });

  test('deepgram: hints are key terms, as many as it takes', async () => {
    const many = Array.from({ length: 150 }, (_, n) => `name${n}`);
    await using b = await bench(DEEPGRAM, {}, { hints: ['Zoë Smith', ...many] });
    await b.opening;
    const terms = b.query.filter(([name]) => name === 'keyterm').map(([, value]) => value);
    expect(terms[0]).toBe('Zoë Smith');
    expect(terms).toHaveLength(100);
  });

  test('deepgram-flux: one model for English, another with hints for the rest', async () => {
    await using english = await bench(FLUX, {}, { hints: ['Acme'] });
    await english.opening;
    expect(english.query).toContainEqual(['model', 'flux-general-en']);
    expect(english.query).toContainEqual(['keyterm', 'Acme']);
    await using mixed = await bench(FLUX, {}, { languages: ['fr-FR', 'en-US'] });
    await mixed.opening;
    expect(mixed.query).toContainEqual(['model', 'flux-general-multi']);
    const hinted = mixed.query.filter(([name]) => name === 'language_hint');
    expect(hinted).toEqual([
      ['language_hint', 'fr'],
      ['language_hint', 'en'],
    ]);
  });

  test('assemblyai: a model by language, key terms as a list', async () => {
    await using b = await bench(ASSEMBLYAI, {}, { languages: ['es'], hints: ['Acme', 'Zoë'] });
    await b.opening;
    expect(b.query).toContainEqual(['speech_model', 'universal-3-5-pro']);
    expect(b.query).toContainEqual(['language_codes', '["es"]']);
    expect(b.query).toContainEqual(['keyterms_prompt', '["Acme","Zoë"]']);
  });

  test('assemblyai: another model hears what the pro model does not, written out a moment later', async () => {
    await using b = await bench(ASSEMBLYAI, {}, { languages: ['pl-PL', 'en-US'], hints: ['Acme'] });
    const line = await b.opening;
    expect(b.query).toEqual([
      ['sample_rate', '16000'],
      ['encoding', 'pcm_s16le'],
      ['speech_model', 'whisper-rt'],
      ['format_turns', 'true'],
    ]);
    await line.say('thank you');
    await line.pause(900);
    await expect.poll(() => line.text).toBe('thank you');
    expect(line.finals).toHaveLength(1);
  });

  test.each([4029, 4102, 3009])('assemblyai: close code %i is a rate limit', (code) => {
    expect(createAssemblyAiProtocol({ apiKey: 'k' }).closeClasses?.[code]).toBe('rate');
  });

  test('openai: in the session, the language where there is one', async () => {
    await using b = await bench(OPENAI, {}, { languages: ['de-DE'], hints: ['Acme'] });
    await b.opening;
    expect(b.query).toEqual([['intent', 'transcription']]);
    expect(b.emulator.connections[0]?.received[0]).toMatchObject({
      session: {
        audio: { input: { transcription: { language: 'de', prompt: 'Names: Acme.' } } },
      },
    });
  });
});

describe('deepgram-flux judges turns itself', () => {
  test('half sure, taken back when the caller goes on, then sure', async () => {
    await using b = await bench(FLUX);
    const line = await b.opening;
    await line.say('we are open');
    await line.pause(300);
    await line.say('every day');
    await line.pause(700);
    await expect.poll(() => line.text).toBe('we are open every day');
    const judged = line.events.flatMap((event) => {
      if (event.type === 'resumed') return ['resumed'];
      return event.type === 'eot' ? [event.eager ? 'eager' : 'end'] : [];
    });
    expect(judged).toEqual(['eager', 'resumed', 'eager', 'end']);
    expect(b.stt.turnAware).toBe(true);
  });

  test('a turn ends although the caller’s audio stops with it', async () => {
    await using b = await bench(FLUX);
    const line = await b.opening;
    await line.say('thank you');
    await expect
      .poll(async () => {
        await b.clock.advance(500);
        return line.text;
      })
      .toBe('thank you');
    expect(line.finals[0]?.endMs).toBeLessThanOrEqual(line.writtenMs);
  });

  test('its own error ends the line', async () => {
    await using b = await bench(FLUX);
    const line = await b.opening;
    const description = 'the key k is not allowed';
    const frame = { type: 'Error', sequence_id: 9, code: 'BAD_REQUEST', description };
    b.emulator.connections[0]?.socket.send(JSON.stringify(frame));
    await expect.poll(() => line.errors).toHaveLength(1);
    expect(line.errors[0]).toMatchObject({ code: 'bad_request', retryable: false });
  });
});

describe('assemblyai', () => {
  test('tells how sure the model is that the turn is over, where it has such a score', () => {
    const turn = {
      type: 'Turn',
      turn_order: 0,
      turn_is_formatted: true,
      end_of_turn: true,
      transcript: 'Book it.',
      end_of_turn_confidence: 0.7,
      words: [{ text: 'Book', start: 0, end: 200, confidence: 0.9 }],
    };
    const protocol = createAssemblyAiProtocol({ apiKey: 'k' });
    const heard = (languages: readonly string[]) =>
      protocol
        .dialogue({ languages, hints: [], sampleRateHz: 16_000 })
        .receive(JSON.stringify(turn));
    expect(heard(['pl-PL'])).toMatchObject([
      { type: 'final', text: 'Book it.' },
      { type: 'eot', probability: 0.7, eager: false },
    ]);
    expect(heard(['en-US'])).toMatchObject([{ type: 'final' }]);
  });

  test('an expired session is followed by another', async () => {
    await using b = await bench(ASSEMBLYAI);
    const line = await b.opening;
    b.emulator.connections[0]?.socket.close(3008, 'Session expired');
    await line.pause(1000);
    await expect.poll(() => b.emulator.connections.length).toBe(2);
    await line.say('thank you');
    await line.pause(800);
    await expect.poll(() => line.text).toBe('thank you');
    expect(line.errors).toEqual([]);
  });

  test('too many sessions is a matter of rate, and not forced', async () => {
    await using b = await bench(ASSEMBLYAI);
    const line = await b.opening;
    b.emulator.connections[0]?.socket.close(3009, 'Too many concurrent sessions');
    await expect.poll(() => line.errors).toHaveLength(1);
    expect(line.errors[0]).toMatchObject({ class: 'rate', retryable: true });
    expect(b.emulator.connections).toHaveLength(1);
  });
});

describe('openai', () => {
  test('transcripts that come out of order are given in the order of speech', async () => {
    await using b = await bench<RealtimeScript>(OPENAI, { outOfOrder: true });
    const line = await b.opening;
    await line.say('we are open');
    await line.pause(600);
    await line.say('every day');
    await line.pause(600);
    await expect.poll(() => line.text).toBe('we are open every day');
  });

  test('an utterance that could not be transcribed keeps what was heard of it', async () => {
    await using b = await bench<RealtimeScript>(OPENAI, { failItem: 0 });
    const line = await b.opening;
    await line.say('we are open');
    await line.pause(600);
    await line.say('every day');
    await line.pause(600);
    await expect.poll(() => line.text).toBe('every day');
    expect(line.errors).toEqual([]);
  });

  test('an error that is no end does not end the line; one that is does', async () => {
    await using b = await bench(OPENAI);
    const line = await b.opening;
    const [connection] = b.emulator.connections;
    const send = (error: object) =>
      connection?.socket.send(JSON.stringify({ type: 'error', error }));
    send({ type: 'invalid_request_error', code: 'input_audio_buffer_commit_empty' });
    send({ type: 'invalid_request_error', code: 'invalid_model', message: 'no model k' });
    await expect.poll(() => line.errors).toHaveLength(1);
    expect(line.errors[0]).toMatchObject({ class: 'invalid', code: 'invalid_model' });
  });
});

describe('connections', () => {
  test.each([FLUX, ASSEMBLYAI, OPENAI])(
    '$name: connected, but never ready, is given up',
    async (vendor) => {
      await using b = await bench(vendor, { mute: true });
      const outcome = b.opening.catch((e: unknown) => e);
      await expect.poll(() => b.emulator.connections).toHaveLength(1);
      await advanceLive(b.clock, 10_000);
      expect(await outcome).toMatchObject({ class: 'timeout', code: 'not_ready' });
      await expect.poll(() => b.emulator.connections[0]?.socket.readyState).toBe(3);
    },
  );

  test('deepgram: a line that never heard anything is kept by silence, not by words', async () => {
    await using b = await bench(DEEPGRAM);
    await b.opening;
    await advanceLive(b.clock, 4000);
    await expect.poll(() => b.emulator.connections[0]?.received.length).toBe(1);
    expect(b.emulator.connections[0]?.received[0]).toBeInstanceOf(Buffer);
    await advanceLive(b.clock, 4000);
    await expect.poll(() => b.emulator.connections[0]?.received[1]).toEqual({ type: 'KeepAlive' });
  });

  test('deepgram: what it cannot decode is our mistake, and not repeated', async () => {
    await using b = await bench(DEEPGRAM);
    const line = await b.opening;
    b.emulator.connections[0]?.socket.close(1008, 'DATA-0000: not decodable');
    await expect.poll(() => line.errors).toHaveLength(1);
    expect(line.errors[0]).toMatchObject({ class: 'invalid', retryable: false });
    expect(b.emulator.connections).toHaveLength(1);
  });

  test('a connection that makes no sense at all is replaced', async () => {
    await using b = await bench(DEEPGRAM);
    const line = await b.opening;
    for (let n = 0; n < 4; n++) b.emulator.connections[0]?.socket.send('{"type":"Results"}');
    await line.pause(1000);
    await expect.poll(() => b.emulator.connections.length).toBe(2);
    expect(line.errors).toEqual([]);
  });
});
