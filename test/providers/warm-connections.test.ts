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
    warmer.use()(true);
    warmer.warm();
    await clock.advance(20_000);
    warmer.warm();
    await clock.advance(0);
    expect(asked).toEqual(['http://vendor.test/']);
    // It could not be reached, and nobody was told: the request that needs it will be.
    warmer.warm();
    expect(asked).toHaveLength(2);
  });

  test('has free connections where many ask it: requests that begin together all find one', async () => {
    /** When the last of a burst of requests had arrived. */
    let connectionsThen = 0;
    await using server = await startLocalServer((request, response) => {
      if (request.url === '/') return response.end();
      connectionsThen = server.connections();
      // Slow enough that requests of a burst overlap.
      setTimeout(() => response.end(), 20);
    });
    const clock = new ManualClock();
    const outbound = createGuardedFetch({ allowPrivate: true, clock });
    let begun = 0;
    let greetings = 0;
    const settled = () => expect.poll(() => begun - greetings).toBe(0);
    const warmer = new HttpWarmer({
      fetch: async (url, request) => {
        begun++;
        const response = await outbound.fetch(url, request);
        return { ...response, body: untilEnd(response.body, () => greetings++) };
      },
      url: server.url,
      clock,
    });
    const ask = async (signal = new AbortController().signal) => {
      const release = warmer.use();
      let isRead = false;
      try {
        await collect((await outbound.fetch(`${server.url}/v1/x`, { signal })).body);
        isRead = true;
        // The client gives the connection to others a moment after the last of the body.
        await nextTurn();
      } catch {
        // It was aborted.
      } finally {
        release(isRead);
      }
    };
    // One is free for four requests, two are for eight, three for twelve.
    for (let n = 0; n < 7; n++) await ask();
    expect([begun, server.connections()]).toEqual([0, 1]);
    for (let n = 0; n < 5; n++) {
      await ask();
      await settled();
    }
    expect([begun, server.connections()]).toEqual([2 + 3, 3]);
    await Promise.all([ask(), ask(), ask()]);
    expect(connectionsThen).toBe(3);
    await settled();
    // The connection of what is aborted is lost, and another one is opened before it is missed.
    const controllers = Array.from({ length: 3 }, () => new AbortController());
    const cut = controllers.map(({ signal }) => ask(signal));
    await nextTurn();
    for (const controller of controllers) controller.abort();
    await Promise.all(cut);
    await settled();
    const after = server.connections();
    await Promise.all([ask(), ask(), ask()]);
    expect(connectionsThen).toBe(after);
    await outbound.close();
  });

  test('that does not answer is left alone for a while', async () => {
    const clock = new ManualClock();
    let asked = 0;
    const warmer = new HttpWarmer({
      fetch: async () => {
        asked++;
        throw new Error('down');
      },
      url: 'http://vendor.test/',
      clock,
    });
    for (let n = 0; n < 20; n++) {
      warmer.use()(false);
      await clock.advance(100);
    }
    expect(asked).toBe(1);
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
