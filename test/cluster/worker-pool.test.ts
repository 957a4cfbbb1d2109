import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { WorkerPool } from '../../src/cluster/worker-pool.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { ManualClock } from '../support/manual-clock.ts';

const ready = { type: 'ready', address: 'http://localhost' };
const MINUTE_MS = 60_000;

/** A process that the test lets be ready and die. */
class FakeWorker extends EventEmitter {
  readonly process = Object.assign(new EventEmitter(), { send: () => true, kill: () => true });
  readonly told: string[] = [];
  /** The nodes that it was told run the built-in carrier. */
  readonly homes: string[] = [];
  isConnected = () => true;
  isDead = () => false;
  send = ({ type, nodeId }: { type: string; nodeId?: string }) => {
    this.told.push(type);
    if (type === 'home' && nodeId !== undefined) this.homes.push(nodeId);
  };
  die = () => this.emit('exit', null, 'SIGKILL');
}

async function startPool(size: number) {
  const clock = new ManualClock();
  const forked: FakeWorker[] = [];
  let givenUp = 0;
  const pool = new WorkerPool({
    size,
    graceMs: MINUTE_MS,
    clock,
    log: createLog('silent'),
    createAssignment: (slot) => ({ nodeId: `node-${slot}-${forked.length}` }),
    onGivingUp: () => (givenUp += 1),
    fork: () => {
      const worker = new FakeWorker();
      forked.push(worker);
      return worker as unknown as Worker;
    },
  });
  const started = pool.start();
  for (let slot = 0; slot < size; slot++) {
    forked[slot]?.emit('message', ready);
    await clock.advance(0);
  }
  await started;
  return { clock, pool, forked, givenUp: () => givenUp };
}

const last = (workers: readonly FakeWorker[]) => workers.at(-1) as FakeWorker;

test('a process that keeps ending is started again, later each time, while another takes calls', async () => {
  const { clock, forked, givenUp } = await startPool(2);
  const waits: number[] = [];
  for (let death = 0; death < 8; death++) {
    const { length } = forked;
    last(forked).die();
    const diedAt = clock.now();
    while (forked.length === length && clock.now() - diedAt < MINUTE_MS) await clock.advance(100);
    waits.push(clock.now() - diedAt);
    last(forked).emit('message', ready);
    await clock.advance(0);
  }
  expect(waits).toEqual([2000, 2000, 2000, 5000, 15_000, 15_000, 15_000, 15_000]);
  expect(givenUp()).toBe(0);
});

test('the service gives up once a process keeps ending and no other is ready', async () => {
  const { clock, forked, givenUp } = await startPool(1);
  for (let death = 0; death < 5; death++) {
    last(forked).die();
    await clock.advance(15_000);
  }
  expect(givenUp()).toBe(0);
  expect(forked).toHaveLength(6);
  last(forked).die();
  await clock.advance(MINUTE_MS);
  expect(givenUp()).toBe(1);
  expect(forked).toHaveLength(6);
});

test('all processes are replaced one after the other, each when the one before is ready', async () => {
  const { clock, pool, forked } = await startPool(2);
  let isOver = false;
  void pool.restart().then(() => (isOver = true));
  for (const [i, old] of [...forked].entries()) {
    expect(old.told).toContain('retire');
    expect(forked).toHaveLength(2 + i);
    expect(forked.slice(i + 1, 2).flatMap(({ told }) => told)).not.toContain('retire');
    old.die();
    await clock.advance(0);
    last(forked).emit('message', ready);
    await clock.advance(0);
  }
  expect(forked).toHaveLength(4);
  expect(isOver).toBe(true);
});

test('a process that is told to end by somebody else is replaced, unless all of them are to stop', async () => {
  const { clock, pool, forked } = await startPool(2);
  const [first, second] = forked;
  first?.emit('message', { type: 'leaving' });
  await clock.advance(1000);
  expect(first?.told).toContain('retire');
  first?.die();
  await clock.advance(0);
  expect(forked).toHaveLength(3);

  second?.emit('message', { type: 'leaving' });
  void pool.stop();
  await clock.advance(1000);
  expect(second?.told).toContain('stop');
  expect(second?.told).not.toContain('retire');
});

const homeOf = (worker: FakeWorker | undefined) => worker?.homes.at(-1);

test('the built-in carrier is in the first process, and goes to one that is ready when that dies', async () => {
  const { clock, forked } = await startPool(3);
  for (const worker of forked) {
    // One that listens only now has missed what was told before.
    worker.emit('message', { type: 'here' });
    expect(homeOf(worker)).toBe('node-0-0');
  }
  const [first, ...others] = forked;
  first?.die();
  await clock.advance(0);
  expect(others.map(homeOf)).toEqual(['node-1-1', 'node-1-1']);
  // The process that is started in the place of the dead one does not take it back.
  await clock.advance(2000);
  last(forked).emit('message', { type: 'here' });
  last(forked).emit('message', ready);
  await clock.advance(0);
  expect(forked.slice(1).map(homeOf)).toEqual(['node-1-1', 'node-1-1', 'node-1-1']);
});

test('the death of a process without it leaves the built-in carrier where it is', async () => {
  const { clock, forked } = await startPool(2);
  forked[1]?.die();
  await clock.advance(2000);
  last(forked).emit('message', { type: 'here' });
  expect(homeOf(last(forked))).toBe('node-0-0');
});

test('a process that is replaced leaves the built-in carrier before it ends, and to one that stays', async () => {
  const { clock, pool, forked } = await startPool(2);
  void pool.restart();
  const [first, second] = forked;
  first?.emit('message', { type: 'left-home' });
  expect(homeOf(second)).toBe('node-1-1');
  // Its end moves nothing: the carrier is elsewhere.
  first?.die();
  await clock.advance(0);
  last(forked).emit('message', { type: 'here' });
  last(forked).emit('message', ready);
  await clock.advance(0);
  expect([homeOf(second), homeOf(last(forked))]).toEqual(['node-1-1', 'node-1-1']);
  // Now the other one is replaced: the new process gets it.
  second?.emit('message', { type: 'left-home' });
  expect(homeOf(last(forked))).toBe('node-0-2');
});

test('where no process is ready, the next that starts gets the built-in carrier', async () => {
  const { clock, forked } = await startPool(1);
  forked[0]?.die();
  await clock.advance(2000);
  expect(forked).toHaveLength(2);
  last(forked).emit('message', { type: 'here' });
  expect(homeOf(last(forked))).toBe('node-0-1');
});
