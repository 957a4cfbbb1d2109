import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { ListenSocket } from '../../src/api/calls/listen-socket.ts';
import { newCallId } from '../../src/lib/ids.ts';
import type { CallListener } from '../../src/ports/call-monitor.ts';
import { createCall, updateCall } from '../../src/store/calls.ts';
import { redeemMediaToken } from '../../src/store/media-tokens.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { withDatabase } from '../support/postgres.ts';

const CALLS = '/calls/v1/conversations';

/** A socket's messages in order, and its close code. */
async function messagesOf(socket: WebSocket): Promise<{ all: unknown[]; code: number }> {
  const all: unknown[] = [];
  socket.on('message', (data: Buffer, isBinary: boolean) =>
    all.push(isBinary ? new Int16Array(new Uint8Array(data).buffer) : JSON.parse(String(data))),
  );
  const [code] = (await once(socket, 'close')) as [number];
  return { all, code };
}

withDatabase('listening', ({ db, newTeam }) => {
  let listeners: CallListener[] = [];
  let stopped = 0;
  let full = false;
  let api: TestApi;
  let url: string;
  let ada: TestClient;
  let eve: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db(), {
      listeners: { maxPerTeam: 2, maxPerAddress: 3 },
      monitor: {
        listen: (_, listener) => {
          if (full) return 'full';
          listeners.push(listener);
          return { sampleRateHz: 8000, stop: () => stopped++ };
        },
      },
    });
    const address = await api.app.listen({ port: 0, host: '127.0.0.1' });
    url = address.replace('http', 'ws');
    ada = await api.client(await newTeam());
    eve = await api.client(await newTeam());
  });
  beforeEach(() => {
    listeners = [];
    stopped = 0;
    full = false;
  });
  afterAll(() => api.close());

  const liveCall = async ({ teamId } = ada) => {
    const id = newCallId('web');
    const call = {
      id,
      teamId,
      callType: 'web',
      direction: 'inbound',
      snapshot: callSnapshot,
    } as const;
    await createCall(db(), call);
    await updateCall(db(), { teamId, id, change: { status: 'ongoing' } });
    return id;
  };
  const open = (path: string, client?: TestClient) =>
    new WebSocket(`${url}${path}`, {
      headers: client ? { authorization: `Bearer ${client.key}` } : {},
    });
  const refusal = async (socket: WebSocket): Promise<number> => {
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    response.destroy();
    return response.statusCode ?? 0;
  };
  const arrived = async (count = 1) => {
    await expect.poll(() => listeners.length).toBe(count);
    return listeners[count - 1] as CallListener;
  };

  test('begins with the format, brings sound and events, ends with the reason', async () => {
    const id = await liveCall();
    const socket = open(`${CALLS}/${id}/listen`, ada);
    const told = messagesOf(socket);
    const listener = await arrived();
    const line = { seq: 3, at: 120, kind: 'event', type: 'vad.start', data: {} } as const;
    listener.audio(Int16Array.of(1, -2, 300, -400));
    listener.event(line);
    listener.ended('user-hung-up');
    expect(await told).toEqual({
      code: 1000,
      all: [
        { type: 'format', callId: id, encoding: 'pcm_s16le', channels: 2, sampleRate: 8000 },
        Int16Array.of(1, -2, 300, -400),
        { type: 'event', event: line },
        { type: 'ended', reason: 'user-hung-up' },
      ],
    });
    expect(stopped).toBe(1);
  });

  test('whoever sends anything is not a listener', async () => {
    const socket = open(`${CALLS}/${await liveCall()}/listen`, ada);
    const told = messagesOf(socket);
    await once(socket, 'open');
    socket.send('{"type":"say"}');
    expect((await told).code).toBe(1003);
    expect(stopped).toBe(1);
  });

  test('a listener that goes lets go of its place', async () => {
    const socket = open(`${CALLS}/${await liveCall()}/listen`, ada);
    await Promise.all([once(socket, 'open'), arrived()]);
    socket.terminate();
    await expect.poll(() => stopped).toBe(1);
  });

  test('one too many is told to come back later', async () => {
    full = true;
    const socket = open(`${CALLS}/${await liveCall()}/listen`, ada);
    expect((await messagesOf(socket)).code).toBe(1013);
  });

  test('a team that has its listeners, and an address that has its, come later; the others listen', async () => {
    const bob = await api.client(await newTeam());
    const listen = async (client: TestClient) =>
      open(`${CALLS}/${await liveCall(client)}/listen`, client);
    const first = await listen(ada);
    await listen(ada);
    await arrived(2);
    const refused = async (client: TestClient) => {
      const socket = await listen(client);
      const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
      return [code, String(reason)];
    };
    expect(await refused(ada)).toEqual([1013, 'too many listen already']);
    await listen(eve);
    await arrived(3);
    expect(await refused(bob)).toEqual([1013, 'too many listen already']);
    first.close();
    await expect.poll(() => stopped).toBe(1);
    await listen(bob);
    await arrived(4);
    for (const listener of listeners) listener.ended('over');
    await expect.poll(() => stopped).toBe(4);
  });

  test('without a credential, for another team, or after the end it is refused before the upgrade', async () => {
    const id = await liveCall();
    const path = `${CALLS}/${id}/listen`;
    expect(await refusal(open(path))).toBe(401);
    expect(await refusal(open(`${path}?token=nope`))).toBe(401);
    expect(await refusal(open(path, eve))).toBe(404);
    expect(await refusal(open(`${path}?nope=1`, ada))).toBe(400);
    const change = { status: 'finished', endAt: new Date() } as const;
    await updateCall(db(), { teamId: ada.teamId, id, change });
    expect(await refusal(open(path, ada))).toBe(409);
    expect((await ada.post(path)).status).toBe(409);
    expect(listeners).toEqual([]);
  });

  test('a plain request is told how it would be', async () => {
    const id = await liveCall();
    expect(await ada.get(`${CALLS}/${id}/listen`)).toMatchObject({
      status: 200,
      body: { callId: id, encoding: 'pcm_s16le', channels: 2 },
    });
  });

  test('a token lets one listener in, at its call alone, and is no way to speak', async () => {
    const [id, other] = [await liveCall(), await liveCall()];
    const get = async () => (await ada.post(`${CALLS}/${id}/listen`)).body;
    const { url: address, token, expiresAt } = await get();
    expect(address).toBe(`ws://parley.test${CALLS}/${id}/listen?token=${token}`);
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    expect(await redeemMediaToken(db(), { token })).toBeUndefined();

    const path = `${CALLS}/${id}/listen?token=${token}`;
    const socket = open(path);
    await arrived();
    expect(await refusal(open(path))).toBe(401);
    socket.close();
    const elsewhere = await get();
    expect(await refusal(open(`${CALLS}/${other}/listen?token=${elsewhere.token}`))).toBe(401);
    expect((await eve.post(`${CALLS}/${id}/listen`)).status).toBe(404);
    expect(api.log.join()).not.toContain(token);
  });
});

/** A socket that accepts everything and delivers nothing. */
class StuckSocket extends EventTarget {
  readyState: number = WebSocket.OPEN;
  bufferedAmount = 0;
  sent = 0;
  closedWith: number | undefined;
  terminated = false;
  pings = 0;
  readonly handlers = new Map<string, () => void>();
  on(name: string, handler: () => void): this {
    this.handlers.set(name, handler);
    return this;
  }
  once = this.on;
  send(data: Uint8Array | string): void {
    this.sent++;
    this.bufferedAmount += data.length;
  }
  ping(): void {
    this.pings++;
  }
  close(code: number): void {
    this.closedWith = code;
  }
  terminate(): void {
    this.terminated = true;
  }
}

const stuck = (limits?: object) => {
  const socket = new StuckSocket();
  const clock = new ManualClock(0);
  let stops = 0;
  const listen = new ListenSocket(socket as unknown as WebSocket, {
    clock,
    limits: { maxBufferedBytes: 10_000, pingEveryMs: 10_000, closeMs: 3000, ...limits },
  });
  listen.begin({ listen: () => ({ sampleRateHz: 8000, stop: () => stops++ }) }, 'WC-1');
  return { socket, clock, listen, stops: () => stops };
};

test('a listener that does not read is dropped at its bound, and cut off if it does not go', async () => {
  const { socket, clock, listen, stops } = stuck();
  for (let i = 0; i < 100; i++) listen.audio(new Int16Array(1000));
  expect(socket.bufferedAmount).toBeLessThan(13_000);
  expect(socket.closedWith).toBe(1013);
  expect(stops()).toBe(1);
  expect(socket.terminated).toBe(false);
  await clock.advance(3000);
  expect(socket.terminated).toBe(true);
});

test('a listener that has gone without a word is cut off', async () => {
  const { socket, clock } = stuck();
  await clock.advance(10_000);
  expect(socket.pings).toBe(1);
  socket.handlers.get('pong')?.();
  await clock.advance(10_000);
  expect([socket.pings, socket.terminated]).toEqual([2, false]);
  await clock.advance(10_000);
  expect(socket.terminated).toBe(true);
});
