import { sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import type { JobAttempt, JobKind } from '../../src/jobs/job-sender.ts';
import { createJobs, type Jobs, SCHEMA } from '../../src/jobs/jobs.ts';
import { withDatabase } from '../support/postgres.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
let kinds = 0;

function newKind(changes: Partial<JobKind<{ readonly n: number }>> = {}) {
  const kind: JobKind<{ readonly n: number }> = {
    name: `count-${++kinds}`,
    timeoutMs: 30_000,
    retries: 2,
    retryDelayMs: 0,
    ...changes,
  };
  return kind;
}

/** A worker whose jobs come out one by one, each ended by the test. */
function desk() {
  type Task = {
    readonly n: number;
    readonly attempt: JobAttempt;
    readonly end: (error?: Error) => void;
  };
  const waiting: Task[] = [];
  const takers: ((task: Task) => void)[] = [];
  return {
    handler: (data: { readonly n: number }, attempt: JobAttempt) =>
      new Promise<void>((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve());
        const task = { n: data.n, attempt, end };
        const taker = takers.shift();
        if (taker) taker(task);
        else waiting.push(task);
      }),
    next: () =>
      new Promise<Task>((resolve) => {
        const task = waiting.shift();
        if (task) resolve(task);
        else takers.push(resolve);
      }),
    idle: () => waiting.length === 0,
  };
}

withDatabase('durable jobs', ({ database, db }) => {
  const started: Jobs[] = [];
  const open = (options: { readonly soleNode?: boolean; readonly pollSeconds?: number } = {}) => {
    const { connection } = database();
    const jobs = createJobs({ connection, log, soleNode: false, pollSeconds: 0.5, ...options });
    started.push(jobs);
    return jobs;
  };
  afterEach(async () => {
    await Promise.all(started.splice(0).map((jobs) => jobs.stop(0)));
  });

  test('a job of a transaction is done when that commits, and never when it does not', async () => {
    const jobs = open();
    const kind = newKind();
    const { handler, next, idle } = desk();
    jobs.work(kind, handler);
    await jobs.start();
    const failing = db().transaction(async (tx) => {
      await jobs.send(tx, kind, { n: 1 });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await db().transaction((tx) => jobs.send(tx, kind, { n: 2 }));
    const task = await next();
    expect([task.n, task.attempt.number, task.attempt.last]).toEqual([2, 1, false]);
    task.end();
    expect(idle()).toBe(true);
  });

  test('what has piled up is worked off without a pause, failures included', async () => {
    const jobs = open({ pollSeconds: 600 });
    const kind = newKind({ retries: 0 });
    const { handler, next } = desk();
    jobs.work(kind, handler);
    await jobs.start();
    for (let n = 0; n < 4; n++) await jobs.send(db(), kind, { n });
    for (let n = 0; n < 4; n++) {
      const task = await next();
      expect(task.n).toBe(n);
      task.end(n === 1 ? new Error('once') : undefined);
    }
  });

  test('under a key one job waits and one runs', async () => {
    const jobs = open();
    const kind = newKind();
    const { handler, next, idle } = desk();
    jobs.work(kind, handler, { concurrency: 2 });
    await jobs.start();
    const send = (n: number) => jobs.send(db(), kind, { n }, { dedupeKey: 'same' });
    expect(await send(1)).toBe(true);
    const first = await next();
    expect(await send(2)).toBe(true);
    expect(await send(3)).toBe(false);
    // Another key passes the one that waits: had that been let in, it would have come first.
    await jobs.send(db(), kind, { n: 4 });
    const other = await next();
    expect(other.n).toBe(4);
    expect(idle()).toBe(true);
    other.end();
    first.end();
    const second = await next();
    expect(second.n).toBe(2);
    second.end();
  });

  test('a team with work in plenty leaves a worker to the others', async () => {
    const jobs = open();
    const kind = newKind();
    const { handler, next, idle } = desk();
    jobs.work(kind, handler, { concurrency: 2 });
    await jobs.start();
    const send = (n: number, team: string) =>
      jobs.send(db(), kind, { n }, { dedupeKey: `${team}-${n}`, team });
    await send(1, 'eve');
    const first = await next();
    await send(2, 'eve');
    await send(3, 'ada');
    // Eve's second job came before it, and would have taken the other worker.
    const other = await next();
    expect([first.n, other.n]).toEqual([1, 3]);
    expect(idle()).toBe(true);
    first.end();
    other.end();
    const last = await next();
    expect(last.n).toBe(2);
    last.end();
  });

  test('a kind may say how many of a team run at once', async () => {
    const jobs = open();
    const kind = newKind();
    const { handler, next, idle } = desk();
    jobs.work(kind, handler, { concurrency: 3, perTeam: 2 });
    await jobs.start();
    const send = (n: number, team: string) =>
      jobs.send(db(), kind, { n }, { dedupeKey: `${team}-${n}`, team });
    // One after the other: workers that look at the same instant may each take one.
    await send(1, 'eve');
    const eve = [await next()];
    await send(2, 'eve');
    eve.push(await next());
    await send(3, 'eve');
    await send(4, 'ada');
    const other = await next();
    expect([...eve.map(({ n }) => n), other.n]).toEqual([1, 2, 4]);
    expect(idle()).toBe(true);
    eve[0]?.end();
    const last = await next();
    expect(last.n).toBe(3);
    for (const task of [eve[1], other, last]) task?.end();
  });

  test('the higher priority goes first, and what has its time waits for it', async () => {
    const jobs = open();
    const kind = newKind();
    const { handler, next, idle } = desk();
    jobs.work(kind, handler);
    await jobs.start();
    await jobs.send(db(), kind, { n: 0 });
    const first = await next();
    const inAnHour = new Date(Date.now() + 3_600_000);
    await jobs.send(db(), kind, { n: 9 }, { priority: 9, startAfter: inAnHour });
    await jobs.send(db(), kind, { n: 1 });
    await jobs.send(db(), kind, { n: 2 }, { priority: 5 });
    const order: number[] = [];
    first.end();
    for (let i = 0; i < 2; i++) {
      const task = await next();
      order.push(task.n);
      task.end();
    }
    expect(order).toEqual([2, 1]);
    expect(idle()).toBe(true);
    const queue = sql.identifier(SCHEMA);
    await db().execute(sql`update ${queue}.job set start_after = now() where name = ${kind.name}`);
    const last = await next();
    expect(last.n).toBe(9);
    last.end();
  });

  test('what fails is tried again, and given up after its last attempt', async () => {
    const jobs = open();
    const kind = newKind({ retries: 1 });
    const { handler, next } = desk();
    jobs.work(kind, handler);
    await jobs.start();
    await jobs.send(db(), kind, { n: 1 });
    const attempts: [number, boolean][] = [];
    for (let i = 0; i < 2; i++) {
      const { attempt, end } = await next();
      attempts.push([attempt.number, attempt.last]);
      end(new Error('no luck'));
    }
    expect(attempts).toEqual([
      [1, false],
      [2, true],
    ]);
    await jobs.send(db(), kind, { n: 2 });
    const after = await next();
    expect(after.n).toBe(2);
    after.end();
  });

  test('an attempt ends at its deadline, and another follows', async () => {
    const jobs = open();
    const kind = newKind({ timeoutMs: 1000 });
    const { handler, next } = desk();
    jobs.work(kind, handler);
    await jobs.start();
    await jobs.send(db(), kind, { n: 1 });
    const hanging = await next();
    await new Promise((resolve) => hanging.attempt.signal.addEventListener('abort', resolve));
    const second = await next();
    expect(second.attempt.number).toBe(2);
    second.end();
    hanging.end();
  });

  test('what waits, runs and has failed is counted by kind', async () => {
    const jobs = open();
    const kind = newKind({ retries: 0 });
    const { handler, next } = desk();
    jobs.work(kind, handler);
    await jobs.start();
    const counted = async () =>
      (await jobs.counts()).map(({ waiting, active, failed }) => ({ waiting, active, failed }));
    expect(await counted()).toEqual([{ waiting: 0, active: 0, failed: 0 }]);
    await jobs.send(db(), kind, { n: 1 });
    const first = await next();
    await jobs.send(db(), kind, { n: 2 }, { startAfter: new Date(Date.now() - 3600_000) });
    expect(await counted()).toEqual([{ waiting: 1, active: 1, failed: 0 }]);
    expect((await jobs.counts())[0]?.dueSeconds).toBeGreaterThanOrEqual(3600);
    first.end(new Error('no luck'));
    const second = await next();
    await expect.poll(counted).toEqual([{ waiting: 0, active: 1, failed: 1 }]);
    second.end();
    await expect.poll(counted).toEqual([{ waiting: 0, active: 0, failed: 1 }]);
  });

  test('a stop tells what runs to end, and the next start does it', async () => {
    const kind = newKind();
    const { handler, next } = desk();
    const before = open();
    before.work(kind, handler);
    await before.start();
    await before.send(db(), kind, { n: 1 });
    const cut = await next();
    cut.attempt.signal.addEventListener('abort', () => cut.end());
    await before.stop(0);
    expect(cut.attempt.signal.aborted).toBe(true);
    const after = open();
    after.work(kind, handler);
    await after.start();
    const again = await next();
    expect([again.n, again.attempt.number]).toEqual([1, 2]);
    again.end();
  });

  test('a sole node takes over at once what a dead process had at work', async () => {
    const kind = newKind();
    const dead = open();
    const deadDesk = desk();
    dead.work(kind, deadDesk.handler);
    await dead.start();
    await dead.send(db(), kind, { n: 1 }, { dedupeKey: 'call' });
    const held = await deadDesk.next();
    const alive = open({ soleNode: true });
    const aliveDesk = desk();
    alive.work(kind, aliveDesk.handler);
    await alive.start();
    const taken = await aliveDesk.next();
    expect([taken.n, taken.attempt.number]).toEqual([1, 2]);
    taken.end();
    held.end();
  });
});
