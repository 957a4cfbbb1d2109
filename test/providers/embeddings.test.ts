import { describe, expect, test } from 'vitest';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { createOpenAiEmbedder } from '../../src/providers/openai-embeddings/adapter.ts';
import {
  type EmbeddingsScript,
  emulatedVector,
  startEmbeddingsEmulator,
} from '../support/embeddings-emulator.ts';
import { ManualClock } from '../support/manual-clock.ts';

const signal = new AbortController().signal;

async function bench(script: EmbeddingsScript = {}, dimensions?: number) {
  const clock = new ManualClock();
  const emulator = await startEmbeddingsEmulator(script);
  const { fetch, close } = createGuardedFetch({ allowPrivate: true, clock });
  const embedder = createOpenAiEmbedder({
    apiKey: 'k_THISISSECRET',
    baseUrl: emulator.baseUrl,
    fetch,
    clock,
    ...(dimensions === undefined ? {} : { dimensions }),
  });
  return {
    clock,
    emulator,
    embedder,
    async [Symbol.asyncDispose]() {
      await close();
      await emulator[Symbol.asyncDispose]();
    },
  };
}

describe('openai embeddings', () => {
  test.each([false, true])(
    'vectors in the order of the texts (a server that sends numbers: %s)',
    async (numbersOnly) => {
      await using b = await bench({ numbersOnly });
      const texts = ['one', 'two', ''];
      const vectors = await b.embedder.embed(texts, signal);
      for (const [i, text] of texts.entries()) {
        const wanted = emulatedVector(text || ' ', 8);
        for (const [k, value] of (vectors[i] as Float32Array).entries())
          expect(value).toBeCloseTo(wanted[k] as number, 5);
      }
    },
  );

  test('many texts go in batches; none in no request', async () => {
    await using b = await bench();
    const texts = Array.from({ length: 300 }, (_, n) => `text ${n}`);
    expect(await b.embedder.embed(texts, signal)).toHaveLength(300);
    expect(b.emulator.requests.map(({ input }) => (input as string[]).length)).toEqual([
      128, 128, 44,
    ]);
    expect(await b.embedder.embed([], signal)).toEqual([]);
    expect(b.emulator.requests).toHaveLength(3);
  });

  test('shorter vectors where they are wanted', async () => {
    await using b = await bench({}, 4);
    expect((await b.embedder.embed(['one'], signal))[0]).toHaveLength(4);
  });

  test('a throttled request waits as long as it is told, then goes through', async () => {
    await using b = await bench({ firstStatuses: [429, 503], retryAfterSeconds: 2 });
    const embedding = b.embedder.embed(['one'], signal);
    await expect.poll(() => b.emulator.requests.length).toBe(1);
    for (const count of [2, 3]) {
      await expect.poll(() => b.clock.nextDueAt()).toBeDefined();
      await expect
        .poll(async () => {
          await b.clock.advance(500);
          return b.emulator.requests.length;
        })
        .toBe(count);
    }
    expect(await embedding).toHaveLength(1);
    expect(b.clock.now()).toBeGreaterThanOrEqual(4000);
  });

  test.each([
    [401, 'auth'],
    [400, 'invalid'],
  ])('status %i is not asked again', async (status, failureClass) => {
    await using b = await bench({ firstStatuses: [status] });
    const error: unknown = await b.embedder.embed(['one'], signal).catch((e: unknown) => e);
    expect(error).toMatchObject({ class: failureClass, provider: 'openai' });
    expect(b.emulator.requests).toHaveLength(1);
  });

  test.each([
    '<html>',
    '{"data":[]}',
    '{"data":[{"index":0,"embedding":[null]},{"index":5,"embedding":[1]}]}',
    '{"data":[{"index":0,"embedding":"AAA="}]}',
    '{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1]}]}',
  ])('%s is not one vector a text', async (body) => {
    await using b = await bench({ body });
    await expect(b.embedder.embed(['one', 'two'], signal)).rejects.toMatchObject({
      class: 'protocol',
      code: 'bad_answer',
    });
  });

  test('an abort ends it, also while it waits to ask again', async () => {
    await using b = await bench({ firstStatuses: [503] });
    const controller = new AbortController();
    const embedding = b.embedder.embed(['one'], controller.signal).catch((e: unknown) => e);
    await expect.poll(() => b.emulator.requests.length).toBe(1);
    controller.abort();
    expect(await embedding).toMatchObject({ name: 'AbortError' });
    expect(b.clock.nextDueAt()).toBeUndefined();
  });
});
