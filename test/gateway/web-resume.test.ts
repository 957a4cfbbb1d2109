import { describe, expect, test } from 'vitest';
import { GatewayHost } from './gateway-host.ts';

describe('a lost socket', () => {
  test('comes back to the same leg, told as lost and resumed', async () => {
    await using host = await GatewayHost.start();
    const { session, client, leg, resumeToken } = await host.call();
    client.socket.terminate();
    expect(await session.next()).toEqual({ type: 'lost', reason: 'socket-closed-1006' });
    leg.send(new Int16Array([1]));
    host.clock.advanceTo(14_999);
    const again = await host.connect(resumeToken);
    again.start();
    const ready = await again.nextText();
    expect(ready).toMatchObject({ type: 'ready', callId: 'WC-1', sampleRate: 16_000 });
    expect(ready.resumeToken).not.toBe(resumeToken);
    expect(await session.next()).toEqual({ type: 'resumed' });
    again.audio(new Int16Array([7]));
    expect(await session.next()).toEqual({ type: 'audio', samples: [7] });
    leg.send(new Int16Array([2]));
    expect([...(await again.nextAudio())]).toEqual([2]);
  });

  test('comes back while the store is away', async () => {
    let isAway = false;
    await using host = await GatewayHost.start({
      findTokenTeam: async () => {
        if (isAway) throw new Error('the store is away');
        return 'team';
      },
    });
    const { session, client, resumeToken } = await host.call();
    isAway = true;
    client.socket.terminate();
    await session.next();
    const again = await host.connect(resumeToken);
    again.start();
    expect(await again.nextText()).toMatchObject({ type: 'ready', callId: 'WC-1' });
  });

  test('tells how much of the caller it has, and takes what the client held at once', async () => {
    await using host = await GatewayHost.start();
    const { session, client, resumeToken } = await host.call();
    for (let i = 0; i < 50; i++) client.audio(new Int16Array(320));
    for (let i = 0; i < 50; i++) await session.next();
    client.socket.terminate();
    await session.next();
    host.clock.advanceTo(8000);
    const again = await host.connect(resumeToken);
    again.start();
    expect(await again.nextText()).toMatchObject({ type: 'ready', receivedMs: 1000 });
    expect(await session.next()).toEqual({ type: 'resumed' });
    // Seven seconds, as few frames as they fit in.
    for (let i = 0; i < 4; i++) again.audio(new Int16Array(28_000));
    for (let i = 0; i < 4; i++) expect(await session.next()).toMatchObject({ type: 'audio' });
    again.socket.terminate();
    expect(await session.next()).toMatchObject({ type: 'lost', reason: 'socket-closed-1006' });
  });

  test('sees what it missed: final transcripts, the last state and status', async () => {
    await using host = await GatewayHost.start();
    const { session, client, leg, resumeToken } = await host.call();
    client.socket.terminate();
    await session.next();
    leg.notify({ type: 'state', user: 'speaking', assistant: 'idle' });
    leg.notify({ type: 'transcript', role: 'user', text: 'hel', final: false });
    leg.notify({ type: 'transcript', role: 'user', text: 'hello', final: true });
    leg.notify({ type: 'state', user: 'silent', assistant: 'thinking' });
    const again = await host.connect(resumeToken);
    again.start();
    await again.nextText();
    expect(await again.nextText()).toMatchObject({ type: 'transcript', text: 'hello' });
    expect(await again.nextText()).toMatchObject({ type: 'state', assistant: 'thinking' });
    leg.end('done');
    expect(await again.nextText()).toEqual({ type: 'ended', reason: 'done' });
  });

  test('may come back at another rate: the leg keeps its own', async () => {
    await using host = await GatewayHost.start();
    const { session, client, leg, resumeToken } = await host.call('token', 16_000);
    client.socket.terminate();
    await session.next();
    const again = await host.connect(resumeToken);
    again.start(48_000);
    expect(await again.nextText()).toMatchObject({ sampleRate: 48_000 });
    expect(await session.next()).toEqual({ type: 'resumed' });
    expect(leg.sampleRateHz).toBe(16_000);
    again.audio(new Int16Array(4800).fill(1000));
    const heard = await session.next();
    const samples = heard.type === 'audio' ? heard.samples.length : 0;
    expect(samples).toBeGreaterThan(1500);
    expect(samples).toBeLessThanOrEqual(1600);
    leg.send(new Int16Array(1600).fill(1000));
    const played = await again.nextAudio();
    expect(played.length).toBeGreaterThan(4500);
    expect(played.length).toBeLessThanOrEqual(4800);
    expect(Math.abs((played[2400] as number) - 1000)).toBeLessThan(10);
  });

  test.each([
    ['after 15 s', 15_000],
    ['long after', 60_000],
  ])('does not come back %s', async (_name, ms) => {
    await using host = await GatewayHost.start();
    const { session, client, resumeToken } = await host.call();
    client.socket.terminate();
    await session.next();
    host.clock.advanceTo(ms);
    const again = await host.connect(resumeToken);
    again.start();
    expect(await again.nextText()).toMatchObject({ type: 'error', code: 'unknown-token' });
    expect((await again.closed).code).toBe(1008);
    expect(session.heard).toHaveLength(1);
  });

  test('does not come back after its hangup', async () => {
    await using host = await GatewayHost.start();
    const { session, client, resumeToken } = await host.call();
    client.say({ type: 'hangup' });
    await session.next();
    client.socket.terminate();
    await client.closed;
    const again = await host.connect(resumeToken);
    again.start();
    expect(await again.nextText()).toMatchObject({ code: 'unknown-token' });
    expect(session.heard).toEqual([{ type: 'hangup' }]);
  });

  test('a resume token works once; a bad start does not spend it', async () => {
    await using host = await GatewayHost.start();
    const { session, client, resumeToken } = await host.call();
    client.socket.terminate();
    await session.next();
    const clumsy = await host.connect(resumeToken);
    clumsy.start(1);
    expect((await clumsy.closed).code).toBe(1008);
    const again = await host.connect(resumeToken);
    again.start();
    await again.nextText();
    const thief = await host.connect(resumeToken);
    thief.start();
    expect(await thief.nextText()).toMatchObject({ code: 'unknown-token' });
    expect(session.heard.map((heard) => heard.type)).toEqual(['lost', 'resumed']);
  });

  test('learns of a call that ended meanwhile', async () => {
    await using host = await GatewayHost.start();
    const { session, client, leg, resumeToken } = await host.call();
    client.socket.terminate();
    await session.next();
    leg.end('media-lost');
    const again = await host.connect(resumeToken);
    again.start();
    expect(await again.nextText()).toEqual({ type: 'ended', reason: 'media-lost' });
    expect((await again.closed).code).toBe(1000);
  });

  test('may be replaced before the server noticed that it is gone', async () => {
    await using host = await GatewayHost.start();
    const { session, client, leg, resumeToken } = await host.call();
    const again = await host.connect(resumeToken);
    again.start();
    expect(await again.nextText()).toMatchObject({ type: 'ready' });
    expect(await client.nextText()).toMatchObject({ type: 'error', code: 'replaced' });
    expect((await client.closed).code).toBe(1008);
    expect(await session.next()).toEqual({ type: 'lost', reason: 'replaced' });
    expect(await session.next()).toEqual({ type: 'resumed' });
    leg.send(new Int16Array([4]));
    expect([...(await again.nextAudio())]).toEqual([4]);
    host.clock.advanceTo(2900);
    again.audio(new Int16Array([5]));
    expect(await session.next()).toEqual({ type: 'audio', samples: [5] });
  });

  test('a client that left while its call was opening is told as lost', async () => {
    const gate = Promise.withResolvers<void>();
    await using host = await GatewayHost.start({
      redeem: async (token) => {
        await gate.promise;
        return host.calls.redeem(token);
      },
    });
    const session = host.calls.issue('token');
    const client = await host.connect('token');
    client.start();
    await host.settled(client);
    client.socket.terminate();
    await client.closed;
    gate.resolve();
    expect(await session.next()).toMatchObject({ type: 'lost' });
  });

  test('a client whose call opens too late comes back with the token that it has', async () => {
    const gate = Promise.withResolvers<void>();
    let broke = 0;
    await using host = await GatewayHost.start({
      redeem: async (token) => {
        await gate.promise;
        const redemption = await host.calls.redeem(token);
        return { ...redemption, broke: () => broke++ };
      },
    });
    const session = host.calls.issue('token');
    const client = await host.connect('token');
    client.start();
    await host.settled(client);
    host.clock.advanceTo(5000);
    client.audio(new Int16Array(320));
    await host.settled(client);
    host.clock.advanceTo(10_000);
    expect(await client.nextText()).toMatchObject({ type: 'error', code: 'unavailable' });
    await client.closed;
    gate.resolve();
    expect(await session.next()).toEqual({ type: 'lost', reason: 'unavailable' });
    const again = await host.connect('token');
    again.start();
    expect(await again.nextText()).toMatchObject({ type: 'ready' });
    expect(await session.next()).toEqual({ type: 'resumed' });
    // The service was late, not the client wrong.
    expect(broke).toBe(0);
  });
});

describe('a silent client', () => {
  test('is lost after 9 s without frame or pong', async () => {
    await using host = await GatewayHost.start();
    const { session, client } = await host.call();
    // Nothing is read any more: pings stay unanswered.
    client.socket.pause();
    for (let now = 3000; now <= 9000; now += 3000) host.clock.advanceTo(now);
    expect(await session.next()).toEqual({ type: 'lost', reason: 'silent' });
    client.socket.resume();
    expect((await client.closed).code).toBe(1006);
  });

  test('that answers pings stays, muted as it may be', async () => {
    await using host = await GatewayHost.start();
    const { session, client } = await host.call();
    for (let now = 3000; now <= 60_000; now += 3000) {
      host.clock.advanceTo(now);
      await host.settled(client);
    }
    expect(session.heard).toEqual([]);
    expect(client.socket.readyState).toBe(client.socket.OPEN);
  });
});

describe('a slow client', () => {
  test('is dropped at the bound, says the record, and may come back', async () => {
    await using host = await GatewayHost.start({ limits: { maxBufferedBytes: 256 * 1024 } });
    const { session, client, leg, resumeToken } = await host.call('token', 48_000);
    client.socket.pause();
    let most = 0;
    // The kernel takes some megabytes before anything waits in the process.
    for (let i = 0; i < 20_000 && session.heard.length === 0; i++) {
      leg.send(new Int16Array(9600));
      most = Math.max(most, leg.bufferedBytes);
      if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(session.heard).toEqual([{ type: 'lost', reason: 'slow-reader' }]);
    expect(most).toBeGreaterThan(100_000);
    expect(most).toBeLessThan(256 * 1024 + 20_000);
    expect(leg.bufferedBytes).toBe(0);
    client.socket.terminate();
    const again = await host.connect(resumeToken);
    again.start();
    expect(await again.nextText()).toMatchObject({ type: 'ready' });
  });
});

describe('leaving nothing behind', () => {
  test('closing the service closes live sockets and the wait for lost ones', async () => {
    const host = await GatewayHost.start();
    const live = await host.call('live');
    const lost = await host.call('lost');
    lost.client.socket.terminate();
    await lost.session.next();
    const waiting = await host.connect('waiting');
    await host.settled(waiting);
    await host.app.close();
    expect((await live.client.closed).code).toBe(1001);
    expect((await waiting.closed).code).toBe(1001);
    await expect.poll(() => host.app.websocketServer.clients.size).toBe(0);
    host.clock.advanceTo(host.clock.now() + 60_000);
    expect(host.clock.nextDueAt()).toBeUndefined();
  });

  test('a finished call leaves no timer', async () => {
    await using host = await GatewayHost.start();
    const { client, leg } = await host.call();
    leg.end('done');
    await client.closed;
    await expect.poll(() => host.app.websocketServer.clients.size).toBe(0);
    expect(host.clock.nextDueAt()).toBeUndefined();
  });
});
