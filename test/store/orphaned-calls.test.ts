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
    { what: 'within its lease', leaseMs: 60_000 },
    { what: 'after its lease', leaseMs: 1500 },
  ])(
    'was lost when its node, found dead $what, gave its last sign of life',
    async ({ leaseMs }) => {
      const nodeId = `dead-${leaseMs}`;
      const { id } = await newCall(nodeId, leaseMs);
      const { rows } = await db().execute<{ renewed_at: string }>(sql`
        update nodes set lease_until = lease_until - interval '7 s' where id = ${nodeId}
        returning lease_until - ${leaseMs}::integer * interval '1 ms' as renewed_at`);
      const lostAt = new Date(rows[0]?.renewed_at ?? '');
      await removeDeadNodes(db(), { ids: [nodeId] });
      const taken = await takeOrphanedCall(db(), { id, epoch: 0, nodeId: 'next' });
      expect(taken).toMatchObject({ id, lostAt });
    },
  );

  test('was lost just now if the process of its node has ended just now', async () => {
    const { id } = await newCall('ended');
    const { rows } = await db().execute<{ now: string }>(sql`
      update nodes set lease_until = lease_until - interval '7 s' where id = 'ended'
      returning date_trunc('milliseconds', clock_timestamp()) as now`);
    await removeDeadNodes(db(), { ids: ['ended'], endedNow: new Set(['ended']) });
    const taken = await takeOrphanedCall(db(), { id, epoch: 0, nodeId: 'next' });
    const { lostAt } = taken as { readonly lostAt: Date };
    expect(lostAt.getTime()).toBeGreaterThanOrEqual(new Date(rows[0]?.now ?? '').getTime());
  });

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
