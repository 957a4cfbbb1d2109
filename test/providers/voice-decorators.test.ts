import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/lib/errors.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { Failover } from '../../src/ports/failover.ts';
import type { FailureClass } from '../../src/ports/provider-failure.ts';
import type { Tts, TtsPart, TtsRequest } from '../../src/ports/tts.ts';
import { createCartesiaProtocol } from '../../src/providers/cartesia-tts/protocol.ts';
import { createCachedTts } from '../../src/providers/decorators/cached-tts.ts';
import { CircuitBreaker } from '../../src/providers/decorators/circuit-breaker.ts';
import { createFallbackTts } from '../../src/providers/decorators/fallback-tts.ts';
import { createLimitedTts } from '../../src/providers/decorators/limited-tts.ts';
import { TurnQueue } from '../../src/providers/decorators/turn-queue.ts';
import { VoiceCache } from '../../src/providers/decorators/voice-cache.ts';
import { createTtsSocket } from '../../src/providers/tts-socket/adapter.ts';
import { startCartesiaEmulator } from '../support/cartesia-emulator.ts';
import { collect } from '../support/collect.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { describeTtsContract } from './tts-contract.ts';

function failure(provider: string, failureClass: FailureClass): ProviderError {
  return new ProviderError({ class: failureClass, provider, code: 'x', message: 'it failed' });
}

type Behaviour = 'speaks' | 'fails' | 'fails-late' | 'hangs' | 'words-then-fails' | 'stalls';

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const abort = () => reject(new DOMException('aborted', 'AbortError'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
  });

/** A voice that does as it is told and notes what it was asked for. */
class FakeVoice implements Tts {
  readonly provider: string;
  readonly asked: TtsRequest[] = [];
  ended = 0;
  behaviour: Behaviour;
  failureClass: FailureClass = 'network';

  constructor(provider: string, behaviour: Behaviour = 'speaks') {
    this.provider = provider;
    this.behaviour = behaviour;
  }

  async *synthesize(request: TtsRequest): AsyncGenerator<TtsPart, void, undefined> {
    this.asked.push(request);
    try {
      if (this.behaviour === 'hangs') await aborted(request.signal);
      const words = [{ word: this.provider, startMs: 0, endMs: 100 }];
      if (this.behaviour === 'words-then-fails') yield { type: 'words', words };
      if (this.behaviour.endsWith('fails')) throw failure(this.provider, this.failureClass);
      yield { type: 'words', words };
      yield { type: 'audio', pcm: new Int16Array(160).fill(7), sampleRateHz: 8000 };
      if (this.behaviour === 'stalls') await aborted(request.signal);
      if (this.behaviour === 'fails-late') throw failure(this.provider, 'network');
      yield { type: 'audio', pcm: new Int16Array(160).fill(8), sampleRateHz: 8000 };
    } finally {
      this.ended++;
    }
  }
}

function ask(text: string, more: Partial<TtsRequest> = {}): TtsRequest {
  return { text, sampleRateHz: 8000, signal: new AbortController().signal, ...more };
}

function speakers(parts: readonly TtsPart[]): string[] {
  return parts.flatMap((part) => (part.type === 'words' ? part.words.map(({ word }) => word) : []));
}

describe('fallback', () => {
  const stack = (clock: ManualClock, ...voices: FakeVoice[]) => {
    const choices = voices.map((tts) => ({
      tts,
      request: { voice: `${tts.provider}-voice`, settings: { speed: 1.1 } },
      breaker: new CircuitBreaker(clock),
    }));
    const passedOver: string[] = [];
    const tts = createFallbackTts(choices as [(typeof choices)[0], ...typeof choices], {
      clock,
      onFallback: (_, provider) => passedOver.push(provider),
    });
    return { tts, passedOver };
  };

  test.each<Behaviour>(['fails', 'words-then-fails'])(
    'a voice that %s before it sounds is followed by the next, in that one’s own voice',
    async (behaviour) => {
      const [a, b] = [new FakeVoice('a', behaviour), new FakeVoice('b')];
      const { tts, passedOver } = stack(new ManualClock(), a, b);
      expect(speakers(await collect(tts.synthesize(ask('hello', { voice: 'other' }))))).toEqual([
        'b',
      ]);
      expect(b.asked[0]).toMatchObject({ voice: 'b-voice', settings: { speed: 1.1 } });
      expect(passedOver).toEqual(['a']);
    },
  );

  test('a voice that stalls after its first audio is not asked for the next utterance', async () => {
    const [first, second] = [new FakeVoice('first', 'stalls'), new FakeVoice('second')];
    const { tts } = stack(new ManualClock(), first, second);
    const stall = new AbortController();
    const spoken = (async () => {
      for await (const part of tts.synthesize(ask('One.', { signal: stall.signal }))) {
        if (part.type === 'audio') stall.abort(failure('first', 'timeout'));
      }
    })();
    await expect(spoken).rejects.toThrow();
    expect(speakers(await collect(tts.synthesize(ask('Two.'))))).toEqual(['second']);
  });

  test('who asked is told of each change of voices: of which, why, and what it cost', async () => {
    const clock = new ManualClock();
    const [a, b, c] = [
      new FakeVoice('a', 'fails'),
      new FakeVoice('b', 'hangs'),
      new FakeVoice('c'),
    ];
    const { tts } = stack(clock, a, b, c);
    const told: Failover[] = [];
    const speak = () => {
      const speaking = collect(tts.synthesize(ask('hello', { onFailover: (it) => told.push(it) })));
      return clock.advance(1500).then(() => speaking);
    };
    expect(speakers(await speak())).toEqual(['c']);
    expect(told).toMatchObject([
      { vendor: 'a', successor: 'b', error: { code: 'x' }, delayMs: 0 },
      { vendor: 'b', successor: 'c', error: { code: 'first_audio_timeout' }, delayMs: 1500 },
    ]);
    for (let i = 0; i < 2; i++) await speak();
    // Now both are left out: the call is told once, not with each sentence.
    told.length = 0;
    for (let i = 0; i < 2; i++) expect(speakers(await speak())).toEqual(['c']);
    expect(told).toMatchObject([
      { vendor: 'a', successor: 'c', error: { code: 'circuit_open' }, delayMs: 0 },
      { vendor: 'b', successor: 'c', error: { code: 'circuit_open' }, delayMs: 0 },
    ]);
  });

  test('a voice that does not begin in time is aborted, and the next one speaks', async () => {
    const clock = new ManualClock();
    const [a, b] = [new FakeVoice('a', 'hangs'), new FakeVoice('b')];
    const speaking = collect(stack(clock, a, b).tts.synthesize(ask('hello')));
    await clock.advance(1499);
    expect(b.asked).toHaveLength(0);
    await clock.advance(1);
    expect(speakers(await speaking)).toEqual(['b']);
    expect(a.ended).toBe(1);
    expect(clock.nextDueAt()).toBeUndefined();
  });

  test('a voice that fails after it sounded is not begun again by another', async () => {
    const [a, b] = [new FakeVoice('a', 'fails-late'), new FakeVoice('b')];
    const speaking = collect(stack(new ManualClock(), a, b).tts.synthesize(ask('hello')));
    await expect(speaking).rejects.toMatchObject({ provider: 'a' });
    expect(b.asked).toHaveLength(0);
  });

  test('[E6] only when all failed has the utterance failed: with the first one’s reason', async () => {
    const voices = [new FakeVoice('a', 'fails'), new FakeVoice('b', 'fails')];
    const speaking = collect(stack(new ManualClock(), ...voices).tts.synthesize(ask('hello')));
    await expect(speaking).rejects.toMatchObject({ provider: 'a', class: 'network' });
  });

  test('an abort ends it, and asks nobody else', async () => {
    const [a, b] = [new FakeVoice('a', 'hangs'), new FakeVoice('b')];
    const clock = new ManualClock();
    const controller = new AbortController();
    const request = ask('hello', { signal: controller.signal });
    const speaking = collect(stack(clock, a, b).tts.synthesize(request)).catch((e: Error) => e);
    await clock.advance(10);
    controller.abort();
    expect(await speaking).toMatchObject({ name: 'AbortError' });
    expect(b.asked).toHaveLength(0);
    expect(clock.nextDueAt()).toBeUndefined();
  });

  test('a vendor that keeps failing is not asked for a while, then once, then always', async () => {
    const clock = new ManualClock();
    const [a, b] = [new FakeVoice('a', 'fails'), new FakeVoice('b')];
    const { tts } = stack(clock, a, b);
    const speak = () => collect(tts.synthesize(ask('hello')));
    for (let n = 0; n < 5; n++) await speak();
    expect(a.asked).toHaveLength(3);
    await clock.advance(15_000);
    await speak();
    await speak();
    expect(a.asked).toHaveLength(4);
    a.behaviour = 'speaks';
    await clock.advance(15_000);
    await speak();
    await speak();
    expect(a.asked).toHaveLength(6);
  });

  test('what was wrong with the request does not count against the vendor', async () => {
    const [a, b] = [new FakeVoice('a', 'fails'), new FakeVoice('b')];
    a.failureClass = 'invalid';
    const { tts } = stack(new ManualClock(), a, b);
    for (let n = 0; n < 5; n++) await collect(tts.synthesize(ask('hello')));
    expect(a.asked).toHaveLength(5);
  });

  test('when no vendor is thought well of, all are asked all the same', async () => {
    const [a, b] = [new FakeVoice('a', 'fails'), new FakeVoice('b', 'fails')];
    const { tts } = stack(new ManualClock(), a, b);
    for (let n = 0; n < 4; n++) await collect(tts.synthesize(ask('hello'))).catch(() => []);
    expect([a.asked.length, b.asked.length]).toEqual([4, 4]);
  });
});

describe('cache', () => {
  const scope = { scope: 'assistant', owner: 'a1' } as const;

  test('the same text in the same voice is asked for once, and sounds the same', async () => {
    const voice = new FakeVoice('v');
    const tts = createCachedTts(voice, new VoiceCache(), scope);
    const first = await collect(tts.synthesize(ask('hello')));
    const second = await collect(tts.synthesize(ask('hello')));
    expect(voice.asked).toHaveLength(1);
    expect(second).toEqual(first);
    const third = await collect(tts.synthesize(ask('hello')));
    for (const part of second) if (part.type === 'audio') part.pcm.fill(0);
    expect(await collect(tts.synthesize(ask('hello')))).toEqual(third);
  });

  test.each<[string, Partial<TtsRequest>]>([
    ['text', { text: 'goodbye' }],
    ['voice', { voice: 'other' }],
    ['language', { language: 'fr' }],
    ['settings', { settings: { speed: 2 } }],
    ['rate', { sampleRateHz: 16_000 }],
  ])('another %s is another utterance', async (_, change) => {
    const voice = new FakeVoice('v');
    const tts = createCachedTts(voice, new VoiceCache(), scope);
    await collect(tts.synthesize(ask('hello')));
    await collect(tts.synthesize(ask('hello', change)));
    expect(voice.asked).toHaveLength(2);
  });

  test('a scope’s owner hears only what was spoken for it; everybody hears what is global', async () => {
    const voice = new FakeVoice('v');
    const cache = new VoiceCache();
    const speakFor = (wanted: Parameters<typeof createCachedTts>[2]) =>
      collect(createCachedTts(voice, cache, wanted).synthesize(ask('hello')));
    await speakFor({ scope: 'assistant', owner: '1' });
    await speakFor({ scope: 'assistant', owner: '2' });
    await speakFor({ scope: 'team', owner: '1' });
    await speakFor({ scope: 'global', owner: '1' });
    expect(voice.asked).toHaveLength(4);
    await speakFor({ scope: 'team', owner: '1' });
    await speakFor({ scope: 'global', owner: '2' });
    expect(voice.asked).toHaveLength(4);
    await speakFor({ scope: 'assistant' });
    await speakFor({ scope: 'assistant' });
    expect(voice.asked).toHaveLength(6);
  });

  test('what was not spoken to its end is not kept', async () => {
    const voice = new FakeVoice('v', 'fails-late');
    const tts = createCachedTts(voice, new VoiceCache(), scope);
    await collect(tts.synthesize(ask('hello'))).catch(() => []);
    voice.behaviour = 'speaks';
    for await (const part of tts.synthesize(ask('hello'))) {
      expect(part).toBeDefined();
      break;
    }
    expect((await collect(tts.synthesize(ask('hello')))).length).toBe(3);
    expect(voice.asked).toHaveLength(3);
  });

  test('it stays within its room, and forgets what was unused the longest', async () => {
    const voice = new FakeVoice('v');
    // An utterance of the fake is 640 bytes, and 1024 for everything around it.
    const cache = new VoiceCache({ maxBytes: 4000 });
    const tts = createCachedTts(voice, cache, scope);
    const speak = (text: string) => collect(tts.synthesize(ask(text)));
    await speak('one');
    await speak('two');
    await speak('one');
    await speak('three');
    expect(cache.bytes).toBeLessThanOrEqual(4000);
    expect(voice.asked).toHaveLength(3);
    await speak('one');
    expect(voice.asked).toHaveLength(3);
    await speak('two');
    expect(voice.asked).toHaveLength(4);
  });

  test('a team that speaks a lot takes no room from the others', async () => {
    const voice = new FakeVoice('v');
    const cache = new VoiceCache({ maxBytes: 8000 });
    const of = (teamId: string) =>
      createCachedTts(voice, cache, { ...scope, owner: teamId, teamId });
    const [small, large] = [of('small'), of('large')];
    await collect(small.synthesize(ask('hello')));
    for (let n = 0; n < 20; n++) await collect(large.synthesize(ask(`sentence ${n}`)));
    expect(cache.bytes).toBeLessThanOrEqual(8000);
    const asked = voice.asked.length;
    await collect(small.synthesize(ask('hello')));
    await collect(large.synthesize(ask('sentence 19')));
    expect(voice.asked).toHaveLength(asked);
    await collect(large.synthesize(ask('sentence 0')));
    expect(voice.asked).toHaveLength(asked + 1);
  });

  test('an utterance too long for it is spoken and not kept', async () => {
    const voice = new FakeVoice('v');
    const cache = new VoiceCache({ maxUtteranceBytes: 500 });
    const tts = createCachedTts(voice, cache, scope);
    expect(await collect(tts.synthesize(ask('hello')))).toHaveLength(3);
    expect(cache.bytes).toBe(0);
  });
});

describe('limit', () => {
  test('no more at once than allowed, in order; one too many is refused', async () => {
    const voice = new FakeVoice('v', 'hangs');
    const tts = createLimitedTts(
      voice,
      new TurnQueue(voice.provider, { concurrency: 2, maxWaiting: 1 }),
    );
    const controllers = Array.from({ length: 4 }, () => new AbortController());
    const outcomes: Promise<unknown>[] = [];
    for (const { signal } of controllers) {
      outcomes.push(collect(tts.synthesize(ask('hello', { signal }))).catch((e: unknown) => e));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(voice.asked).toHaveLength(2);
    expect(await outcomes[3]).toMatchObject({ class: 'rate', code: 'too_many_waiting' });
    voice.behaviour = 'speaks';
    controllers[0]?.abort();
    expect(await outcomes[0]).toMatchObject({ name: 'AbortError' });
    expect(await outcomes[2]).toHaveLength(3);
  });

  test('an abort while waiting gives the place up', async () => {
    const voice = new FakeVoice('v', 'hangs');
    const tts = createLimitedTts(
      voice,
      new TurnQueue(voice.provider, { concurrency: 1, maxWaiting: 1 }),
    );
    const [one, two] = [new AbortController(), new AbortController()];
    const first = collect(tts.synthesize(ask('1', { signal: one.signal }))).catch((e) => e);
    await new Promise((resolve) => setImmediate(resolve));
    const second = collect(tts.synthesize(ask('2', { signal: two.signal }))).catch((e) => e);
    await new Promise((resolve) => setImmediate(resolve));
    two.abort();
    expect(await second).toMatchObject({ name: 'AbortError' });
    voice.behaviour = 'speaks';
    const third = collect(tts.synthesize(ask('3')));
    one.abort();
    await first;
    expect(await third).toHaveLength(3);
    expect(voice.asked.map(({ text }) => text)).toEqual(['1', '3']);
  });

  test('a reader that stops early gives the place up', async () => {
    const voice = new FakeVoice('v');
    const tts = createLimitedTts(
      voice,
      new TurnQueue(voice.provider, { concurrency: 1, maxWaiting: 1 }),
    );
    for await (const part of tts.synthesize(ask('hello'))) {
      expect(part).toBeDefined();
      break;
    }
    expect(await collect(tts.synthesize(ask('hello')))).toHaveLength(3);
  });
});

describeTtsContract('fallback, cache and limit over a vendor', async () => {
  const emulator = await startCartesiaEmulator();
  let ids = 0;
  const vendor = createTtsSocket(
    createCartesiaProtocol({ baseUrl: emulator.baseUrl, apiKey: 'k' }),
    { clock: systemClock, createId: () => `ctx_${++ids}` },
  );
  const limited = createLimitedTts(
    vendor,
    new TurnQueue(vendor.provider, { concurrency: 4, maxWaiting: 4 }),
  );
  const tts = createCachedTts(limited, new VoiceCache(), { scope: 'global' });
  const choice = { tts, request: {}, breaker: new CircuitBreaker(systemClock) };
  return {
    tts: createFallbackTts([choice], { clock: systemClock }),
    wordTimings: true,
    fail: { text: 'x'.repeat(20_000) },
    async [Symbol.asyncDispose]() {
      vendor.close();
      await emulator[Symbol.asyncDispose]();
    },
  };
});
