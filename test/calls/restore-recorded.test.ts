import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { restoreRecorded } from '../../src/calls/restore-recorded.ts';
import { ENGINE_VERSION } from '../../src/engine/machine/call.ts';
import { type Checkpoint, restoreCall } from '../../src/engine/machine/replay.ts';
import { newCallId } from '../../src/lib/ids.ts';
import { finish } from '../../src/lib/steps.ts';
import { findCheckpoint, keepCheckpoint } from '../../src/store/call-checkpoints.ts';
import { appendCallEvents } from '../../src/store/call-events.ts';
import { createCall, finishCall, takeCall } from '../../src/store/calls.ts';
import { connectDatabase, type Database } from '../../src/store/database.ts';
import { closeOrphanedCalls } from '../../src/store/orphaned-calls.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { cutsOf } from '../support/killed-call.ts';
import { testSealer, withDatabase } from '../support/postgres.ts';
import { recordedConversation } from '../support/recorded-conversation.ts';

const LINES = recordedConversation().filter(({ at }) => at < 15_000);
const CUT = cutsOf(LINES).at(-10) as number;

withDatabase('a call that is restored', ({ db, database, newTeam }) => {
  const checkpoint = (): Checkpoint => {
    const { call, form, ...rest } = finish(restoreCall(LINES.slice(0, CUT + 1)));
    call.stop();
    const { last, startedAtMs, messages } = rest;
    return {
      ...{ engineVersion: ENGINE_VERSION, last, startedAtMs, messages },
      ...{ call: call.snapshot, form: form.snapshot },
    };
  };

  const liveCall = async (on = db()) => {
    const teamId = await newTeam();
    const { id } = await createCall(on, {
      ...{ id: newCallId('web'), teamId, callType: 'web', direction: 'inbound' },
      snapshot: callSnapshot,
    });
    const epoch = await takeCall(on, { teamId, id, nodeId: 'node-of-this-test' });
    await appendCallEvents(on, { teamId, callId: id, lines: LINES });
    return { teamId, id, callId: id, epoch };
  };

  const kept = (callId: string, on = db()) =>
    findCheckpoint(on, { callId, engineVersion: ENGINE_VERSION });

  /** How many commands were decided again. */
  const restored = async (call: { readonly teamId: string; readonly id: string }, on = db()) => {
    const all = finish(restoreCall(LINES));
    const found = await restoreRecorded(on, call);
    expect(JSON.stringify(found?.messages)).toBe(JSON.stringify(all.messages));
    expect(found?.call.view).toEqual(all.call.view);
    found?.call.stop();
    all.call.stop();
    return { again: found?.commands.length ?? 0, all: all.commands.length };
  };

  test('goes on from its checkpoint, and from its first line without one', async () => {
    const call = await liveCall();
    const without = await restored(call);
    expect(without.again).toBe(without.all);
    await keepCheckpoint(db(), { ...call, checkpoint: checkpoint() });
    const { again, all } = await restored(call);
    expect(again).toBeGreaterThan(0);
    expect(again).toBeLessThan(all / 2);
  });

  test('pays no heed to a checkpoint that the journal does not bear out', async () => {
    const call = await liveCall();
    const { last, ...rest } = checkpoint();
    await keepCheckpoint(db(), {
      ...call,
      checkpoint: { ...rest, last: { ...last, at: last.at + 1 } },
    });
    expect(await kept(call.id)).toBeDefined();
    const { again, all } = await restored(call);
    expect(again).toBe(all);
  });

  test('nor to that of another version of the engine', async () => {
    const call = await liveCall();
    const old = { ...checkpoint(), engineVersion: '1' };
    await keepCheckpoint(db(), { ...call, checkpoint: old });
    expect(await kept(call.id)).toBeUndefined();
    const { again, all } = await restored(call);
    expect(again).toBe(all);
  });

  test('has no checkpoint of an owner that it no longer has, and keeps the newest', async () => {
    const call = await liveCall();
    const newest = checkpoint();
    await keepCheckpoint(db(), { ...call, checkpoint: newest });
    const earlier = { ...newest, last: { ...newest.last, seq: newest.last.seq - 5 } };
    await keepCheckpoint(db(), { ...call, checkpoint: earlier });
    expect((await kept(call.id))?.last).toEqual(newest.last);
    await takeCall(db(), { ...call, nodeId: 'another-node' });
    const later = { ...newest, last: { ...newest.last, seq: newest.last.seq + 5 } };
    await keepCheckpoint(db(), { ...call, checkpoint: later });
    expect((await kept(call.id))?.last).toEqual(newest.last);
  });

  test('loses its checkpoint when it ends, and gets none afterwards', async () => {
    const finished = await liveCall();
    await keepCheckpoint(db(), { ...finished, checkpoint: checkpoint() });
    await finishCall(db(), { ...finished, endReason: 'ended' });
    await keepCheckpoint(db(), { ...finished, checkpoint: checkpoint() });
    expect(await kept(finished.id)).toBeUndefined();
    const orphaned = await liveCall();
    await keepCheckpoint(db(), { ...orphaned, checkpoint: checkpoint() });
    await closeOrphanedCalls(db());
    expect(await kept(orphaned.id)).toBeUndefined();
  });

  test('has a checkpoint that is sealed as its journal is', async () => {
    const sealing: Database = connectDatabase(database().connection, {
      ...{ size: 3, sealer: testSealer, sealsContent: true },
    });
    try {
      const call = await liveCall(sealing.db);
      await keepCheckpoint(sealing.db, { ...call, checkpoint: checkpoint() });
      const { rows } = await db().execute<{ data: unknown }>(
        sql`select data from call_checkpoints where call_id = ${call.id}`,
      );
      expect(typeof rows[0]?.data).toBe('string');
      expect(rows[0]?.data).toMatch(/^sealed:/);
      const { again, all } = await restored(call, sealing.db);
      expect(again).toBeLessThan(all / 2);
    } finally {
      await sealing.close();
    }
  });
});
