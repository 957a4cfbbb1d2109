import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { finishCall, getCall } from '../../src/store/calls.ts';
import { listDeliveries } from '../../src/store/deliveries.ts';
import { closeOrphanedCalls, settleEndedCalls } from '../../src/store/orphaned-calls.ts';
import { finishWrapUp, queueWrapUps } from '../../src/store/wrap-ups.ts';
import { createCallWithServer } from '../support/call-with-server.ts';
import { withDatabases } from '../support/postgres.ts';
import { withRarePlans } from '../support/rare-plans.ts';

withDatabases('what follows the end of a call', ({ db, database, newTeam }) => {
  const newCall = async () =>
    createCallWithServer(db(), {
      teamId: await newTeam(),
      url: 'https://shop.example/hook',
      call: { nodeId: 'gone' },
    });
  const queue = async () => {
    const queued: string[] = [];
    await queueWrapUps(db(), async (_tx, { callId }) => queued.push(callId));
    return queued;
  };
  const end = { status: 'finished', endAt: Date.now(), endReason: 'user-hung-up' } as const;

  test('is queued once, and only when nothing more comes of the call', async () => {
    const call = await newCall();
    expect(await queue()).toEqual([]);
    await call.write([], end);
    expect(await queue()).toEqual([]);
    const last = await call.write([], { settled: true });
    expect(await queue()).toEqual([call.id]);
    expect(await queue()).toEqual([]);
    await call.write([], last.patch);
    expect(await queue()).toEqual([]);
  });

  test('is queued for a hundred calls at a time, whatever the plan of the database', async () => {
    const call = await newCall();
    await call.write([], { ...end, settled: true });
    await db().execute(sql`insert into calls
      select (jsonb_populate_record(calls, jsonb_build_object('id', calls.id || n))).*
      from calls, generate_series(1, 120) n where id = ${call.id}`);
    const took = () =>
      withRarePlans(database(), (rare) => queueWrapUps(rare, async () => undefined));
    expect([await took(), await took(), await took()]).toEqual([100, 21, 0]);
  });

  test('is not queued when the queue does not take it', async () => {
    const call = await newCall();
    await call.write([], { ...end, settled: true });
    const failing = queueWrapUps(db(), async () => {
      throw new Error('the queue is away');
    });
    await expect(failing).rejects.toThrow('away');
    expect(await queue()).toEqual([call.id]);
  });

  test('comes for calls that ended without a session, or whose process died', async () => {
    const [refused, cut, silent, long] = [
      await newCall(),
      await newCall(),
      await newCall(),
      await newCall(),
    ];
    await finishCall(db(), {
      teamId: refused.teamId,
      id: refused.id,
      endReason: 'dialling-failed',
    });
    await long.write([], { ...end, endAt: Date.now() - 200_000 });
    expect((await queue()).sort()).toEqual([refused.id, long.id].sort());
    await silent.write([], end);
    await closeOrphanedCalls(db());
    await settleEndedCalls(db());
    expect((await queue()).sort()).toEqual([cut.id, silent.id].sort());
  });

  test('ends with one report, whatever is tried again', async () => {
    const call = await newCall();
    await call.write(call.turn('Hello', 'Hi'), { ...end, settled: true });
    const analysis = { summary: 'A greeting.', steps: [] };
    const one = { teamId: call.teamId, id: call.id };
    expect(await finishWrapUp(db(), { ...one, analysis })).toBe(true);
    expect(await finishWrapUp(db(), { ...one, analysis: { summary: 'Another.' } })).toBe(false);
    expect((await getCall(db(), one)).analysis).toEqual(analysis);
    const told = await listDeliveries(db(), { callId: call.id });
    expect(told.filter(({ kind }) => kind === 'end-of-call-report')).toHaveLength(1);
    expect(told.at(-1)?.kind).toBe('end-of-call-report');
  });
});
