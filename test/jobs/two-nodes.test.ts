import { afterEach, expect, test } from 'vitest';
import { Dispatcher } from '../../src/events/dispatcher.ts';
import type { JobKind } from '../../src/jobs/job-sender.ts';
import { createJobs, type Jobs } from '../../src/jobs/jobs.ts';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { registerNode } from '../../src/store/nodes.ts';
import { createCallWithServer } from '../support/call-with-server.ts';
import { withDatabase } from '../support/postgres.ts';
import { startWebhookReceiver, taken } from '../support/webhook-receiver.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const NODES = ['first', 'second'] as const;

withDatabase('two processes on one database', ({ database, db, newTeam }) => {
  const open: { stop(): Promise<unknown> }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.stop()));
  });

  function newJobs(): Jobs {
    const { connection } = database();
    const jobs = createJobs({ connection, log, soleNode: false, pollSeconds: 0.5 });
    open.push({ stop: () => jobs.stop(0) });
    return jobs;
  }

  const startDispatcher = async () => {
    const nodeId = uuidv7();
    const node = { id: nodeId, serviceId: nodeId, place: 'here', pid: 1, address: 'none' };
    await registerNode(db(), { node, leaseMs: 600_000 });
    const { fetch, close } = createGuardedFetch({ allowPrivate: true, clock: systemClock });
    const dispatcher = new Dispatcher({
      db: db(),
      clock: systemClock,
      fetch,
      log,
      nodeId,
      random: Math.random,
    });
    open.push({ stop: () => dispatcher.stop().then(close) });
    dispatcher.nudge();
    return dispatcher;
  };

  test('do each job once between them, also those at work while the other starts', async () => {
    const kind: JobKind<{ readonly n: number }> = {
      name: 'shared',
      timeoutMs: 30_000,
      retries: 2,
      retryDelayMs: 0,
    };
    const done: { readonly n: number; readonly by: string }[] = [];
    const bothAtWork = Promise.withResolvers<void>();
    const start = async (by: string) => {
      const jobs = newJobs();
      jobs.work(
        kind,
        async ({ n }) => {
          done.push({ n, by });
          if (new Set(done.map((one) => one.by)).size === NODES.length) bothAtWork.resolve();
          // What the first has at work is held until the second works beside it.
          await bothAtWork.promise;
        },
        { concurrency: 2 },
      );
      await jobs.start();
      return jobs;
    };
    const first = await start(NODES[0]);
    for (let n = 0; n < 40; n++) await first.send(db(), kind, { n });
    await expect.poll(() => done.length).toBe(2);
    await start(NODES[1]);
    const left = async () => {
      const [{ waiting, active } = { waiting: -1, active: 0 }] = await first.counts();
      return waiting + active;
    };
    await expect.poll(left).toBe(0);
    expect(done.map(({ n }) => n).sort((a, b) => a - b)).toEqual([...Array(40).keys()]);
    expect(new Set(done.map(({ by }) => by))).toEqual(new Set(NODES));
  });

  test('send each message once between them and in order, also those at work while the other starts', async () => {
    const held: (() => void)[] = [];
    await using receiver = await startWebhookReceiver((response, one) => {
      held.push(() => taken(response, one));
    });
    const calls = [];
    for (let n = 0; n < 12; n++) {
      const call = await createCallWithServer(db(), { teamId: await newTeam(), url: receiver.url });
      await call.write(
        [{ type: 'status', status: 'ongoing' }, ...call.turn('Are you open?', 'Yes.')],
        { status: 'ongoing' },
      );
      calls.push(call);
    }
    await startDispatcher();
    await receiver.until((all) => all.length === calls.length);
    const second = await startDispatcher();
    // It has looked, and everything due was at work.
    await second.idle();
    expect(receiver.received).toHaveLength(calls.length);
    receiver.answer = taken;
    for (const answer of held) answer();
    second.nudge();
    await receiver.until((all) => all.length >= 3 * calls.length);
    await second.idle();
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(receiver.received.length);
    for (const { id } of calls)
      expect(receiver.of(id).map(({ type }) => type)).toEqual([
        'status-update',
        'conversation-update',
        'conversation-update',
      ]);
  });

  test('what one is stopped at, the other sends without waiting for a lease', async () => {
    await using receiver = await startWebhookReceiver(() => undefined);
    const call = await createCallWithServer(db(), { teamId: await newTeam(), url: receiver.url });
    await call.write([{ type: 'status', status: 'ongoing' }], { status: 'ongoing' });
    const first = await startDispatcher();
    await receiver.until((all) => all.length === 1);
    await first.stop();
    receiver.answer = taken;
    await startDispatcher();
    await receiver.until((all) => all.length === 2);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  });
});
