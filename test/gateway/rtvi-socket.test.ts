import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  parseRtviFrame,
  parseRtviMessage,
  serializeRtviAudio,
  serializeRtviMessage,
} from '../../src/gateway/rtvi-protocol.ts';
import { GatewayHost } from './gateway-host.ts';

type Message = NonNullable<ReturnType<typeof parseRtviMessage>>;

/** A client that speaks Pipecat's transport, as much as these tests need of it. */
class RtviCaller implements AsyncDisposable {
  readonly socket: WebSocket;
  readonly messages: Message[] = [];
  readonly audio: number[] = [];
  readonly closed: Promise<number>;

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.closed = new Promise((resolve) => {
      this.socket.on('close', resolve);
    });
    this.socket.on('message', (data: Buffer) => {
      const frame = parseRtviFrame(data);
      if (frame?.type === 'audio')
        this.audio.push(...new Int16Array(new Uint8Array(frame.audio).buffer));
      else if (frame?.type === 'message')
        this.messages.push(parseRtviMessage(frame.json) as Message);
    });
  }

  static async open(url: string): Promise<RtviCaller> {
    const caller = new RtviCaller(url);
    await once(caller.socket, 'open');
    return caller;
  }

  say(type: string, data: Message['data'] = {}, id = 'x'): void {
    this.socket.send(serializeRtviMessage({ id, type, data }));
  }

  /** The first message of this type, once it has come. */
  async told(type: string): Promise<Message> {
    for (;;) {
      const found = this.messages.find((message) => message.type === type);
      if (found) return found;
      await Promise.race([once(this.socket, 'message'), this.closed]);
      if (
        this.socket.readyState === WebSocket.CLOSED &&
        !this.messages.some((m) => m.type === type)
      )
        throw new Error(`closed without ${type}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate();
  }
}

const urlOf = (host: GatewayHost, token: string) => host.url(token).replace('/web/', '/rtvi/');

async function call(host: GatewayHost, version = '2.1.0') {
  const session = host.calls.issue('token');
  const caller = await RtviCaller.open(urlOf(host, 'token'));
  caller.say('client-ready', { version }, 'ready-1');
  const ready = await caller.told('bot-ready');
  const leg = await session.attached();
  return { session, caller, ready, leg };
}

describe('a call over the socket of RTVI', () => {
  test.each([
    ['2.1.0', '2.1.0'],
    ['1.2.0', '1.2.0'],
    ['0.4.1', '1.2.0'],
  ])('a client of version %s is answered in %s', async (version, answered) => {
    await using host = await GatewayHost.start();
    const { ready, leg } = await call(host, version);
    expect(ready).toEqual({
      id: 'ready-1',
      type: 'bot-ready',
      data: { version: answered, about: { library: 'parley', call_id: 'WC-1' } },
    });
    expect(leg.sampleRateHz).toBe(24_000);
  });

  test('the token may stand in the query, as the transport adds it', async () => {
    await using host = await GatewayHost.start();
    host.calls.issue('token');
    const url = host.url('').replace('/web/', '/rtvi?token=token');
    await using caller = await RtviCaller.open(url);
    caller.say('client-ready', { version: '2.1.0' });
    expect((await caller.told('bot-ready')).type).toBe('bot-ready');
  });

  test('audio passes both ways, of the caller at any rate', async () => {
    await using host = await GatewayHost.start();
    const { session, caller, leg } = await call(host);
    const sent = new Int16Array([1, -2, 32_767]);
    caller.socket.send(serializeRtviAudio(new Uint8Array(sent.buffer), 24_000));
    expect(await session.next()).toEqual({ type: 'audio', samples: [1, -2, 32_767] });
    const slow = new Int16Array(1600);
    caller.socket.send(serializeRtviAudio(new Uint8Array(slow.buffer), 16_000));
    const heard = await session.next();
    if (heard.type !== 'audio') throw new Error('no audio');
    // Half as many again, but for the filter's delay.
    expect(heard.samples.length).toBeGreaterThan(2200);
    expect(heard.samples.length).toBeLessThanOrEqual(2400);
    leg.send(new Int16Array([5, -6, 7]));
    leg.notify({ type: 'state', user: 'silent', assistant: 'speaking' });
    await caller.told('bot-started-speaking');
    expect(caller.audio).toEqual([5, -6, 7]);
  });

  test('a clear is answered at once with all that was sent, which the client plays', async () => {
    await using host = await GatewayHost.start();
    const { session, leg } = await call(host);
    leg.send(new Int16Array(2400));
    leg.clear();
    leg.clear();
    expect(await session.next()).toEqual({ type: 'cleared', playedMs: 100 });
    expect(await session.next()).toEqual({ type: 'cleared', playedMs: 0 });
  });

  test('keys, texts and the hangup reach the session; what nobody answers is refused', async () => {
    await using host = await GatewayHost.start();
    const { session, caller } = await call(host);
    caller.say('dtmf', { buttons: ['5', 'x', '#'] });
    caller.say('dtmf', { button: '7' });
    caller.say('ui-snapshot', { tree: 'x'.repeat(30_000) });
    caller.say('client-message', { t: 'anything' }, 'm1');
    caller.say('disconnect-bot');
    expect(await session.next()).toEqual({ type: 'dtmf', digit: '5' });
    expect(await session.next()).toEqual({ type: 'dtmf', digit: '#' });
    expect(await session.next()).toEqual({ type: 'dtmf', digit: '7' });
    expect(await session.next()).toEqual({ type: 'hangup' });
    expect((await caller.told('error-response')).id).toBe('m1');
  });

  test('the end is told before the socket closes', async () => {
    await using host = await GatewayHost.start();
    const { caller, leg } = await call(host);
    leg.end('idle-timeout');
    expect(await caller.closed).toBe(1000);
    expect(caller.messages.at(-1)).toMatchObject({
      type: 'server-message',
      data: { type: 'ended', reason: 'idle-timeout' },
    });
  });

  test.each([
    ['hangs up', 1000, { type: 'hangup' }],
    ['may be lost', 3001, { type: 'lost', reason: 'socket-closed-3001' }],
  ])('who closes the socket %s', async (_, code, heard) => {
    await using host = await GatewayHost.start();
    const { session, caller } = await call(host);
    caller.socket.close(code);
    expect(await session.next()).toEqual(heard);
  });
});

describe('the socket of RTVI refuses', () => {
  test.each<[string, (caller: RtviCaller) => void, number, string]>([
    [
      'audio before client-ready',
      (caller) => caller.socket.send(serializeRtviAudio(new Uint8Array(2), 16_000)),
      1008,
      'the first message must be client-ready',
    ],
    [
      'text before client-ready',
      (caller) => caller.socket.send('{"type":"start","sampleRate":16000}'),
      1008,
      'the first message must be client-ready',
    ],
  ])('%s', async (_, send, code, message) => {
    await using host = await GatewayHost.start();
    host.calls.issue('token');
    await using caller = await RtviCaller.open(urlOf(host, 'token'));
    send(caller);
    expect(await caller.closed).toBe(code);
    expect(caller.messages).toMatchObject([
      { type: 'error', data: { error: message, fatal: true } },
    ]);
  });

  test.each<[string, Uint8Array | string, number]>([
    ['what is no frame', new Uint8Array([0, 0]), 1003],
    ['a text', '{}', 1003],
    ['an odd rate', serializeRtviAudio(new Uint8Array(2), 11_025), 1003],
    ['half a sample', serializeRtviAudio(new Uint8Array(3), 16_000), 1003],
    ['a frame that is too big', serializeRtviAudio(new Uint8Array(70_000), 16_000), 1009],
  ])('%s in a call', async (_, frame, code) => {
    await using host = await GatewayHost.start();
    const { session, caller } = await call(host);
    caller.socket.send(frame);
    expect(await caller.closed).toBe(code);
    expect(await session.next()).toMatchObject({ type: 'lost' });
  });

  test('audio that comes faster than real time', async () => {
    await using host = await GatewayHost.start();
    const { caller } = await call(host);
    // 20 s at once, where 12 are forgiven.
    const second = serializeRtviAudio(new Uint8Array(32_000), 16_000);
    for (let sent = 0; sent < 20; sent++) caller.socket.send(second);
    expect(await caller.closed).toBe(1008);
    expect((await caller.told('error')).data.error).toBe('audio comes faster than real time');
  });

  test('a token that nobody issued, and none', async () => {
    await using host = await GatewayHost.start({
      findTokenTeam: async (token) => (token === '' ? undefined : 'team'),
    });
    for (const token of ['unknown', '']) {
      await using caller = await RtviCaller.open(urlOf(host, token));
      caller.say('client-ready', { version: '2.1.0' });
      expect(await caller.closed).toBe(1008);
    }
  });

  test('a client that does not say that it is ready in time', async () => {
    await using host = await GatewayHost.start();
    host.calls.issue('token');
    await using caller = await RtviCaller.open(urlOf(host, 'token'));
    // The server has the socket when it answers a ping.
    const pong = once(caller.socket, 'pong');
    caller.socket.ping();
    await pong;
    host.clock.advanceTo(host.clock.now() + 5001);
    expect(await caller.closed).toBe(1008);
  });
});
