import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test } from 'vitest';
import { Dispatcher } from '../../src/events/dispatcher.ts';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { listDeliveries, redeliver } from '../../src/store/deliveries.ts';
import { registerNode } from '../../src/store/nodes.ts';
import { removeDeadNodes } from '../../src/store/orphaned-calls.ts';
import { deliveries } from '../../src/store/schema/deliveries.ts';
import { type CallWithServer, createCallWithServer } from '../support/call-with-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { withDatabase } from '../support/postgres.ts';
import { startWebhookReceiver, taken, type WebhookReceiver } from '../support/webhook-receiver.ts';

const HOUR_MS = 3600_000;
const log = { debug() {}, info() {}, warn() {}, error() {} };
const silent = () => undefined;
const ongoing = { type: 'status', status: 'ongoing' } as const;

withDatabase('delivering', ({ db, newTeam }) => {
  const open: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.stop();
    // What a test leaves undelivered would come to a later one whose receiver is given the same port.
    await db().delete(deliveries);
  });

  /** A dispatcher whose time the test moves. */
  function rig({
    nodeId = 'the only one',
    ...options
  }: {
    readonly nodeId?: string;
    readonly allowPrivate?: boolean;
  } = {}) {
    const clock = new ManualClock(Date.now() + 1000);
    const outbound = createGuardedFetch({ allowPrivate: true, clock, ...options });
    const { fetch } = outbound;
    const dispatcher = new Dispatcher({
      db: db(),
      clock,
      fetch,
      log,
      nodeId,
      random: () => 0.5,
    });
    open.push({
      async stop() {
        await dispatcher.stop();
        await outbound.close();
      },
    });
    return {
      clock,
      dispatcher,
      /** Lets virtual time pass, every round and try at its own instant. */
      async pass(ms: number) {
        const end = clock.now() + ms;
        for (;;) {
          await dispatcher.idle();
          const due = clock.nextDueAt();
          if (due === undefined || due > end) break;
          clock.advanceTo(due);
        }
        clock.advanceTo(end);
      },
    };
  }

  const newCall = async (
    receiver: Pick<WebhookReceiver, 'url'>,
    server: Readonly<Record<string, unknown>> = {},
  ): Promise<CallWithServer> =>
    createCallWithServer(db(), { teamId: await newTeam(), url: receiver.url, server });
  const talk = (call: CallWithServer) =>
    call.write([ongoing, ...call.turn('Are you open?', 'Yes.')], { status: 'ongoing' });
  const states = async (call: CallWithServer) =>
    (await listDeliveries(db(), { callId: call.id })).map(({ status, attempts }) => [
      status,
      attempts,
    ]);

  test('in order, signed so that the reference receiver believes it, and logged without a secret', async () => {
    await using receiver = await startWebhookReceiver((response, { headers }) =>
      response.end(`I saw ${headers['x-webhook-secret']} and ${headers['x-key']}`),
    );
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const call = await newCall(receiver, { secret, headers: { 'X-Key': 'k3y-of-the-shop' } });
    await talk(call);
    const { dispatcher, clock } = rig();
    dispatcher.nudge();
    await dispatcher.idle();
    expect(receiver.received.map(({ type }) => type)).toEqual([
      'status-update',
      'conversation-update',
      'conversation-update',
    ]);
    for (const { body, headers } of receiver.received) {
      const signed = {
        'webhook-id': `${headers['webhook-id']}`,
        'webhook-timestamp': `${headers['webhook-timestamp']}`,
        'webhook-signature': `${headers['webhook-signature']}`,
      };
      expect(() => new Webhook(secret).verify(body, signed)).not.toThrow();
      expect(() => new Webhook(secret).verify(`${body} `, signed)).toThrow();
      expect(Number(signed['webhook-timestamp'])).toBe(Math.floor(clock.now() / 1000));
      expect(headers).toMatchObject({ 'x-webhook-secret': secret, 'x-key': 'k3y-of-the-shop' });
      expect(body).not.toContain(secret);
      expect(body).not.toContain('k3y-of-the-shop');
    }
    const logged = await listDeliveries(db(), { callId: call.id });
    expect(logged.map(({ status, log: tries }) => [status, tries.length])).toEqual([
      ['delivered', 1],
      ['delivered', 1],
      ['delivered', 1],
    ]);
    expect(logged[0]?.log[0]).toMatchObject({ httpStatus: 200, response: 'I saw ••• and •••' });
    expect(receiver.received.map(({ id }) => id)).toEqual(logged.map(({ id }) => id));
  });

  test('a receiver that is down for an hour gets all of it, once and in order, and holds up nobody else', async () => {
    await using down = await startWebhookReceiver((response) => response.writeHead(503).end());
    await using well = await startWebhookReceiver();
    const calls = [await newCall(down), await newCall(down)];
    const other = await newCall(well);
    for (const call of [...calls, other]) await talk(call);
    const { dispatcher, pass } = rig();
    dispatcher.nudge();
    await pass(HOUR_MS);
    expect(well.of(other.id)).toHaveLength(3);
    // Only the first of a call is tried: what follows waits behind it.
    for (const call of calls) {
      expect(
        new Set(down.received.filter(({ callId }) => callId === call.id).map(({ id }) => id)).size,
      ).toBe(1);
      expect((await states(call)).map(([status]) => status)).toEqual(Array(3).fill('pending'));
    }
    const tries = down.received.length / calls.length;
    expect(tries).toBeGreaterThan(8);
    expect(tries).toBeLessThan(20);
    down.answer = taken;
    await pass(HOUR_MS / 4);
    for (const call of calls) {
      const successes = down.received.filter(({ callId }) => callId === call.id).slice(-3);
      expect(successes.map(({ type }) => type)).toEqual([
        'status-update',
        'conversation-update',
        'conversation-update',
      ]);
      expect((await states(call)).map(([status]) => status)).toEqual(Array(3).fill('delivered'));
    }
  });

  test('after a day it is given up, and what waited behind it gets its own try', async () => {
    await using receiver = await startWebhookReceiver((response, { type }) =>
      type === 'status-update'
        ? response.writeHead(500).end()
        : taken(response, receiver.received[0] as never),
    );
    const call = await newCall(receiver);
    await talk(call);
    const { dispatcher, clock, pass } = rig();
    dispatcher.nudge();
    await pass(HOUR_MS);
    clock.advanceTo(clock.now() + 22 * HOUR_MS);
    await pass(HOUR_MS / 2);
    expect((await states(call)).map(([status]) => status)).toEqual(Array(3).fill('pending'));
    await pass(HOUR_MS);
    expect((await states(call)).map(([status]) => status)).toEqual([
      'dead',
      'delivered',
      'delivered',
    ]);
  });

  test('410 ends it at once, and so does an address that may not be reached', async () => {
    await using gone = await startWebhookReceiver((response) => response.writeHead(410).end());
    const call = await newCall(gone);
    await talk(call);
    const first = rig();
    first.dispatcher.nudge();
    await first.dispatcher.idle();
    expect(await states(call)).toEqual(Array(3).fill(['dead', 1]));
    await first.dispatcher.stop();
    const inside = await newCall(gone);
    await talk(inside);
    const guarded = rig({ allowPrivate: false });
    guarded.dispatcher.nudge();
    await guarded.dispatcher.idle();
    expect(await states(inside)).toEqual(Array(3).fill(['dead', 1]));
    expect(gone.of(inside.id)).toEqual([]);
    const [refused] = await listDeliveries(db(), { callId: inside.id });
    expect(refused?.log[0]?.error).toMatch(/private or reserved/);
  });

  test.each([
    ['never answers', silent, /no answer within 2 s/],
    ['breaks off', (response: { destroy(): void }) => response.destroy(), /connection/],
    [
      'redirects',
      (response: { writeHead(status: number, headers: object): { end(): void } }) =>
        response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
      /redirect/,
    ],
  ] as const)('a receiver that %s is tried again', async (_what, answer, reason) => {
    await using receiver = await startWebhookReceiver(answer as never);
    const call = await newCall(receiver, { timeoutSeconds: 2, messages: ['status-update'] });
    await talk(call);
    const { dispatcher, clock, pass } = rig();
    dispatcher.nudge();
    await receiver.until((all) => all.length === 1);
    if (answer === silent) await clock.advance(2000);
    await dispatcher.idle();
    const [failed] = await listDeliveries(db(), { callId: call.id });
    expect(failed).toMatchObject({ status: 'pending', attempts: 1 });
    expect(failed?.log[0]?.error).toMatch(reason);
    receiver.answer = taken;
    await pass(10_000);
    expect(await states(call)).toEqual([['delivered', 2]]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  });

  test('an endless or garbled answer with a 200 is an answer: its start is kept, the rest is not read', async () => {
    let sent = 0;
    await using receiver = await startWebhookReceiver((response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(64 * 1024, '\0x\u0001');
      const more = () => {
        sent += chunk.length;
        if (sent < 100 * 1024 * 1024 && !response.destroyed && response.write(chunk))
          setImmediate(more);
      };
      response.on('drain', more);
      more();
    });
    const call = await newCall(receiver, { messages: ['status-update'] });
    await talk(call);
    const { dispatcher } = rig();
    dispatcher.nudge();
    await dispatcher.idle();
    const [delivered] = await listDeliveries(db(), { callId: call.id });
    expect(delivered).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(delivered?.log[0]?.response?.length).toBeLessThanOrEqual(1024);
    expect(sent).toBeLessThan(8 * 1024 * 1024);
  });

  test('an answer whose body drips is an answer once its head is there; the body is left after a second', async () => {
    let cut = 0;
    await using receiver = await startWebhookReceiver((response) => {
      response.writeHead(200);
      response.write('{"so far":');
      const drops = setInterval(() => response.write(' '), 5);
      response.on('close', () => {
        clearInterval(drops);
        cut++;
      });
    });
    const call = await newCall(receiver, { messages: ['status-update'], timeoutSeconds: 300 });
    await talk(call);
    const { dispatcher, clock } = rig();
    const startedAt = clock.now();
    dispatcher.nudge();
    // Only the wait for the body is due this soon.
    await expect.poll(() => (clock.nextDueAt() ?? Infinity) - startedAt).toBe(1000);
    clock.advanceTo(startedAt + 1000);
    await dispatcher.idle();
    const [delivered] = await listDeliveries(db(), { callId: call.id });
    expect(delivered).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(delivered?.log[0]).toMatchObject({ httpStatus: 200, latencyMs: 0 });
    expect(delivered?.log[0]?.response).toContain('{"so far":');
    await expect.poll(() => cut).toBe(1);
  });

  test('a slow receiver with many calls leaves room for others', async () => {
    await using slow = await startWebhookReceiver(() => undefined);
    await using quick = await startWebhookReceiver();
    for (let i = 0; i < 40; i++) await talk(await newCall(slow));
    const call = await newCall(quick);
    await talk(call);
    const { dispatcher } = rig();
    dispatcher.nudge();
    await quick.until((all) => all.length === 3);
    expect(slow.received.length).toBeLessThan(40);
  });

  test('what was cut off by the end of a process is sent again by the next, under the same id', async () => {
    await using receiver = await startWebhookReceiver(() => undefined);
    const call = await newCall(receiver, { messages: ['status-update'] });
    await talk(call);
    const first = rig();
    first.dispatcher.nudge();
    await receiver.until((all) => all.length === 1);
    await first.dispatcher.stop();
    expect(await states(call)).toEqual([['pending', 0]]);
    receiver.answer = taken;
    const second = rig();
    second.dispatcher.nudge();
    await second.dispatcher.idle();
    expect(await states(call)).toEqual([['delivered', 1]]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  });

  test('what a process that died was sending is sent at once by another, under the same id, and the next ones after it', async () => {
    await using receiver = await startWebhookReceiver(() => undefined);
    for (const id of ['dying', 'living']) {
      const node = { id, serviceId: id, place: 'here', pid: 1, address: 'none' };
      await registerNode(db(), { node, leaseMs: HOUR_MS });
    }
    const call = await newCall(receiver);
    await talk(call);
    const [dying, living] = [rig({ nodeId: 'dying' }), rig({ nodeId: 'living' })];
    dying.dispatcher.nudge();
    await receiver.until((all) => all.length === 1);
    living.dispatcher.nudge();
    await living.dispatcher.idle();
    expect(receiver.received).toHaveLength(1);
    receiver.answer = taken;
    await removeDeadNodes(db(), { ids: ['dying'] });
    living.dispatcher.nudge();
    await living.dispatcher.idle();
    expect(await states(call)).toEqual(Array(3).fill(['delivered', 1]));
    const [first, again, ...next] = receiver.received.map(({ id }) => id);
    expect(again).toBe(first);
    expect(new Set([first, ...next]).size).toBe(3);
    // It was only frozen: that its own attempt fails now says nothing any more.
    await dying.clock.advance(HOUR_MS / 6);
    await dying.dispatcher.idle();
    expect(await states(call)).toEqual(Array(3).fill(['delivered', 1]));
  });

  test('a dead message can be sent again, and has another day', async () => {
    await using receiver = await startWebhookReceiver((response) => response.writeHead(410).end());
    const call = await newCall(receiver, { messages: ['status-update'] });
    await talk(call);
    const { dispatcher, clock } = rig();
    dispatcher.nudge();
    await dispatcher.idle();
    const [dead] = await listDeliveries(db(), { callId: call.id });
    expect(dead?.status).toBe('dead');
    receiver.answer = taken;
    const one = { callId: call.id, id: `${dead?.id}`, now: new Date(clock.now()) };
    expect(await redeliver(db(), one)).toBe(true);
    dispatcher.nudge();
    await dispatcher.idle();
    expect(await states(call)).toEqual([['delivered', 2]]);
    expect(receiver.received.map(({ id }) => id)).toEqual([dead?.id, dead?.id]);
  });

  test('one team with many receivers that never answer leaves room for all others', async () => {
    let atSlow = 0;
    let mostAtSlow = 0;
    const keepsOpen = (response: ServerResponse) => {
      mostAtSlow = Math.max(mostAtSlow, ++atSlow);
      response.once('close', () => atSlow--);
    };
    await using slow1 = await startWebhookReceiver(keepsOpen);
    await using slow2 = await startWebhookReceiver(keepsOpen);
    await using slow3 = await startWebhookReceiver(keepsOpen);
    await using quick = await startWebhookReceiver();
    const eve = await newTeam();
    for (const { url } of [slow1, slow2, slow3])
      for (let n = 0; n < 17; n++)
        await (await createCallWithServer(db(), { teamId: eve, url, server: {} })).write(
          [ongoing],
          {
            status: 'ongoing',
          },
        );
    const ada = await newCall(quick);
    await ada.write([ongoing], { status: 'ongoing' });
    const { dispatcher } = rig();
    dispatcher.nudge();
    await quick.until((received) => received.length > 0);
    await expect.poll(() => atSlow).toBeGreaterThanOrEqual(32);
    await expect.poll(() => states(ada)).toEqual([['delivered', 1]]);
    // A claim takes up to 16 at once.
    expect(mostAtSlow).toBeLessThanOrEqual(31 + 16);
  });
});
