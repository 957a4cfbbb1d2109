import { describe, expect, test } from 'vitest';
import { MAX_FRAME_BYTES } from '../../src/gateway/web-protocol.ts';
import { FakeSession } from './fake-session.ts';
import { GatewayHost } from './gateway-host.ts';
import { RawClient } from './raw-client.ts';

describe('a call over the web socket', () => {
  test.each([8000, 16_000, 24_000, 48_000])('audio passes both ways at %i Hz', async (rate) => {
    await using host = await GatewayHost.start();
    const { session, client, leg, ready } = await host.call('token', rate);
    expect(ready).toEqual({
      type: 'ready',
      callId: 'WC-1',
      sampleRate: rate,
      resumeToken: expect.stringMatching(/^[\w-]{32}\.node$/),
      statsEveryMs: 5000,
      heldAudioMs: 10_000,
    });
    expect(leg.sampleRateHz).toBe(rate);
    client.audio(new Int16Array([1, -2, 32_767, -32_768]));
    expect(await session.next()).toEqual({ type: 'audio', samples: [1, -2, 32_767, -32_768] });
    leg.send(new Int16Array([5, -6, 7]));
    expect([...(await client.nextAudio())]).toEqual([5, -6, 7]);
  });

  test('audio, marks and clears keep their order', async () => {
    await using host = await GatewayHost.start();
    const { client, leg } = await host.call();
    leg.send(new Int16Array([1]));
    leg.mark('m1');
    leg.send(new Int16Array([2]));
    leg.clear();
    leg.send(new Int16Array([3]));
    leg.mark('m2', true);
    expect([...(await client.nextAudio())]).toEqual([1]);
    expect(await client.nextText()).toEqual({ type: 'mark', mark: 'm1' });
    expect([...(await client.nextAudio())]).toEqual([2]);
    expect(await client.nextText()).toEqual({ type: 'clear' });
    expect([...(await client.nextAudio())]).toEqual([3]);
    expect(await client.nextText()).toEqual({ type: 'mark', mark: 'm2', end: true });
  });

  test('what the client says reaches the session', async () => {
    await using host = await GatewayHost.start();
    const { session, client } = await host.call();
    client.say({ type: 'dtmf', digit: '5' });
    client.say({ type: 'played', mark: 'm3' });
    client.say({ type: 'cleared', playedMs: 140 });
    const stats = {
      playedMs: 5000,
      concealedMs: 12.5,
      concealments: 1,
      stretchedMs: 40,
      cutMs: 0,
      delayMs: 80,
    };
    client.say({ type: 'stats', ...stats, ofANewerClient: 1 });
    client.say({ type: 'hangup' });
    expect(await session.next()).toEqual({ type: 'dtmf', digit: '5' });
    expect(await session.next()).toEqual({ type: 'mark', name: 'm3' });
    expect(await session.next()).toEqual({ type: 'cleared', playedMs: 140 });
    expect(await session.next()).toEqual({ type: 'playback', stats });
    expect(await session.next()).toEqual({ type: 'hangup' });
  });

  test('what the session notifies is shown to the client', async () => {
    await using host = await GatewayHost.start();
    const { client, leg } = await host.call();
    const notices = [
      { type: 'transcript', role: 'user', text: 'hello', final: false },
      { type: 'state', user: 'speaking', assistant: 'idle' },
      { type: 'status', status: 'ongoing' },
      { type: 'error', code: 'tts', message: 'the voice failed' },
    ] as const;
    for (const notice of notices) leg.notify(notice);
    for (const notice of notices) expect(await client.nextText()).toEqual(notice);
  });

  test('the end is told, then the socket closes with 1000 and the leg falls silent', async () => {
    await using host = await GatewayHost.start();
    const { session, client, leg } = await host.call();
    leg.send(new Int16Array([1]));
    leg.end('assistant-ended');
    leg.end('again');
    expect([...(await client.nextAudio())]).toEqual([1]);
    expect(await client.nextText()).toEqual({ type: 'ended', reason: 'assistant-ended' });
    expect((await client.closed).code).toBe(1000);
    leg.send(new Int16Array([2]));
    leg.mark('m');
    leg.clear();
    leg.notify({ type: 'status', status: 'finished' });
    expect(leg.bufferedBytes).toBe(0);
    expect(session.heard).toEqual([]);
  });

  test('a hangup that the session does not answer still ends', async () => {
    await using host = await GatewayHost.start();
    const { session, client } = await host.call();
    client.say({ type: 'hangup' });
    expect(await session.next()).toEqual({ type: 'hangup' });
    client.audio(new Int16Array([1]));
    await host.settled(client);
    host.clock.advanceTo(host.clock.now() + 3000);
    expect(await client.nextText()).toEqual({ type: 'ended', reason: 'hangup' });
    expect((await client.closed).code).toBe(1000);
    expect(session.heard).toHaveLength(1);
  });

  test('injected sockets work as real ones do', async () => {
    await using host = await GatewayHost.start();
    const session = host.calls.issue('injected');
    const client = new RawClient(await host.app.injectWS('/media/web/injected'));
    client.start(8000);
    expect(await client.nextText()).toMatchObject({ type: 'ready', sampleRate: 8000 });
    const leg = await session.attached();
    leg.end('done');
    expect((await client.closed).code).toBe(1000);
  });
});

test('whose call it is learns whether its client broke the protocol, or was only lost', async () => {
  const broken: string[] = [];
  await using host = await GatewayHost.start({
    redeem: async (token) => ({
      ...(await host.calls.redeem(token)),
      broke: () => void broken.push(token),
    }),
  });
  const lost = await host.call('lost');
  lost.client.socket.terminate();
  expect(await lost.session.next()).toMatchObject({ type: 'lost' });
  const bad = await host.call('bad');
  bad.client.say({ type: 'start', sampleRate: 16_000 });
  expect((await bad.client.closed).code).toBe(1008);
  expect(await bad.session.next()).toMatchObject({ type: 'lost' });
  expect(broken).toEqual(['bad']);
});

describe('bad input is told, then closed', () => {
  async function expectRefusal(client: RawClient, code: string, closeCode: number) {
    expect(await client.nextText()).toMatchObject({
      type: 'error',
      code,
      message: expect.any(String),
    });
    expect(await client.closed).toMatchObject({ code: closeCode });
  }

  test.each([
    ['{"type":"hangup"}', 'start-expected'],
    ['not json', 'bad-message'],
    ['{"type":"start"}', 'unsupported-sample-rate'],
    ['{"type":"start","sampleRate":11025}', 'unsupported-sample-rate'],
  ])('first message %s', async (text, code) => {
    await using host = await GatewayHost.start();
    const session = host.calls.issue('token');
    const client = await host.connect('token');
    client.socket.send(text);
    await expectRefusal(client, code, 1008);
    expect(session.isAttached).toBe(false);
    // The token was not spent on it.
    const second = await host.connect('token');
    second.start();
    expect(await second.nextText()).toMatchObject({ type: 'ready' });
  });

  test('audio before start', async () => {
    await using host = await GatewayHost.start();
    host.calls.issue('token');
    const client = await host.connect('token');
    client.audio(new Int16Array(160));
    await expectRefusal(client, 'start-expected', 1008);
  });

  test('no first message within 5 s', async () => {
    await using host = await GatewayHost.start();
    host.calls.issue('token');
    const client = await host.connect('token');
    await host.settled(client);
    host.clock.advanceTo(4999);
    await host.settled(client);
    expect(client.received).toEqual([]);
    host.clock.advanceTo(5000);
    await expectRefusal(client, 'start-timeout', 1008);
  });

  test('a token that was never issued, and one used before', async () => {
    await using host = await GatewayHost.start();
    await host.call('token');
    for (const token of ['never-issued', 'token']) {
      const client = await host.connect(token);
      client.start();
      await expectRefusal(client, 'unknown-token', 1008);
    }
  });

  test('a call that is refused, fails to open or never opens', async () => {
    const pending = Promise.withResolvers<never>();
    await using host = await GatewayHost.start({
      redeem: (token) => {
        if (token === 'draining') {
          return Promise.resolve({ outcome: 'refused', code: 'draining', message: 'later' });
        }
        return token === 'broken' ? Promise.reject(new Error('no store')) : pending.promise;
      },
    });
    const draining = await host.connect('draining');
    draining.start();
    await expectRefusal(draining, 'draining', 1013);
    const broken = await host.connect('broken');
    broken.start();
    await expectRefusal(broken, 'internal', 1011);
    expect(JSON.stringify(broken.received)).not.toContain('store');
    const stuck = await host.connect('stuck');
    stuck.start();
    await host.settled(stuck);
    host.clock.advanceTo(5000);
    await host.settled(stuck);
    host.clock.advanceTo(10_000);
    await expectRefusal(stuck, 'unavailable', 1011);
  });

  test('a session that cannot begin leaves no way back', async () => {
    await using host = await GatewayHost.start({
      redeem: async (token) => {
        if (token !== 'token') return { outcome: 'unknown' };
        const attach = () => {
          throw new Error('no recogniser');
        };
        return { outcome: 'accepted', callId: 'WC-1', attach };
      },
    });
    const client = await host.connect('token');
    client.start();
    const { resumeToken } = await client.nextText();
    await expectRefusal(client, 'internal', 1011);
    expect(host.logged).toHaveLength(1);
    const again = await host.connect(String(resumeToken));
    again.start();
    await expectRefusal(again, 'unknown-token', 1008);
  });

  test('a call of a process that died goes on at its own rate, and the caller is told what was heard', async () => {
    const session = new FakeSession();
    let rateHz = 0;
    await using host = await GatewayHost.start({
      redeem: async () => ({
        outcome: 'accepted',
        callId: 'WC-1',
        sealLeg: ({ sampleRateHz, serial }) => `sealed-${sampleRateHz}-${serial}`,
        takenOver: { sampleRateHz: 24_000, receivedMs: 5200, receivedAt: Date.now() - 800 },
        attach(leg) {
          rateHz = leg.sampleRateHz;
          return session.attach(leg);
        },
      }),
    });
    const client = await host.connect('token-of-another');
    client.start();
    expect(await client.nextText()).toMatchObject({
      type: 'ready',
      callId: 'WC-1',
      resumeToken: 'sealed-24000-0.node',
      receivedMs: 5200,
    });
    expect(rateHz).toBe(24_000);
  });

  test.each([
    ['second start', '{"type":"start","sampleRate":8000}', 'unexpected-start', 1008],
    ['unknown type', '{"type":"sing"}', 'unknown-type', 1003],
    ['not JSON', '{', 'bad-message', 1003],
    ['bad digit', '{"type":"dtmf","digit":"55"}', 'bad-message', 1003],
  ])('in a call: %s', async (_name, text, code, closeCode) => {
    await using host = await GatewayHost.start();
    const { session, client, resumeToken } = await host.call();
    client.socket.send(text);
    await expectRefusal(client, code, closeCode);
    expect(await session.next()).toEqual({ type: 'lost', reason: code });
    // Who broke the protocol is not let back in.
    const again = await host.connect(resumeToken);
    again.start();
    await expectRefusal(again, 'unknown-token', 1008);
  });

  test('in a call: half a sample', async () => {
    await using host = await GatewayHost.start();
    const { session, client } = await host.call();
    client.socket.send(new Uint8Array(641));
    await expectRefusal(client, 'odd-length', 1003);
    expect(await session.next()).toEqual({ type: 'lost', reason: 'odd-length' });
  });

  test.each([MAX_FRAME_BYTES + 2, 1_000_000])('in a call: a frame of %i bytes', async (bytes) => {
    await using host = await GatewayHost.start();
    const { session, client } = await host.call();
    client.socket.send(new Uint8Array(MAX_FRAME_BYTES));
    expect(await session.next()).toMatchObject({ type: 'audio' });
    client.socket.send(new Uint8Array(bytes));
    await expectRefusal(client, 'frame-too-big', 1009);
    expect(await session.next()).toEqual({ type: 'lost', reason: 'frame-too-big' });
  });

  test('in a call: audio faster than real time', async () => {
    await using host = await GatewayHost.start();
    const { session, client } = await host.call();
    for (let i = 0; i < 120; i++) client.audio(new Int16Array(320));
    await expectRefusal(client, 'too-fast', 1008);
    expect(session.heard.at(-1)).toEqual({ type: 'lost', reason: 'too-fast' });
    expect(session.heard).toHaveLength(102);
  });

  test('in a call: too many frames, pings included', async () => {
    await using host = await GatewayHost.start({ limits: { catchUpMs: 1000 } });
    const { session, client } = await host.call();
    // The socket itself ends a client with too many unanswered pings: these are answered.
    for (let i = 0; i < 150; i++) await host.settled(client);
    for (let i = 0; i < 60; i++) client.say({ type: 'dtmf', digit: '1' });
    await expectRefusal(client, 'too-many-frames', 1008);
    expect(session.heard.filter((heard) => heard.type === 'dtmf')).toHaveLength(50);
  });

  test('an unknown token, without waiting for a start', async () => {
    await using host = await GatewayHost.start({ findTokenTeam: async () => undefined });
    await expectRefusal(await host.connect('nobodys'), 'unknown-token', 1008);
  });

  test('a token that cannot be looked up', async () => {
    await using host = await GatewayHost.start({
      findTokenTeam: () => Promise.reject(new Error('the store is away')),
    });
    await expectRefusal(await host.connect('token'), 'internal', 1011);
    expect(host.logged).toMatchObject([{ err: { message: 'the store is away' } }]);
  });

  test('too many sockets of one team that have not started: only that team lacks room', async () => {
    await using host = await GatewayHost.start({
      admission: { maxPerTeam: 2 },
      findTokenTeam: async (token) => token.slice(0, 1),
    });
    const first = await host.connect('a1');
    await host.settled(first);
    await host.settled(await host.connect('a2'));
    await expectRefusal(await host.connect('a3'), 'busy', 1013);
    const { ready } = await host.call('b1');
    expect(ready).toMatchObject({ type: 'ready' });
    first.start();
    await expectRefusal(first, 'unknown-token', 1008);
    await host.call('a4');
  });

  test('the same token on too many sockets', async () => {
    await using host = await GatewayHost.start({ admission: { maxPerToken: 1 } });
    host.calls.issue('token');
    const first = await host.connect('token');
    await host.settled(first);
    await expectRefusal(await host.connect('token'), 'busy', 1013);
    first.start();
    expect(await first.nextText()).toMatchObject({ type: 'ready' });
  });

  test('a plain HTTP request is answered with 404', async () => {
    await using host = await GatewayHost.start();
    expect((await host.app.inject('/media/web/token')).statusCode).toBe(404);
  });
});
