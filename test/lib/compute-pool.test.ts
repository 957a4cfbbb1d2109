import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ComputePool, type ComputePoolOptions } from '../../src/lib/compute-pool.ts';
import { eventually } from '../support/eventually.ts';
import type { TestTask } from './compute-tasks.ts';

const pools: ComputePool<TestTask, unknown>[] = [];

function createPool(options: Partial<ComputePoolOptions> = {}): ComputePool<TestTask, unknown> {
  const entry = new URL('./compute-tasks.ts', import.meta.url);
  const pool = new ComputePool<TestTask, unknown>({ entry, ...options });
  pools.push(pool);
  return pool;
}

afterEach(() => {
  vi.useRealTimers();
  for (const pool of pools.splice(0)) pool.close();
});

const patient = { deadlineMs: 60_000, team: 'a' };
const echo = (value: unknown): TestTask => ({ kind: 'echo', value });

describe('a pool of computing threads', () => {
  test('answers, each with its own', async () => {
    const pool = createPool();
    const answers = await Promise.all([1, 2, 3].map((value) => pool.run(echo(value), patient)));
    expect(answers).toEqual([1, 2, 3]);
  });

  test('ends idle threads, unless a call is live, and starts others for later tasks', async () => {
    let calls = 1;
    const pool = createPool({ threads: 1, idle: { idleMs: 20, inCall: () => calls > 0 } });
    const inThread = () => pool.run({ kind: 'thread' }, patient);
    const first = await inThread();
    // Longer than the idle time of the threads.
    await pool.run({ kind: 'compute', ms: 50 }, patient);
    expect(await inThread()).toBe(first);
    calls = 0;
    await eventually(async () => expect(await inThread()).not.toBe(first));
  });

  test.each(['backtrack', 'spin'] as const)(
    'kills a task at its deadline, and computes on: %s',
    async (kind) => {
      const pool = createPool({ threads: 1 });
      await expect(pool.run({ kind }, { deadlineMs: 50, team: 'a' })).rejects.toMatchObject({
        code: 'overdue',
      });
      expect(await pool.run(echo('well'), patient)).toBe('well');
    },
  );

  test.each(['backtrack', 'spin'] as const)(
    'kills a task that has used up its CPU time, and computes on: %s',
    async (kind) => {
      const pool = createPool({ threads: 1 });
      const limits = { cpuMs: 30, deadlineMs: 60_000, team: 'a' };
      await expect(pool.run({ kind }, limits)).rejects.toMatchObject({ code: 'exhausted' });
      expect(await pool.run(echo('well'), limits)).toBe('well');
    },
  );

  test('counts CPU time alone: a thread that the machine lets wait keeps its task until the deadline', async () => {
    const pool = createPool({ threads: 1 });
    await pool.run(echo('warm'), patient);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const passSeconds = async (count: number) => {
      for (let passed = 0; passed < count * 10; passed++) {
        await vi.advanceTimersByTimeAsync(100);
        // The thread's CPU time arrives in a separate message.
        await nextTurn();
      }
    };
    const limits = { cpuMs: 100, deadlineMs: 10_000, team: 'a' };
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const patientTask = pool.run({ kind: 'wait', gate }, limits);
    await passSeconds(9);
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
    expect(await patientTask).toMatch(/^(ok|not-equal)$/);
    const stuck = pool.run(
      { kind: 'wait', gate: new Int32Array(new SharedArrayBuffer(4)) },
      limits,
    );
    const settled = Promise.allSettled([stuck]);
    await passSeconds(11);
    expect(await settled).toMatchObject([{ reason: { code: 'overdue' } }]);
  });

  test('what earlier tasks have computed is not charged to the next', async () => {
    const pool = createPool({ threads: 1 });
    const limits = { cpuMs: 150, deadlineMs: 60_000, team: 'a' };
    for (let task = 0; task < 4; task++)
      expect(await pool.run({ kind: 'compute', ms: 60 }, limits)).toBe('computed');
  });

  test.each([
    ['hoard', 'memory'],
    ['recurse', 'failed'],
    ['throw', 'failed'],
    ['exit', 'failed'],
  ] as const)('outlives a task that does this: %s', async (kind, code) => {
    const pool = createPool({ threads: 1, heapMib: 32 });
    await expect(pool.run({ kind }, patient)).rejects.toMatchObject({ code });
    expect(await pool.run(echo('well'), patient)).toBe('well');
  });

  test('leaves a thread to the others, however much one team asks', async () => {
    const pool = createPool({ threads: 2 });
    const hostile = { deadlineMs: 60_000, team: 'hostile' };
    const endless = Array.from({ length: 8 }, () => pool.run({ kind: 'spin' }, hostile));
    const settled = Promise.allSettled(endless);
    expect(await pool.run(echo('served'), { deadlineMs: 60_000, team: 'other' })).toBe('served');
    pool.close();
    expect((await settled).map(({ status }) => status)).toEqual(Array(8).fill('rejected'));
  });

  test('serves teams in turn', async () => {
    const pool = createPool({ threads: 1 });
    const served: string[] = [];
    const ask = (team: string) =>
      pool.run(echo(team), { deadlineMs: 60_000, team }).then(() => served.push(team));
    await Promise.all(['a', 'a', 'a', 'b', 'b', 'c'].map(ask));
    // Nobody else was waiting when the first one came.
    expect(served).toEqual(['a', 'a', 'b', 'c', 'a', 'b']);
  });

  test('refuses a team whose queue is full, and nobody else', async () => {
    const pool = createPool({ threads: 2, maxWaitingPerTeam: 3 });
    const ask = (team: string) => pool.run({ kind: 'spin' }, { deadlineMs: 60_000, team });
    const accepted = Array.from({ length: 4 }, () => ask('a'));
    const settled = Promise.allSettled(accepted);
    await expect(ask('a')).rejects.toMatchObject({ code: 'busy' });
    expect(await pool.run(echo('served'), { deadlineMs: 60_000, team: 'b' })).toBe('served');
    pool.close();
    await settled;
  });

  test('an abort ends the wait at once, and its task is not begun', async () => {
    const pool = createPool({ threads: 1 });
    const running = pool.run({ kind: 'spin' }, { deadlineMs: 300, team: 'a' });
    const settled = Promise.allSettled([running]);
    const abort = new AbortController();
    const waiting = pool.run({ kind: 'exit' }, { ...patient, team: 'b', signal: abort.signal });
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    expect((await settled)[0]).toMatchObject({ reason: { code: 'overdue' } });
    expect(await pool.run(echo('well'), patient)).toBe('well');
  });

  test('nothing is taken once it is closed', async () => {
    const pool = createPool();
    pool.close();
    await expect(pool.run(echo(1), patient)).rejects.toMatchObject({ code: 'closed' });
  });

  test.runIf(process.platform === 'linux')('yields to the thread that started it', async () => {
    const pool = createPool();
    const own = () => readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ')[16];
    const before = own();
    const given = Number(await pool.run({ kind: 'priority' }, patient));
    expect(given).toBeGreaterThan(Number(before));
    expect(own()).toBe(before);
  });
});
