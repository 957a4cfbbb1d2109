import { sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { helpWithLease } from '../../src/cluster/lease-help.ts';
import {
  ALONE,
  AMONG_OTHERS,
  BEAT_TIMEOUT_MS,
  Membership,
  type MembershipDeps,
  NEIGHBOUR_GRACE_MS,
} from '../../src/cluster/membership.ts';
import type { CallType } from '../../src/contract/call.ts';
import { newCallId, uuidv7 } from '../../src/lib/ids.ts';
import type { CallBatch } from '../../src/ports/call-store.ts';
import { writeCallBatch } from '../../src/store/call-batch.ts';
import { readCallEvents } from '../../src/store/call-events.ts';
import {
  type CallRecord,
  createCall,
  finishCall,
  getCall,
  takeCall,
} from '../../src/store/calls.ts';
import { GroupedRecords } from '../../src/store/grouped-records.ts';
import { listNodes, type NodeRecord, registerNode, removeNodes } from '../../src/store/nodes.ts';
import { closeOrphanedCalls, removeDeadNodes } from '../../src/store/orphaned-calls.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { collect } from '../support/collect.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { withDatabase } from '../support/postgres.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const nodeOf = (id: string, place = 'a machine'): NodeRecord => ({
  id,
  serviceId: id,
  place,
  pid: 1,
  address: '',
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
      resumeMs: 0,
      onDead: async () => undefined,
      onGone: () => undefined,
      onGivenUp: () => undefined,
      onOrphans: async (calls) => void orphans.push(...calls.map(({ id }) => id)),
      ...options,
    });
    open.push(membership);
    await membership.join();
    return { membership, orphans };
  };
  const newCallOf = async (nodeId: string, callType: CallType = 'web') =>
    createCall(db(), {
      id: newCallId(callType),
      teamId: await newTeam(),
      callType,
      direction: 'inbound',
      snapshot: callSnapshot,
      nodeId,
    });

  /** Lets the next beat happen. One still under way might sweep in the middle of the next test. */
  const beat = async (clock: ManualClock) => {
    clock.advanceTo(clock.nextDueAt() ?? clock.now());
    // Until the beat is over, its own deadline is due next.
    const dueInMs = () => (clock.nextDueAt() ?? Number.POSITIVE_INFINITY) - clock.now();
    await expect.poll(dueInMs).toBeLessThan(BEAT_TIMEOUT_MS);
  };

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
    await registerNode(db(), { node: nodeOf(silent, 'another machine'), leaseMs: -1 });
    const slow = uuidv7();
    await registerNode(db(), { node: nodeOf(slow), leaseMs: -1 });
    const calls = [await newCallOf(silent), await newCallOf(silent)];
    const sweep = () => Promise.all(sweepers.map(({ membership }) => membership.sweep()));
    await sweep();
    // A database that was away for all may have kept the other from renewing its lease.
    const known = async () => (await listNodes(db())).map(({ id }) => id);
    expect(await known()).toContain(silent);
    clock.advanceTo(AMONG_OTHERS.leaseMs);
    // A beat may be sweeping just now; then the sweep is left to it.
    const swept = async () => {
      await sweep();
      return known();
    };
    await expect.poll(swept).not.toContain(silent);
    // A process of the same machine would be known to have ended.
    expect(await known()).toContain(slow);
    await registerNode(db(), { node: nodeOf(slow), leaseMs: -NEIGHBOUR_GRACE_MS });
    await expect.poll(swept).not.toContain(slow);
    const ended = () => sweepers.flatMap(({ orphans }) => orphans).toSorted();
    await expect.poll(ended).toEqual(calls.map(({ id }) => id).toSorted());
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

  test('one that its parent says has died loses its calls at once', async () => {
    const { membership, orphans } = await join(new ManualClock());
    const gone = uuidv7();
    await registerNode(db(), { node: nodeOf(gone), leaseMs: 60_000 });
    const call = await newCallOf(gone);
    await membership.died(gone);
    expect(orphans).toEqual([call.id]);
  });

  test('one whose end its parent sees had its calls until then, and one that is found dead until its last beat', async () => {
    const [seen, found] = [uuidv7(), uuidv7()];
    const lostForMs = async (nodeId: string, remove: () => Promise<void>) => {
      await registerNode(db(), { node: nodeOf(nodeId), leaseMs: 60_000 });
      await db().execute(sql`
        update nodes set lease_until = lease_until - interval '20 s' where id = ${nodeId}`);
      const call = await newCallOf(nodeId);
      await remove();
      const { lostAt, orphanedAt } = await getCall(db(), call);
      return Number(orphanedAt) - Number(lostAt);
    };
    const isDead = ({ id }: NodeRecord) => id === found;
    const { membership } = await join(new ManualClock(), { isDead, resumeMs: 60_000 });
    expect(await lostForMs(seen, () => membership.died(seen))).toBeLessThan(10_000);
    expect(await lostForMs(found, () => membership.sweep())).toBeGreaterThan(15_000);
  });

  test('one that dies leaves its calls open as long as their callers may come back', async () => {
    const gone = uuidv7();
    await registerNode(db(), { node: nodeOf(gone), leaseMs: 60_000 });
    const call = await newCallOf(gone);
    const isDead = ({ id }: NodeRecord) => id === gone;
    const { membership, orphans } = await join(new ManualClock(), { isDead, resumeMs: 60_000 });
    await membership.sweep();
    expect((await listNodes(db())).map(({ id }) => id)).not.toContain(gone);
    expect(await getCall(db(), call)).toMatchObject({ endAt: null, orphanedAt: expect.any(Date) });
    expect(orphans).toEqual([]);
    expect((await closeOrphanedCalls(db())).map(({ id }) => id)).toEqual([call.id]);
  });

  test('one that died long ago has no callers to wait for', async () => {
    const gone = uuidv7();
    await registerNode(db(), { node: nodeOf(gone), leaseMs: -60_000 });
    const call = await newCallOf(gone);
    const { orphans } = await join(new ManualClock(), { resumeMs: 30_000 });
    await removeDeadNodes(db(), { ids: [gone] });
    expect((await closeOrphanedCalls(db(), { waitMs: 30_000 })).map(({ id }) => id)).toEqual([
      call.id,
    ]);
    expect(orphans).toEqual([]);
  });

  test('one that died leaves telephone calls open as well: their carriers ask for another socket', async () => {
    const gone = uuidv7();
    await registerNode(db(), { node: nodeOf(gone), leaseMs: -5000 });
    const call = await newCallOf(gone, 'phone');
    await removeDeadNodes(db(), { ids: [gone] });
    expect(await closeOrphanedCalls(db(), { waitMs: 60_000 })).toEqual([]);
    expect(await getCall(db(), call)).toMatchObject({ endAt: null });
  });

  test('one that was taken for dead is a node again, and its calls are no orphans', async () => {
    const clock = new ManualClock();
    const { membership } = await join(clock, { resumeMs: 60_000 });
    const call = await newCallOf(membership.id);
    await removeDeadNodes(db(), { ids: [membership.id] });
    expect((await getCall(db(), call)).orphanedAt).not.toBeNull();
    clock.advanceTo(ALONE.beatMs);
    await expect
      .poll(async () => (await listNodes(db())).map(({ id }) => id))
      .toEqual([membership.id]);
    await expect.poll(async () => (await getCall(db(), call)).orphanedAt).toBeNull();
  });

  test('calls that it has let go of are given up as soon as it reaches the store, and not reclaimed', async () => {
    const clock = new ManualClock();
    let told = 0;
    const { membership } = await join(clock, { resumeMs: 60_000, onGivenUp: () => told++ });
    const [kept, letGo] = [await newCallOf(membership.id), await newCallOf(membership.id)];
    await removeDeadNodes(db(), { ids: [membership.id] });
    membership.letGo([letGo.id]);
    clock.advanceTo(ALONE.beatMs);
    await expect.poll(async () => (await getCall(db(), kept)).orphanedAt).toBeNull();
    expect(told).toBe(1);
    expect(await getCall(db(), letGo)).toMatchObject({
      ...{ nodeId: null, epoch: letGo.epoch, orphanedAt: expect.any(Date), endAt: null },
    });
  });

  test('one that cannot reach the store is kept by another, is told which calls it has lost, and leads no more', async () => {
    const clock = new ManualClock();
    const { membership } = await join(clock);
    const other = await join(clock);
    const [kept, taken, ended] = [
      await newCallOf(membership.id),
      await newCallOf(membership.id),
      await newCallOf(membership.id),
    ];
    await removeDeadNodes(db(), { ids: [membership.id] });
    await takeCall(db(), { ...taken, nodeId: other.membership.id });
    await finishCall(db(), { teamId: ended.teamId, id: ended.id, endReason: 'service-restarted' });
    const question = {
      node: nodeOf(membership.id),
      leaseMs: 60_000,
      callIds: [kept.id, taken.id, ended.id],
    };
    const deps = { db: db(), clock, isSteady: () => other.membership.isSteady };
    const { isRenewed, lost } = await helpWithLease(deps, question);
    expect(isRenewed).toBe(true);
    expect(lost.toSorted()).toEqual([taken.id, ended.id].toSorted());
    expect((await getCall(db(), kept)).orphanedAt).toBeNull();
    await other.membership.lookAround();
    expect(membership.id < other.membership.id).toBe(true);
    expect(other.membership.oldest).toBe(other.membership.id);
    // It reaches the store again.
    clock.advanceTo(ALONE.beatMs);
    const leads = async () => {
      await other.membership.lookAround();
      return other.membership.oldest;
    };
    await expect.poll(leads).toBe(membership.id);
  });

  test('one that has not renewed its own lease lately renews none of another', async () => {
    const clock = new ManualClock();
    const { membership } = await join(clock);
    const silent = uuidv7();
    const question = { node: nodeOf(silent), leaseMs: 60_000, callIds: [] };
    const deps = { db: db(), clock, isSteady: () => membership.isSteady };
    await membership.leave();
    expect(await helpWithLease(deps, question)).toEqual({ isRenewed: false, lost: [] });
    expect(await listNodes(db())).toEqual([]);
  });

  test('one whose connection hangs renews its lease by another', async () => {
    const clock = new ManualClock();
    let hangs = false;
    const hanging = Promise.withResolvers<void>();
    const cut = new Proxy(db(), {
      get(target, name) {
        if (name === 'update' && hangs) {
          hangs = false;
          hanging.resolve();
          const never = {
            set: () => never,
            where: () => never,
            returning: () => new Promise(() => {}),
          };
          return () => never;
        }
        const value = Reflect.get(target, name, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const { membership } = await join(clock, { db: cut });
    hangs = true;
    clock.advanceTo(ALONE.beatMs);
    await hanging.promise;
    await removeDeadNodes(db(), { ids: [membership.id] });
    // The beat that hangs is given up, and the next one renews the lease.
    for (let n = 0; n < 2; n++) await beat(clock);
    expect((await listNodes(db())).map(({ id }) => id)).toEqual([membership.id]);
  });

  test('one that still winds up the calls of another renews its lease meanwhile', async () => {
    const clock = new ManualClock();
    const begun = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    const { membership } = await join(clock, {
      onOrphans() {
        begun.resolve();
        return done.promise;
      },
    });
    await newCallOf(uuidv7());
    clock.advanceTo(ALONE.beatMs);
    await begun.promise;
    await removeDeadNodes(db(), { ids: [membership.id] });
    await beat(clock);
    expect((await listNodes(db())).map(({ id }) => id)).toEqual([membership.id]);
    done.resolve();
  });

  /** Two nodes whose beats the test makes, and how often each has swept. */
  const joinTwo = async () => {
    const sweeps = [0, 0];
    const clocks = [new ManualClock(), new ManualClock()];
    for (const [i, clock] of clocks.entries()) {
      const isDead = () => {
        sweeps[i] = (sweeps[i] as number) + 1;
        return false;
      };
      await join(clock, { isDead });
    }
    // The first learns of the second.
    for (const clock of clocks) await beat(clock);
    sweeps.fill(0);
    return { sweeps, clocks };
  };

  test('nodes sweep by turns: each at every second of its beats where there are two', async () => {
    const { sweeps, clocks } = await joinTwo();
    for (let n = 0; n < 8; n++) for (const clock of clocks) await beat(clock);
    expect(sweeps).toEqual([4, 4]);
  });

  test('for one whose lease is over no node waits for its turn: it is gone a beat later', async () => {
    const { sweeps, clocks } = await joinTwo();
    const [clock] = clocks as [ManualClock, ManualClock];
    for (let n = 0; n < 8; n++) for (const each of clocks) await beat(each);
    for (const before = sweeps[0]; sweeps[0] === before; ) await beat(clock);
    const silent = uuidv7();
    await registerNode(db(), { node: nodeOf(silent, 'another machine'), leaseMs: -1 });
    // The next turn is that of the other.
    await beat(clock);
    expect((await listNodes(db())).map(({ id }) => id)).not.toContain(silent);
    expect(AMONG_OTHERS.leaseMs + AMONG_OTHERS.beatMs).toBeLessThan(2000);
  });

  test('others are told of one that is gone, whoever removed it', async () => {
    const clock = new ManualClock();
    const gone: string[] = [];
    const { membership } = await join(clock, { onGone: (ids) => void gone.push(...ids) });
    const other = await join(new ManualClock());
    await membership.lookAround();
    await other.membership.leave();
    expect(gone).toEqual([]);
    await membership.lookAround();
    expect(gone).toEqual([other.membership.id]);
  });

  test.each([
    [
      'taken over',
      async (call: CallRecord) => void (await takeCall(db(), { ...call, nodeId: uuidv7() })),
    ],
    ['ended', async () => void (await closeOrphanedCalls(db()))],
  ])('one that was frozen while its call was %s writes no more of it', async (_, lose) => {
    const clock = new ManualClock();
    const frozen = uuidv7();
    await registerNode(db(), { node: nodeOf(frozen), leaseMs: -1 });
    const call = await newCallOf(frozen);
    const { epoch } = call;
    const records = new GroupedRecords({ db: db(), clock });
    const line = (seq: number) =>
      ({ seq, at: seq * 20, kind: 'event', type: 'vad.start', data: {} }) as const;
    const message = { messageId: 'm1', role: 'user', text: 'Hello?', at: 20 } as const;
    const write = async (seq: number, patch: CallBatch['patch'] = {}) => {
      const batch = { callId: call.id, lines: [line(seq)], messages: [message], patch };
      return writeCallBatch(db(), { teamId: call.teamId, ...batch, epoch });
    };
    const turn = (seq: number) =>
      records.write({
        ...{ teamId: call.teamId, callId: call.id, epoch },
        ...{ lines: [line(seq)], messages: [message] },
      });
    const events = () => collect(readCallEvents(db(), { callId: call.id }));
    await write(1, { status: 'ongoing' });
    const before = turn(2);
    await clock.advance(1000);
    await before;

    await removeDeadNodes(db(), { ids: [frozen] });
    await lose(call);
    const kept = await getCall(db(), call);
    const known = await events();
    expect(known.map(({ seq }) => seq).slice(0, 2)).toEqual([1, 2]);

    // It wakes: also as a node that is known again, and whose lease is good.
    for (const renew of [false, true]) {
      if (renew) await registerNode(db(), { node: nodeOf(frozen), leaseMs: 60_000 });
      const late = { status: 'ongoing', endAt: Date.now() + 60_000 } as const;
      await expect(write(7, late)).rejects.toMatchObject({ code: 'call-taken' });
      const refused = expect(turn(8)).rejects.toMatchObject({ code: 'call-taken' });
      await clock.advance(1000);
      await refused;
    }
    expect(await getCall(db(), call)).toEqual(kept);
    expect(await events()).toEqual(known);
    await removeNodes(db(), { ids: [frozen] });
  });

  test('one that leaves is not missed', async () => {
    const { membership } = await join(new ManualClock());
    await membership.leave();
    expect(await listNodes(db())).toEqual([]);
  });
});
