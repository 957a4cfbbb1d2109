import { expect, test } from 'vitest';
import { Random } from '../turns/random.ts';
import { Machine, Thread } from './machine.ts';

const exponential = (chance: Random, mean: number) => -mean * Math.log(1 - chance.next());
const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Has customers come at random to what `take` starts, and returns the times that each spent there. */
function sojourns(
  machine: Machine,
  load: { readonly every: number; readonly count: number; readonly chance: Random },
  take: (done: () => void) => void,
): number[] {
  const times: number[] = [];
  let left = load.count;
  const come = () => {
    const cameAt = machine.now;
    take(() => times.push(machine.now - cameAt));
    if (--left > 0) machine.at(machine.now + exponential(load.chance, load.every), come);
  };
  machine.at(0, come);
  machine.runUntil(10 * load.count * load.every);
  return times;
}

const COUNT = 400_000;

// Known results of queueing, at a load of 0.7: the time in the system is waiting and service.
test('one thread with work of one length is the queue M/D/1', () => {
  const machine = new Machine(1);
  const thread = new Thread(machine);
  const times = sojourns(machine, { every: 1, count: COUNT, chance: new Random(1) }, (done) =>
    thread.add(0.7, done),
  );
  expect(mean(times)).toBeCloseTo(0.7 + (0.7 * 0.7) / (2 * 0.3), 1);
});

test('one thread with work of random length is the queue M/M/1, its tail too', () => {
  const machine = new Machine(1);
  const thread = new Thread(machine);
  const chance = new Random(2);
  const times = sojourns(machine, { every: 1, count: COUNT, chance: new Random(1) }, (done) =>
    thread.add(exponential(chance, 0.7), done),
  );
  const expected = 0.7 / 0.3;
  expect(mean(times) / expected).toBeCloseTo(1, 1);
  // The time in it is itself exponential.
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(0.99 * times.length)] as number;
  expect(p99 / (expected * Math.log(100))).toBeCloseTo(1, 1);
});

test('threads that share one core have the times of a core shared by all, whatever their lengths', () => {
  const machine = new Machine(1);
  // Lengths of 0.1 and 6.1 ms, 0.7 on average: M/G/1 with shared service depends on the average alone.
  const chance = new Random(3);
  const times = sojourns(machine, { every: 1, count: COUNT, chance: new Random(1) }, (done) =>
    machine.run(chance.chance(0.1) ? 6.1 : 0.1, done),
  );
  expect(mean(times) / (0.7 / 0.3)).toBeCloseTo(1, 1);
});

test('threads on two cores are the queue M/M/2', () => {
  const machine = new Machine(2);
  const chance = new Random(4);
  const times = sojourns(machine, { every: 1, count: COUNT, chance: new Random(1) }, (done) =>
    machine.run(exponential(chance, 1.4), done),
  );
  // Erlang C for two servers at 0.7 each: 2 rho^2 / (1 + rho).
  const waits = (2 * 0.49) / 1.7;
  expect(mean(times) / (1.4 + (waits * 1.4) / (2 * 0.3))).toBeCloseTo(1, 1);
});

test('a machine tells what of its cores was used', () => {
  const machine = new Machine(2);
  const ended: number[] = [];
  for (let n = 0; n < 3; n++) machine.run(10, () => ended.push(machine.now));
  machine.run(2, () => ended.push(machine.now));
  machine.runUntil(100);
  // Four at half a core each until the shortest is done, then three at two thirds.
  expect(ended.map((at) => Math.round(at * 1e6) / 1e6)).toEqual([4, 16, 16, 16]);
  expect(machine.usedMs).toBeCloseTo(32);
  expect(machine.now).toBe(100);
});

test('what is asked for an instant that is over is done now, and nothing goes back', () => {
  const machine = new Machine(1);
  const done: number[] = [];
  machine.at(10, () => machine.at(4, () => done.push(machine.now)));
  machine.run(12, () => done.push(machine.now));
  machine.runUntil(20);
  expect(done).toEqual([10, 12]);
});
