import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newCallId, uuidv7 } from '../../src/lib/ids.ts';
import { appendCallEvents } from '../../src/store/call-events.ts';
import { createCall, updateCall } from '../../src/store/calls.ts';
import type { Db } from '../../src/store/db.ts';
import { deleteCalls, matchingCalls } from '../../src/store/delete-calls.ts';
import { createFile, deleteFile } from '../../src/store/files.ts';
import { deleteExpiredHistory, HISTORY_HEADING } from '../../src/store/history.ts';
import { forgetRecordings } from '../../src/store/retention.ts';
import { MEASURES, measure } from '../../src/store/team-limits.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { withDatabases } from '../support/postgres.ts';

const NOW = new Date('2026-03-31T12:00:00Z');
const HOUR_MS = 3600_000;
const NUMBER = '+4930123456';
const CALLERS = 3;
const CALLS = 6;

withDatabases('deletions at the same time', ({ db, newTeam }) => {
  /** A call whose model was told of earlier ones. */
  const newCall = async (teamId: string, { userNumber = NUMBER, isLive = false } = {}) => {
    const id = newCallId('web');
    const startAt = new Date(NOW.getTime() - HOUR_MS);
    await createCall(db(), {
      ...{ id, teamId, callType: 'web', direction: 'inbound', userNumber, startAt },
      snapshot: callSnapshot,
    });
    const settings = { systemPrompt: `Be kind.\n\n${HISTORY_HEADING}\nplums of ${userNumber}` };
    await appendCallEvents(db(), {
      ...{ teamId, callId: id },
      lines: [{ seq: 0, at: 0, kind: 'event', type: 'call.created', data: { settings } } as never],
    });
    if (!isLive) await updateCall(db(), { teamId, id, change: ended(10) });
    return id;
  };
  const ended = (bytes: number) => ({
    answeredAt: NOW,
    endAt: new Date(NOW.getTime() + 60_000),
    recording: { path: 'x.wav', sampleRateHz: 8000, durationMs: 1, bytes },
  });
  const remove = (teamId: string, id: string, on: Db = db()) =>
    deleteCalls(on, {
      ...{ teamId, matching: matchingCalls({ teamId, ids: [id] }), cause: 'request', limit: 1 },
      ...{ now: NOW, afterwards: async () => undefined },
    });
  /** Waits until so many connections wait for what another one holds. */
  const untilWaiting = (least: number) =>
    expect
      .poll(async () => {
        const { rows } = await db().execute<{ n: number }>(sql`select count(*)::int as n
          from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
        return rows[0]?.n ?? 0;
      })
      .toBeGreaterThanOrEqual(least);

  test('two deletions of calls of one caller, which each take the other call out of its journal', async () => {
    const teamId = await newTeam();
    const [first, second] = [await newCall(teamId), await newCall(teamId)];
    const deleting: Promise<readonly string[]>[] = [];
    await db().transaction(async (tx) => {
      // Both come to what they count before one of them may.
      await tx.execute(sql`select from team_storage where team_id = ${teamId} for update`);
      for (const id of [first, second]) deleting.push(remove(teamId, id));
      await untilWaiting(2);
    });
    expect((await Promise.all(deleting)).flat().toSorted()).toEqual([first, second].toSorted());
    expect(await measure(db(), MEASURES.recordingBytes({ teamId }))).toBe(0);
  });

  test('a deletion beside the last write of a call of the same caller', async () => {
    const teamId = await newTeam();
    const [gone, live] = [await newCall(teamId), await newCall(teamId, { isLive: true })];
    let deletion: Promise<unknown> | undefined;
    await db().transaction(async (tx) => {
      const { endAt, recording, ...answered } = ended(7);
      await updateCall(tx, { teamId, id: live, change: answered });
      deletion = remove(teamId, gone);
      await untilWaiting(1);
      // Counts what the deletion counts too, which must not hold it while it waits for this call.
      await updateCall(tx, { teamId, id: live, change: { endAt, recording } });
    });
    await deletion;
    expect(await measure(db(), MEASURES.recordingBytes({ teamId }))).toBe(7);
  });

  test('deletions, ends of calls, files and rules of many callers of two teams', async () => {
    const teams = [await newTeam(), await newTeam()];
    await Promise.all(
      teams.flatMap((teamId) =>
        Array.from({ length: CALLERS }, async (_, caller) => {
          const userNumber = `${NUMBER}${caller}`;
          const old: string[] = [];
          for (let n = 0; n < CALLS; n++) old.push(await newCall(teamId, { userNumber }));
          const live = await newCall(teamId, { userNumber, isLive: true });
          const file = uuidv7();
          await createFile(db(), {
            ...{ id: file, teamId, name: 'a', format: 'txt', sizeBytes: 3, sha256: file },
          });
          await Promise.all([
            ...old.slice(0, 4).map((id) => remove(teamId, id)),
            forgetRecordings(db(), { teamId, ids: old.toReversed(), now: NOW }),
            updateCall(db(), { teamId, id: live, change: ended(5) }),
            deleteFile(db(), { teamId, id: file }),
            deleteExpiredHistory(db(), { ids: [...old, live], now: NOW }),
          ]);
        }),
      ),
    );
    for (const teamId of teams) {
      expect(await measure(db(), MEASURES.recordingBytes({ teamId }))).toBe(5 * CALLERS);
      expect(await measure(db(), MEASURES.fileBytes({ teamId }))).toBe(0);
    }
  });
});
