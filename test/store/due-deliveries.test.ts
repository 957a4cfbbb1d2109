import { expect, test } from 'vitest';
import { listDeliveries, redeliver } from '../../src/store/deliveries.ts';
import { claimDeliveries, releaseDelivery, settleAttempt } from '../../src/store/due-deliveries.ts';
import { registerNode } from '../../src/store/nodes.ts';
import { removeDeadNodes } from '../../src/store/orphaned-calls.ts';
import { type CallWithServer, createCallWithServer } from '../support/call-with-server.ts';
import { withDatabases } from '../support/postgres.ts';
import { withRarePlans } from '../support/rare-plans.ts';

withDatabases('a webhook that a process is sending', ({ db, database, newTeam }) => {
  const common = { place: 'here', pid: 1, address: 'none' };
  const register = (...ids: readonly string[]) =>
    Promise.all(
      ids.map((id) =>
        registerNode(db(), { node: { id, serviceId: id, ...common }, leaseMs: 60_000 }),
      ),
    );
  const newCall = async () => {
    const url = 'https://shop.example/hook';
    const call = await createCallWithServer(db(), {
      ...{ teamId: await newTeam(), url, server: { messages: ['status-update'] } },
    });
    await call.write([{ type: 'status', status: 'ongoing' }], { status: 'ongoing' });
    return call;
  };
  const claim = async ({ id }: CallWithServer, nodeId: string) => {
    const now = new Date(Date.now() + 1000);
    const leasedUntil = new Date(now.getTime() + 60_000);
    const room = { limit: 100, busyOrigins: [], busyTeams: [] };
    const claimed = await claimDeliveries(db(), { now, leasedUntil, nodeId, ...room });
    return claimed.find(({ callId }) => callId === id);
  };
  const settle = ({ teamId }: CallWithServer, id: string, nodeId: string, isTaken: boolean) =>
    settleAttempt(db(), {
      ...{ id, teamId, nodeId, number: 1 },
      outcome: { at: new Date(), latencyMs: 5, httpStatus: isTaken ? 200 : 500 },
      ...(isTaken ? { status: 'delivered' } : { status: 'pending', nextAttemptAt: new Date() }),
    });
  const stateOf = async ({ id }: CallWithServer) => {
    const [found] = await listDeliveries(db(), { callId: id });
    return [found?.status, found?.attempts, found?.log.map(({ httpStatus }) => httpStatus)];
  };

  test('is left to it while it lives, and is free as soon as it is removed as dead', async () => {
    await register('sender', 'other');
    const call = await newCall();
    const sent = await claim(call, 'sender');
    const again = { callId: call.id, id: `${sent?.id}`, now: new Date() };
    expect(sent).toBeDefined();
    expect(await claim(call, 'other')).toBeUndefined();
    expect(await redeliver(db(), again)).toBe(false);
    await removeDeadNodes(db(), { ids: ['sender'] });
    expect((await claim(call, 'other'))?.id).toBe(sent?.id);
    expect(await redeliver(db(), again)).toBe(false);
    await removeDeadNodes(db(), { ids: ['other'] });
    expect(await redeliver(db(), again)).toBe(true);
  });

  test('is one of as many as its process has room for, whatever the plan of the database', async () => {
    await register('sender');
    for (let n = 0; n < 5; n++) await newCall();
    const now = new Date(Date.now() + 1000);
    const room = { limit: 2, busyOrigins: [], busyTeams: [] };
    const claimed = await withRarePlans(database(), (rare) =>
      claimDeliveries(rare, { now, leasedUntil: now, nodeId: 'sender', ...room }),
    );
    expect(claimed).toHaveLength(2);
  });

  test('is not begun again by itself while others take it for dead', async () => {
    await register('sender');
    const call = await newCall();
    expect(await claim(call, 'sender')).toBeDefined();
    await removeDeadNodes(db(), { ids: ['sender'] });
    expect(await claim(call, 'sender')).toBeUndefined();
  });

  test('is settled by the one that sends it now, whatever one that was taken for dead has to say', async () => {
    await register('frozen', 'other');
    const call = await newCall();
    const id = `${(await claim(call, 'frozen'))?.id}`;
    await removeDeadNodes(db(), { ids: ['frozen'] });
    await claim(call, 'other');
    await releaseDelivery(db(), { id, nodeId: 'frozen' });
    await settle(call, id, 'frozen', false);
    expect(await stateOf(call)).toEqual(['pending', 0, []]);
    expect(await claim(call, 'frozen')).toBeUndefined();
    await settle(call, id, 'other', true);
    await settle(call, id, 'frozen', false);
    expect(await stateOf(call)).toEqual(['delivered', 1, [200]]);
  });

  test('is settled by one that was taken for dead, if nobody sends it yet', async () => {
    await register('frozen');
    const call = await newCall();
    const id = `${(await claim(call, 'frozen'))?.id}`;
    await removeDeadNodes(db(), { ids: ['frozen'] });
    await settle(call, id, 'frozen', true);
    expect(await stateOf(call)).toEqual(['delivered', 1, [200]]);
  });
});
