import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { registerNode } from '../../src/store/nodes.ts';
import {
  closeOrphanedCalls,
  giveUpCalls,
  removeDeadNodes,
  takeOrphanedCall,
} from '../../src/store/orphaned-calls.ts';
import { createCallWithServer } from '../support/call-with-server.ts';
import { withDatabases } from '../support/postgres.ts';

withDatabases('a call that its node gives up, or whose node dies', ({ db, newTeam }) => {
  const newCall = async (nodeId: string, leaseMs = 60_000) => {
    const common = { serviceId: nodeId, place: 'here', pid: 1, address: 'none', secret: 'none' };
    await registerNode(db(), { node: { id: nodeId, ...common }, leaseMs });
    const teamId = await newTeam();
    return createCallWithServer(db(), { teamId, url: 'https://shop.example', call: { nodeId } });
  };

  test('can be taken by another from then on', async () => {
    const { id } = await newCall('leaving-1');
    const take = () => takeOrphanedCall(db(), { id, epoch: 0, nodeId: 'next' });
    expect(await take()).toBe('alive');
    await giveUpCalls(db(), { ids: [id], nodeId: 'leaving-1' });
    expect(await take()).toMatchObject({ id, epoch: 1, lostAt: expect.any(Date) });
    // The former owner gives up no call that is another's.
    await giveUpCalls(db(), { ids: [id], nodeId: 'leaving-1' });
    expect(await take()).toBeUndefined();
  });

  test.each([
    { what: 'was found dead by another', leaseMs: 60_000, isWatched: false, lostMs: 7000 },
    { what: 'was found dead after its lease', leaseMs: 1500, isWatched: false, lostMs: 7000 },
    { what: 'ended just now, as its parent says', leaseMs: 60_000, isWatched: true, lostMs: 0 },
  ])(
    'was lost at the last sign of life of a node that $what',
    async ({ leaseMs, isWatched, lostMs }) => {
      const nodeId = `dead-${leaseMs}-${isWatched}`;
      const { id } = await newCall(nodeId, leaseMs);
      await db().execute(sql`
      update nodes set lease_until = lease_until - interval '7 s' where id = ${nodeId}`);
      await removeDeadNodes(db(), { ids: [nodeId], endedNow: new Set(isWatched ? [nodeId] : []) });
      const taken = await takeOrphanedCall(db(), { id, epoch: 0, nodeId: 'next' });
      if (typeof taken !== 'object' || !taken.lostAt)
        throw new Error('nobody knows when it was lost');
      const { rows } = await db().execute<{ now: string }>(sql`select clock_timestamp() as now`);
      const agoMs = new Date(rows[0]?.now ?? '').getTime() - taken.lostAt.getTime();
      expect(agoMs).toBeGreaterThanOrEqual(lostMs - 1);
      expect(agoMs).toBeLessThan(lostMs + 5000);
    },
  );

  test('ends if nobody takes it in time', async () => {
    const { id } = await newCall('leaving-2');
    await giveUpCalls(db(), { ids: [id], nodeId: 'leaving-2' });
    const ended = async (waitMs: number) =>
      (await closeOrphanedCalls(db(), { waitMs })).some((call) => call.id === id);
    expect(await ended(60_000)).toBe(false);
    expect(await ended(0)).toBe(true);
  });

  test('ends at once if it is given no time, however short the moment since it was found', async () => {
    const teamId = await newTeam();
    for (let n = 0; n < 60; n++) {
      const call = { nodeId: 'never-there' };
      const { id } = await createCallWithServer(db(), {
        teamId,
        url: 'https://shop.example',
        call,
      });
      expect(await closeOrphanedCalls(db())).toMatchObject([{ id }]);
    }
  });

  test('has its time to be taken again where its node was taken for dead before it took the call', async () => {
    const call = { nodeId: 'taken-for-dead' };
    const teamId = await newTeam();
    const { id } = await createCallWithServer(db(), { teamId, url: 'https://shop.example', call });
    const ended = async (waitMs: number) =>
      (await closeOrphanedCalls(db(), { waitMs })).some((one) => one.id === id);
    expect(await ended(60_000)).toBe(false);
    expect(await ended(60_000)).toBe(false);
    expect(await ended(0)).toBe(true);
  });
});
