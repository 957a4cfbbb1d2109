import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { LoopSlices } from '../../src/lib/loop-slices.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** In which turn of the loop each of so many slices, asked for at once, goes on. */
async function turnsOf(slices: LoopSlices, count: number): Promise<readonly number[]> {
  let turn = 0;
  const next = () => {
    turn++;
    timer = setImmediate(next);
  };
  let timer = setImmediate(next);
  const turns: number[] = [];
  const take = async () => {
    await slices.next('a');
    turns.push(turn);
  };
  await Promise.all(Array.from({ length: count }, take));
  clearImmediate(timer);
  return turns;
}

describe('slices of the loop', () => {
  test('the first goes on at once, each other one in a turn of its own', async () => {
    expect(await turnsOf(new LoopSlices(), 3)).toEqual([0, 1, 2]);
  });

  test('teams go on by turns, however much one of them asks for', async () => {
    const slices = new LoopSlices();
    const order: string[] = [];
    const take = (team: string) => slices.next(team).then(() => order.push(team));
    await Promise.all(['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(take));
    expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
  });

  test('as many go on in each turn as it was made for', async () => {
    expect(await turnsOf(new LoopSlices({ aTurn: 2 }), 5)).toEqual([0, 0, 1, 1, 2]);
  });

  test('after a turn the loop is left to others for so many times as long, 50 ms at most', async () => {
    const clock = new ManualClock(0);
    const slices = new LoopSlices({ rest: () => 3, clock });
    const begun: number[] = [];
    const work = async (ms: number) => {
      await slices.next('a');
      begun.push(clock.now());
      clock.advanceTo(clock.now() + ms);
    };
    const all = [10, 100, 0, 0].map(work);
    await clock.advance(200);
    await Promise.all(all);
    expect(begun).toEqual([0, 40, 190, 190]);
  });

  test('what else kept the loop when a rest was over makes the next one longer', async () => {
    const clock = new ManualClock(0);
    const slices = new LoopSlices({ rest: () => 2, clock });
    const begun: number[] = [];
    const work = async () => {
      await slices.next('a');
      begun.push(clock.now());
      clock.advanceTo(clock.now() + 4);
    };
    const all = Array.from({ length: 4 }, work);
    await nextTurn();
    // The first rest is 8 ms, until 12; other work has the loop until 15.
    clock.advanceTo(15);
    await clock.advance(0);
    await clock.advance(100);
    await Promise.all(all);
    // 4 ms of work and 3 of being late: 14 ms. Then nothing is late any more: 8 ms.
    expect(begun).toEqual([0, 15, 33, 45]);
  });

  test('after a turn in which nothing waited, the next slice goes on at once', async () => {
    const slices = new LoopSlices();
    await slices.next('a');
    await nextTurn();
    let went = false;
    void slices.next('b').then(() => {
      went = true;
    });
    await Promise.resolve();
    expect(went).toBe(true);
  });
});
