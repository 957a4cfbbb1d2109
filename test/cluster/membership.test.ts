import { afterEach, expect, test } from 'vitest';
import { LEASE_MS, Membership, type MembershipDeps } from '../../src/cluster/membership.ts';
import { newCallId, uuidv7 } from '../../src/lib/ids.ts';
import type { CallBatch } from '../../src/ports/call-store.ts';
import { writeCallBatch } from '../../src/store/call-batch.ts';
import { readCallEvents } from '../../src/store/call-events.ts';
import { createCall, getCall } from '../../src/store/calls.ts';
import { GroupedRecords } from '../../src/store/grouped-records.ts';
import { listNodes, type NodeRecord, registerNode, removeNodes } from '../../src/store/nodes.ts';
import { closeOrphanedCalls } from '../../src/store/orphaned-calls.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { collect } from '../support/collect.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { withDatabase } from '../support/postgres.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const nodeOf = (id: string): NodeRecord => ({
  id,
  serviceId: id,
  place: 'a machine',
  pid: 1,
  address: '',
  secret: 'secret',
});

withDatabase('the nodes of a database', ({ db, newTeam }) => {
  const open: Membership[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.leave()));
    await removeNodes(db(), { ids: (await listNodes(db())).map(({ id }) => id) });
    await closeOrphanedCalls(db());
  });

  const join = async (clock: ManualClock, options: Partial<MembershipDeps> = {}) => {
    const orphans: string[] = [];
    const membership = new Membership({
      db: db(),
      clock,
      log,
      node: nodeOf(uuidv7()),
      isDead: () => false,
      onDead: async () => undefined,
      onOrphans: async (calls) => void orphans.push(...calls.map(({ id }) => id)),
      onTakenForDead: () => undefined,
      ...options,
    });
    open.push(membership);
    await membership.join();
    return { membership, orphans };
  };
  const newCallOf = async (nodeId: string) =>
    createCall(db(), {
      id: newCallId('web'),
      teamId: await newTeam(),
      callType: 'web',
      direction: 'inbound',
      snapshot: callSnapshot,
      nodeId,
    });

  test('one that joins leaves the calls of the living alone', async () => {
    const clock = new ManualClock();
    const { membership } = await join(clock);
    const call = await newCallOf(membership.id);
    const second = await join(clock);
    await second.membership.sweep();
    expect(second.orphans).toEqual([]);
    expect(await getCall(db(), call)).toMatchObject({ endAt: null });
  });

  test('one whose lease is over loses its calls, to one sweeper, once that one has been steady for a lease', async () => {
    const clock = new ManualClock();
    const sweepers = [await join(clock), await join(clock)];
    const silent = uuidv7();
    await registerNode(db(), { node: nodeOf(silent), leaseMs: -1 });
    const calls = [await newCallOf(silent), await newCallOf(silent)];
    const sweep = () => Promise.all(sweepers.map(({ membership }) => membership.sweep()));
    await sweep();
    // A database that was away for all may have kept the other from renewing its lease.
    expect((await listNodes(db())).map(({ id }) => id)).toContain(silent);
    clock.advanceTo(LEASE_MS);
    await sweep();
    const ended = sweepers.flatMap(({ orphans }) => orphans);
    expect(ended.toSorted()).toEqual(calls.map(({ id }) => id).toSorted());
    expect(await getCall(db(), calls[0] as (typeof calls)[0])).toMatchObject({
      status: 'finished',
      endReason: 'service-restarted',
    });
  });

  test('one whose process is gone loses its calls at once', async () => {
    const gone = uuidv7();
    await registerNode(db(), { node: nodeOf(gone), leaseMs: 60_000 });
    const call = await newCallOf(gone);
    const { membership, orphans } = await join(new ManualClock(), {
      isDead: ({ id }) => id === gone,
    });
    await membership.sweep();
    expect(orphans).toEqual([call.id]);
  });

  test('one that was taken for dead is told, and is a node again', async () => {
    const clock = new ManualClock();
    let told = 0;
    const { membership } = await join(clock, { onTakenForDead: () => told++ });
    await removeNodes(db(), { ids: [membership.id] });
    clock.advanceTo(LEASE_MS);
    await expect.poll(() => told).toBe(1);
    await expect
      .poll(async () => (await listNodes(db())).map(({ id }) => id))
      .toEqual([membership.id]);
  });

  test('one that was frozen while its lease was taken writes no more of its calls', async () => {
    const clock = new ManualClock();
    const frozen = uuidv7();
    await registerNode(db(), { node: nodeOf(frozen), leaseMs: -1 });
    const call = await newCallOf(frozen);
    const records = new GroupedRecords({ db: db(), clock });
    const line = (seq: number) =>
      ({ seq, at: seq * 20, kind: 'event', type: 'vad.start', data: {} }) as const;
    const message = { messageId: 'm1', role: 'user', text: 'Hello?', at: 20 } as const;
    const write = async (seq: number, patch: CallBatch['patch'] = {}) => {
      const batch = { callId: call.id, lines: [line(seq)], messages: [message], patch };
      return writeCallBatch(db(), { teamId: call.teamId, ...batch, bySession: true });
    };
    const events = () => collect(readCallEvents(db(), { callId: call.id }));
    await write(1, { status: 'ongoing' });

    const { membership } = await join(clock);
    clock.advanceTo(LEASE_MS);
    await membership.sweep();
    const ended = await getCall(db(), call);
    expect(ended).toMatchObject({ status: 'finished', endReason: 'service-restarted' });
    const known = await events();

    // It wakes: also as a node that is known again, and whose lease is good.
    for (const renew of [false, true]) {
      if (renew) await registerNode(db(), { node: nodeOf(frozen), leaseMs: 60_000 });
      const late = { status: 'ongoing', endAt: Date.now() + 60_000 } as const;
      await expect(write(7, late)).rejects.toMatchObject({ code: 'call-taken' });
      const turn = records.write({ callId: call.id, lines: [line(8)], messages: [message] });
      await clock.advance(1000);
      await turn;
    }
    expect(await getCall(db(), call)).toEqual(ended);
    expect(await events()).toEqual(known);
    await removeNodes(db(), { ids: [frozen] });
  });

  test('one that leaves is not missed', async () => {
    const { membership } = await join(new ManualClock());
    await membership.leave();
    expect(await listNodes(db())).toEqual([]);
  });
});
