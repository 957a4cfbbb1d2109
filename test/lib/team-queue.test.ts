import { expect, test } from 'vitest';
import { TeamQueue } from '../../src/lib/team-queue.ts';

/** Work that ends on request. */
function held() {
  const { promise, resolve } = Promise.withResolvers<string>();
  let begun = 0;
  const work = () => {
    begun++;
    return promise;
  };
  return { work, end: () => resolve('done'), begun: () => begun };
}

const now = (value: string) => async () => value;

test('one team holds all places but one', async () => {
  const queue = new TeamQueue({ concurrency: 3, maxWaiting: 10 });
  const long = held();
  const eve = Array.from({ length: 5 }, () => queue.run('eve', long.work));
  expect(long.begun()).toBe(2);
  expect(await queue.run('ada', now('served'))).toBe('served');
  long.end();
  expect(await Promise.all(eve)).toEqual(Array(5).fill('done'));
});

test('with a single place, teams take turns', async () => {
  const queue = new TeamQueue({ concurrency: 1, maxWaiting: 10 });
  const served: string[] = [];
  const ask = (team: string) => queue.run(team, async () => served.push(team));
  await Promise.all(['eve', 'eve', 'eve', 'ada', 'ada', 'bob'].map(ask));
  // Nobody else was waiting when the first one came.
  expect(served).toEqual(['eve', 'eve', 'ada', 'bob', 'eve', 'ada']);
});

test('a team whose queue is full is refused, and nobody else', async () => {
  const queue = new TeamQueue({ concurrency: 2, maxWaiting: 1 });
  const long = held();
  const eve = [queue.run('eve', long.work), queue.run('eve', long.work)];
  await expect(queue.run('eve', long.work)).rejects.toThrow('too much work of this team');
  expect(await queue.run('ada', now('served'))).toBe('served');
  long.end();
  await Promise.all(eve);
});

test('an abort ends a wait, and what is cleared is refused', async () => {
  const queue = new TeamQueue({ concurrency: 1, maxWaiting: 10 });
  const long = held();
  const first = queue.run('ada', long.work);
  const stop = new AbortController();
  const aborted = queue.run('ada', long.work, stop.signal);
  const cleared = queue.run('ada', long.work);
  stop.abort();
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  queue.clear();
  await expect(cleared).rejects.toMatchObject({ name: 'AbortError' });
  long.end();
  expect(await first).toBe('done');
  expect(long.begun()).toBe(1);
});

test('work that fails gives its place back', async () => {
  const queue = new TeamQueue({ concurrency: 1, maxWaiting: 10 });
  const failing = () => Promise.reject(new Error('broken'));
  await expect(queue.run('ada', failing)).rejects.toThrow('broken');
  expect(await queue.run('ada', now('served'))).toBe('served');
});
