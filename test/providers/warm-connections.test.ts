import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { createCartesiaProtocol } from '../../src/providers/cartesia-tts/protocol.ts';
import { HttpWarmer } from '../../src/providers/http-warmer.ts';
import { createTtsSocket } from '../../src/providers/tts-socket/adapter.ts';
import { startCartesiaEmulator } from '../support/cartesia-emulator.ts';
import { collect } from '../support/collect.ts';
import { startLocalServer } from '../support/local-server.ts';
import { ManualClock } from '../support/manual-clock.ts';

async function* untilEnd<T>(source: AsyncIterable<T>, onEnd: () => void): AsyncGenerator<T> {
  yield* source;
  onEnd();
}

describe('an HTTP vendor', () => {
  test('is connected to once, ahead of need and without a credential; the request finds the connection', async () => {
    const requests: string[] = [];
    const { promise: greeted, resolve: onGreeted } = Promise.withResolvers<void>();
    await using server = await startLocalServer((request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.end();
    });
    const clock = new ManualClock();
    const outbound = createGuardedFetch({ allowPrivate: true, clock });
    const warmer = new HttpWarmer({
      fetch: async (url, request) => {
        const response = await outbound.fetch(url, request);
        return { ...response, body: untilEnd(response.body, onGreeted) };
      },
      url: `${server.url}/v1/chat/completions`,
      clock,
    });
    warmer.warm();
    warmer.warm();
    await greeted;
    await nextTurn();
    warmer.warm();
    const signal = new AbortController().signal;
    const response = await outbound.fetch(`${server.url}/v1/x`, {
      signal,
      headers: { authorization: 'k' },
    });
    await collect(response.body);
    expect(requests).toEqual(['GET / undefined', 'GET /v1/x k']);
    expect(server.connections()).toBe(1);
    await outbound.close();
  });

  test('that was just spoken to needs no warming; one that was left alone does', async () => {
    const asked: string[] = [];
    const clock = new ManualClock();
    const warmer = new HttpWarmer({
      fetch: async (url) => {
        asked.push(url);
        throw new Error('down');
      },
      url: 'http://vendor.test/v1/deep/path',
      clock,
    });
    warmer.used();
    warmer.warm();
    await clock.advance(20_000);
    warmer.warm();
    await clock.advance(0);
    expect(asked).toEqual(['http://vendor.test/']);
    // It could not be reached, and nobody was told: the request that needs it will be.
    warmer.warm();
    expect(asked).toHaveLength(2);
  });
});

describe('a voice over a socket', () => {
  const manner = { voice: 'v1', sampleRateHz: 8000 };

  test('speaks over the connection that was opened ahead', async () => {
    await using emulator = await startCartesiaEmulator();
    let ids = 0;
    const voice = createTtsSocket(
      createCartesiaProtocol({ baseUrl: emulator.baseUrl, apiKey: 'k' }),
      { clock: systemClock, createId: () => `c${++ids}` },
    );
    voice.warm(manner);
    voice.warm(manner);
    const { signal } = new AbortController();
    await collect(voice.synthesize({ ...manner, text: 'Hello there.', signal }));
    voice.warm(manner);
    await nextTurn();
    expect(emulator.connections).toHaveLength(1);
    voice.close();
  });

  test('that cannot be reached ahead of need is no failure', async () => {
    const voice = createTtsSocket(
      createCartesiaProtocol({ baseUrl: 'http://127.0.0.1:9', apiKey: 'k' }),
      { clock: systemClock, createId: () => 'c' },
    );
    voice.warm(manner);
    const { signal } = new AbortController();
    await expect(
      collect(voice.synthesize({ ...manner, text: 'Hello.', signal })),
    ).rejects.toMatchObject({ class: 'network' });
    voice.close();
  });
});
