import { expect, test } from 'vitest';
import { BodyCache } from '../../src/api/body-cache.ts';
import { Coalescer } from '../../src/api/coalescer.ts';
import { startTestApi } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

withDatabase('two nodes that read assistants', ({ db, newTeam }) => {
  test('see at once what the other changed, listed or not', async () => {
    const [here, there] = [await startTestApi(db()), await startTestApi(db())];
    const teamId = await newTeam();
    const [ada, bob] = [await here.client(teamId), await there.client(teamId)];
    const path = '/assistants/v1/assistants';
    const made = [];
    for (const name of ['a', 'b', 'c']) made.push((await ada.post(path, { name })).body);
    const names = async () =>
      (await bob.get(path)).body.map(({ name }: { name: string }) => name).join('');
    expect(await names()).toBe('cba');
    await ada.patch(`${path}/${made[1]._id}`, { name: 'B' });
    expect(await names()).toBe('cBa');
    expect((await bob.get(`${path}/${made[1]._id}`)).body.name).toBe('B');
    await ada.delete(`${path}/${made[0]._id}`);
    expect(await names()).toBe('cB');
    expect((await bob.get(`${path}/${made[0]._id}`)).status).toBe(404);
    await Promise.all([here.close(), there.close()]);
  });

  test('never show a list that is over, whatever was made and unmade meanwhile', async () => {
    const api = await startTestApi(db());
    const ada = await api.client(await newTeam());
    const path = '/assistants/v1/assistants';
    const present: string[] = [];
    const check = async (query: string, expected: string[]) => {
      const { body } = await ada.get(`${path}${query}`);
      expect(body.map(({ _id }: { _id: string }) => _id)).toEqual(expected);
    };
    for (let step = 0; step < 12; step++) {
      if (step % 3 === 2) {
        // Read while the assistant exists, and again when the team is in its previous state.
        const { _id } = (await ada.post(path, { name: 'passing' })).body;
        await Promise.all([check('', [_id, ...present]), check('?limit=1', [_id])]);
        await ada.delete(`${path}/${_id}`);
      } else present.unshift((await ada.post(path, { name: `n${step}` })).body._id);
      await Promise.all([
        check('', present),
        check('', present),
        check('?limit=1', present.slice(0, 1)),
        check(`?cursor=${present[0]}`, present.slice(1)),
      ]);
    }
    await api.close();
  });

  test('many readers at once each get their own', async () => {
    const api = await startTestApi(db());
    const clients = [await api.client(await newTeam()), await api.client(await newTeam())];
    const path = '/assistants/v1/assistants';
    const made: { _id: string }[] = [];
    for (const client of clients)
      made.push((await client.post(path, { name: client.teamId })).body);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        (clients[i % 2] as (typeof clients)[0]).get(`${path}/${made[Math.floor(i / 2) % 2]?._id}`),
      ),
    );
    for (const [i, { status, body }] of answers.entries()) {
      const own = i % 2 === Math.floor(i / 2) % 2;
      expect([status, body.name]).toEqual(own ? [200, clients[i % 2]?.teamId] : [404, undefined]);
    }
    await api.close();
  });
});

test('questions that come while one is out are asked together', async () => {
  const batches: number[][] = [];
  const release: (() => void)[] = [];
  const doubled = new Coalescer<number, number>(async (keys) => {
    batches.push([...keys]);
    await new Promise<void>((resolve) => release.push(resolve));
    if (keys.includes(13)) throw new Error('unlucky');
    return keys.map((key) => key * 2);
  });
  const first = doubled.get(1);
  const others = [doubled.get(2), doubled.get(3)];
  release[0]?.();
  expect(await first).toBe(2);
  const late = doubled.get(13);
  release[1]?.();
  expect(await Promise.all(others)).toEqual([4, 6]);
  const refused = expect(late).rejects.toThrow('unlucky');
  await Promise.resolve();
  release[2]?.();
  await refused;
  const after = doubled.get(5);
  release[3]?.();
  expect(await after).toBe(10);
  expect(batches).toEqual([[1], [2, 3], [13], [5]]);
});

test('a cache keeps within its budget what was used last, and no body that takes much of it', () => {
  const cache = new BodyCache(32);
  const body = (text: string) => ({ bytes: Buffer.from(text) });
  const read = (key: string) => cache.get(key)?.bytes.toString();
  const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  for (const key of keys) cache.set(key, body(key.repeat(4)));
  expect(read('a')).toBe('aaaa');
  cache.set('i', body('iiii'));
  expect(read('b')).toBeUndefined();
  expect([read('a'), read('i'), cache.bytes]).toEqual(['aaaa', 'iiii', 32]);
  cache.set('a', body('a'));
  expect(cache.bytes).toBe(29);
  cache.set('large', body('x'.repeat(5)));
  expect([read('large'), cache.bytes]).toEqual([undefined, 29]);
});
