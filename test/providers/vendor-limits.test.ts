import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/lib/errors.ts';
import type { LlmRequest } from '../../src/ports/llm.ts';
import type { SttOptions } from '../../src/ports/stt.ts';
import { createLimitedLlm } from '../../src/providers/decorators/limited-llm.ts';
import { createLimitedStt } from '../../src/providers/decorators/limited-stt.ts';
import { TurnQueue } from '../../src/providers/decorators/turn-queue.ts';
import { VendorQueues } from '../../src/providers/vendor-queues.ts';
import { collect } from '../support/collect.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ScriptedLlm } from '../support/scripted-llm.ts';
import { ScriptedStt } from '../support/scripted-stt.ts';

function hearing(signal = new AbortController().signal): SttOptions {
  const onEvent = () => undefined;
  return { sampleRateHz: 16_000, languages: [], hints: [], phrases: [], onEvent, signal };
}

describe('recognisers at once', () => {
  function limited(concurrency = 1) {
    const clock = new ManualClock();
    const raw = new ScriptedStt();
    const queue = new TurnQueue('scripted', { concurrency, maxWaiting: 4 });
    return { clock, raw, stt: createLimitedStt(raw, queue, clock) };
  }

  test('a caller waits for a stream to be free, and gets it', async () => {
    const { clock, raw, stt } = limited();
    const first = await stt.open(hearing());
    const second = stt.open(hearing());
    await clock.advance(1000);
    expect(raw.streams).toHaveLength(1);
    first.close();
    first.close();
    (await second).close();
    expect(raw.streams).toHaveLength(2);
  });

  test('one who would wait too long is told, so that another recogniser can take over', async () => {
    const { clock, stt } = limited();
    await stt.open(hearing());
    const second = stt.open(hearing()).catch((error: unknown) => error);
    await clock.advance(3000);
    expect(await second).toMatchObject({ class: 'rate', code: 'no_stream_free', retryable: true });
  });

  test.each(['abort', 'error', 'failure to open'])('%s gives the stream back', async (how) => {
    const { raw, stt } = limited();
    const controller = new AbortController();
    const error = new ProviderError({ class: 'network', provider: 's', code: 'x', message: 'm' });
    if (how === 'failure to open') raw.failures = [error];
    const opened = await stt.open(hearing(controller.signal)).catch(() => undefined);
    if (how === 'abort') controller.abort();
    if (how === 'error') raw.streams[0]?.options.onEvent({ type: 'error', error });
    expect(opened === undefined).toBe(how === 'failure to open');
    (await stt.open(hearing())).close();
  });
});

test('no more answers of a model at once than allowed', async () => {
  const clock = new ManualClock();
  const raw = new ScriptedLlm(clock, [{ hangs: true }, { text: ['two'] }]);
  const llm = createLimitedLlm(raw, new TurnQueue('scripted', { concurrency: 1, maxWaiting: 1 }));
  const controller = new AbortController();
  const ask = (signal = new AbortController().signal): LlmRequest => ({ messages: [], signal });
  // An abort gives the place up even where the vendor's stream does not notice it.
  void llm.stream(ask(controller.signal))[Symbol.asyncIterator]().next();
  await clock.advance(10);
  const second = collect(llm.stream(ask()));
  await clock.advance(10);
  expect(raw.requests).toHaveLength(1);
  await expect(collect(llm.stream(ask()))).rejects.toMatchObject({ code: 'too_many_waiting' });
  controller.abort();
  await clock.advance(10);
  expect(await second).toContainEqual({ type: 'text', text: 'two' });
});

describe('how many', () => {
  test('the operator says, or the smallest plan; all calls share one queue a vendor', async () => {
    const queues = new VendorQueues({ DEEPGRAM: { apiKey: 'k', concurrency: 1 } });
    const queue = queues.of('stt', 'deepgram-flux', 'deepgram');
    expect(queues.of('stt', 'deepgram-flux', 'deepgram')).toBe(queue);
    expect(queues.of('stt', 'deepgram', 'deepgram')).not.toBe(queue);
    expect(queues.create('llm', 'custom-llm')).not.toBe(queues.create('llm', 'custom-llm'));
    const { signal } = new AbortController();
    const release = await queue.take(signal);
    const waiting = [queue.take(signal), queue.take(signal)];
    expect(() => queue.take(signal)).toThrow(/2 requests waiting/);
    release();
    (await waiting[0])?.();
    (await waiting[1])?.();
  });
});
