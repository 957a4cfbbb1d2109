import { describe, expect, test } from 'vitest';
import { MediaSocket, type MediaSocketHandlers } from '../../src/web-client/media-socket.ts';
import { FakeSession } from '../gateway/fake-session.ts';
import { GatewayHost } from '../gateway/gateway-host.ts';

const RATE = 16_000;
const STATS = {
  playedMs: 1000,
  concealedMs: 0,
  concealments: 0,
  stretchedMs: 0,
  cutMs: 0,
  delayMs: 60,
};

/** 20 ms of a sample that tells the frame. */
const frame = (index: number) => new Int16Array(320).fill(index).buffer;

function open(host: GatewayHost, token: string) {
  const seen: unknown[] = [];
  const note =
    (name: string) =>
    (...args: readonly unknown[]): void =>
      void seen.push([name, ...args]);
  const handlers: MediaSocketHandlers = {
    onReady: note('ready'),
    onAudio: (pcm) => seen.push(['audio', ...new Int16Array(pcm)]),
    onMark: note('mark'),
    onClear: note('clear'),
    onTranscript: note('transcript'),
    onState: note('state'),
    onStatus: note('status'),
    onError: note('error'),
    onLost: note('lost'),
    onReturn: async () => 250,
    onEnded: note('ended'),
  };
  const socket = new MediaSocket(new URL(host.url(token)), RATE, handlers);
  const until = (...wanted: readonly unknown[]) => expect.poll(() => seen).toContainEqual(wanted);
  return { socket, seen, until };
}

describe('the media socket of a browser', () => {
  test('brings sound, marks and their ends, and says what was played', async () => {
    await using host = await GatewayHost.start();
    const session = host.calls.issue('token');
    const { socket, until } = open(host, 'token');
    await until('ready', 'WC-1');
    session.leg.send(new Int16Array([1, 2]));
    session.leg.mark('m1');
    session.leg.mark('m2', true);
    await until('audio', 1, 2);
    await until('mark', 'm1', false);
    await until('mark', 'm2', true);
    socket.played('m2');
    expect(await session.next()).toEqual({ type: 'mark', name: 'm2' });
    session.leg.end('done');
    await until('ended', { reason: 'done' });
  });

  test('the caller’s audio during an outage is sent at once after the resume', async () => {
    await using host = await GatewayHost.start();
    const session = host.calls.issue('token');
    const { socket, until, seen } = open(host, 'token');
    await until('ready', 'WC-1');
    for (let i = 1; i <= 5; i++) socket.sendAudio(frame(i));
    for (let i = 1; i <= 5; i++) {
      const samples = [...new Int16Array(frame(i))];
      expect(await session.next()).toEqual({ type: 'audio', samples });
    }
    for (const client of host.app.websocketServer.clients) client.terminate();
    await until('lost', false);
    for (let i = 6; i <= 205; i++) socket.sendAudio(frame(i));
    expect(await session.next()).toMatchObject({ type: 'lost' });
    host.clock.advanceTo(host.clock.now() + 4000);
    expect(await session.next()).toEqual({ type: 'resumed' });
    const held: number[] = [];
    while (held.length < 200 * 320) {
      const heard = await session.next();
      if (heard.type === 'audio') held.push(...heard.samples);
    }
    expect(held).toEqual(
      Array.from({ length: 200 }, (_, i) => [...new Int16Array(frame(i + 6))]).flat(),
    );
    socket.sendAudio(frame(206));
    expect(await session.next()).toMatchObject({ type: 'audio' });
    expect(seen.filter((each) => (each as string[])[0] === 'error')).toEqual([]);
    session.leg.end('done');
    await until('ended', { reason: 'done' });
  });

  test('goes on at another process, and says how much of the earlier one is still to be played', async () => {
    const [session, next] = [new FakeSession(), new FakeSession()];
    const sessions = [session, next];
    await using host = await GatewayHost.start({
      redeem: async () => ({
        outcome: 'accepted',
        callId: 'WC-1',
        attach: (leg) => (sessions.shift() as FakeSession).attach(leg),
      }),
    });
    const { until } = open(host, 'token');
    await until('ready', 'WC-1');
    expect(session.leg.playsOn).toBe(true);
    expect(session.leg.earlierSound).toBeUndefined();
    session.leg.moved();
    await until('lost', true);
    const leg = await next.attached();
    expect(leg.playsOn).toBe(true);
    expect(leg.earlierSound).toEqual({ durationMs: 250, untilMs: host.clock.now() + 250 });
  });

  test('stats go out as often as the service asks for them, and before hanging up', async () => {
    await using host = await GatewayHost.start({ limits: { statsEveryMs: 60_000 } });
    const session = host.calls.issue('token');
    const { socket, until } = open(host, 'token');
    await until('ready', 'WC-1');
    for (const playedMs of [1, 2, 3]) socket.report({ ...STATS, playedMs });
    socket.hangUp();
    expect(await session.next()).toEqual({ type: 'playback', stats: { ...STATS, playedMs: 1 } });
    expect(await session.next()).toEqual({ type: 'playback', stats: { ...STATS, playedMs: 3 } });
    expect(await session.next()).toEqual({ type: 'hangup' });
    session.leg.end('user-hangup');
    await until('ended', { reason: 'user-hangup' });
  });
});

describe('a service without held audio or stats', () => {
  test('gets neither', async () => {
    const { WebSocketServer } = await import('ws');
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    const got: unknown[] = [];
    let connections = 0;
    const back = Promise.withResolvers<void>();
    server.on('connection', (client) => {
      const first = ++connections === 1;
      client.on('message', (data: Buffer, isBinary: boolean) => {
        got.push(isBinary ? data.byteLength : JSON.parse(data.toString()));
        // The first connection breaks once it was reported to, which comes before the audio.
        if (isBinary && first) client.terminate();
        if (isBinary || !data.toString().includes('start')) return;
        const ready = { type: 'ready', callId: 'WC-1', sampleRate: RATE, resumeToken: 'r' };
        void (first ? Promise.resolve() : back.promise).then(() =>
          client.send(JSON.stringify(ready)),
        );
      });
    });
    await new Promise((listening) => server.once('listening', listening));
    try {
      const { port } = server.address() as import('node:net').AddressInfo;
      const host = {
        url: () => `ws://127.0.0.1:${port}/media/web/token`,
      } as unknown as GatewayHost;
      const { socket, seen, until } = open(host, 'token');
      await until('ready', 'WC-1');
      socket.report(STATS);
      socket.sendAudio(frame(0));
      await until('lost', false);
      socket.sendAudio(frame(1));
      socket.report(STATS);
      back.resolve();
      await expect
        .poll(() => seen.filter((each) => (each as string[])[0] === 'ready'))
        .toHaveLength(2);
      socket.sendAudio(frame(2));
      socket.hangUp();
      await expect.poll(() => got).toContainEqual({ type: 'hangup' });
      const start = { type: 'start', sampleRate: RATE, bufferedMs: 0 };
      const again = { ...start, bufferedMs: 250 };
      expect(got).toEqual([start, 640, again, 640, { type: 'hangup' }]);
    } finally {
      for (const client of server.clients) client.terminate();
      server.close();
    }
  });
});
