import { describe, expect, test } from 'vitest';
import type { Failover } from '../../src/ports/failover.ts';
import { createAssemblyAiProtocol } from '../../src/providers/assemblyai-stt/protocol.ts';
import { CircuitBreaker } from '../../src/providers/decorators/circuit-breaker.ts';
import { createFallbackStt } from '../../src/providers/decorators/fallback-stt.ts';
import { createDeepgramSttProtocol } from '../../src/providers/deepgram-stt/protocol.ts';
import { createOpenAiRealtimeSttProtocol } from '../../src/providers/openai-realtime-stt/protocol.ts';
import { createSttSocket } from '../../src/providers/stt-socket/adapter.ts';
import { advanceLive } from '../support/advance-live.ts';
import { startAssemblyAiEmulator } from '../support/assemblyai-emulator.ts';
import { CallerLine } from '../support/caller-line.ts';
import { startDeepgramListenEmulator } from '../support/deepgram-listen-emulator.ts';
import type { HearingScript } from '../support/hearing-script.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { startOpenAiRealtimeEmulator } from '../support/openai-realtime-emulator.ts';

async function bench(
  scripts: { first?: Partial<HearingScript>; second?: Partial<HearingScript> } = {},
  secondVendor: 'assemblyai' | 'openai' = 'assemblyai',
) {
  const clock = new ManualClock();
  const options = { clock, random: () => 0.5 };
  const first = await startDeepgramListenEmulator({ clock, ...scripts.first });
  const second =
    secondVendor === 'assemblyai'
      ? await startAssemblyAiEmulator({ clock, ...scripts.second })
      : await startOpenAiRealtimeEmulator({ clock, ...scripts.second });
  const secondProtocol =
    secondVendor === 'assemblyai'
      ? createAssemblyAiProtocol({ baseUrl: second.baseUrl, apiKey: 'k' })
      : createOpenAiRealtimeSttProtocol({ baseUrl: `${second.baseUrl}/v1`, apiKey: 'k' });
  const replaced: unknown[] = [];
  const stt = createFallbackStt({
    clock,
    first: createSttSocket(
      createDeepgramSttProtocol({ baseUrl: first.baseUrl, apiKey: 'k' }),
      options,
    ),
    second: createSttSocket(secondProtocol, options),
    secondLanguages: ['es-ES'],
    breaker: new CircuitBreaker(clock),
    onFallback: (error) => replaced.push(error),
  });
  const lines: CallerLine[] = [];
  return {
    clock,
    first,
    second,
    stt,
    replaced,
    async line(options: Parameters<typeof CallerLine.open>[2] = {}) {
      const line = await CallerLine.open(stt, clock, options);
      lines.push(line);
      return line;
    },
    async [Symbol.asyncDispose]() {
      for (const line of lines) line.stream.close();
      await first[Symbol.asyncDispose]();
      await second[Symbol.asyncDispose]();
    },
  };
}

describe('sttFallback', () => {
  test('the call is told of the change: of which recogniser, why, and what it cost', async () => {
    const told: Failover[] = [];
    const onFailover = (it: Failover) => told.push(it);
    await using refused = await bench({ first: { refuse: { status: 503 } } });
    await refused.line({ onFailover });
    await using b = await bench({ first: { mute: true } });
    const line = await b.line({ onFailover });
    await line.say('we are open every day and friday');
    await line.pause(2900);
    await expect.poll(() => told.length).toBe(2);
    const parties = { vendor: 'deepgram', successor: 'assemblyai' };
    expect(told).toMatchObject([
      { ...parties, error: { class: 'network' }, delayMs: expect.any(Number) },
      { ...parties, error: { class: 'silent', code: 'open_but_silent' } },
    ]);
  });

  test('while the first recogniser hears, the second is not even connected', async () => {
    await using b = await bench();
    const line = await b.line();
    await line.say('we are open every day');
    await line.pause(900);
    await expect.poll(() => line.text).toBe('we are open every day');
    await advanceLive(b.clock, 10_000);
    expect(b.second.connections).toHaveLength(0);
    expect(b.replaced).toEqual([]);
  });

  test('a first one that refuses is replaced at the opening, with the other’s languages', async () => {
    await using b = await bench({ first: { refuse: { status: 500 } } });
    const line = await b.line();
    await line.say('thank you');
    await line.pause(900);
    await expect.poll(() => line.text).toBe('thank you');
    expect(b.second.connections[0]?.url.searchParams.get('speech_model')).toBe('universal-3-5-pro');
    expect(b.replaced).toHaveLength(1);
  });

  test('one that fails in mid-sentence is replaced, and no word is lost or said twice', async () => {
    await using b = await bench();
    const line = await b.line();
    await line.say('thank you');
    await line.pause(900);
    await expect.poll(() => line.text).toBe('thank you');
    const saidAt = line.writtenMs;
    await line.say('we are open');
    for (const { socket } of b.first.connections) socket.close(1008, 'DATA-0000');
    await line.say('from nine to five');
    await line.pause(1500);
    await expect.poll(() => line.text).toBe('thank you we are open from nine to five');
    expect(line.errors).toEqual([]);
    expect(Math.abs((line.finals[1]?.startMs ?? 0) - saidAt)).toBeLessThan(350);
    expect(new Set(line.finals.map(({ segmentId }) => segmentId)).size).toBe(line.finals.length);
  });

  test('one that is open and silent while the caller speaks is replaced, and the caller’s words are heard', async () => {
    await using b = await bench({ first: { mute: true } });
    const line = await b.line();
    await line.say('we are open every day and friday');
    await line.pause(1900);
    expect(b.replaced).toEqual([]);
    await line.pause(1000);
    await expect.poll(() => b.replaced).toHaveLength(1);
    expect(b.replaced[0]).toMatchObject({ class: 'silent', code: 'open_but_silent' });
    await line.pause(2000);
    await expect.poll(() => line.text).toBe('we are open every day and friday');
    await line.say('thank you');
    await line.pause(900);
    await expect.poll(() => line.finals.at(-1)?.text).toBe('thank you');
  });

  test('a cough is no reason to doubt', async () => {
    await using b = await bench({ first: { mute: true } });
    const line = await b.line();
    await line.say('we');
    await line.pause(5000);
    expect(b.replaced).toEqual([]);
  });

  test('another rate is no hindrance', async () => {
    await using b = await bench({ first: { refuse: { status: 503 } } }, 'openai');
    const line = await b.line();
    await line.say('close early on friday');
    await line.pause(900);
    await expect.poll(() => line.text).toBe('close early on friday');
  });

  test('when both fail, the line has failed, once', async () => {
    await using b = await bench({ second: { refuse: { status: 401 } } });
    const line = await b.line();
    await line.say('we are open');
    for (const { socket } of b.first.connections) socket.close(1008, 'DATA-0000');
    await expect.poll(() => line.errors).toHaveLength(1);
    await advanceLive(b.clock, 5000);
    expect(line.errors).toHaveLength(1);
    expect(b.clock.nextDueAt()).toBeUndefined();
  });

  test('a first one that fails for everybody is not asked for a while', async () => {
    await using b = await bench({ first: { refuse: { status: 500 } } });
    for (let n = 0; n < 3; n++) (await b.line()).stream.close();
    await b.line();
    expect(b.replaced).toHaveLength(4);
    expect(b.replaced[3]).toMatchObject({ code: 'circuit_open' });
  });

  test('closing closes whichever is open', async () => {
    await using b = await bench({ first: { mute: true } });
    const line = await b.line();
    await line.say('we are open every day and friday');
    await line.pause(3000);
    await expect.poll(() => b.second.connections.length).toBe(1);
    line.stream.close();
    const heard = line.events.length;
    await expect.poll(() => b.second.connections[0]?.socket.readyState).toBe(3);
    await advanceLive(b.clock, 5000);
    expect(line.events).toHaveLength(heard);
    expect(b.clock.nextDueAt()).toBeUndefined();
  });
});
