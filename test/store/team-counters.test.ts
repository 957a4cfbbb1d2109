import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newCallId, uuidv7 } from '../../src/lib/ids.ts';
import { createCall, updateCall } from '../../src/store/calls.ts';
import type { Db } from '../../src/store/db.ts';
import { deleteCalls, matchingCalls } from '../../src/store/delete-calls.ts';
import { createFile, deleteFile } from '../../src/store/files.ts';
import { calls } from '../../src/store/schema/calls.ts';
import { files } from '../../src/store/schema/files.ts';
import { teamStorage, teamTalk } from '../../src/store/schema/team-counters.ts';
import { teams } from '../../src/store/schema/teams.ts';
import { MEASURES, measure } from '../../src/store/team-limits.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { testSeed } from '../support/effort.ts';
import { withDatabases } from '../support/postgres.ts';

const MIGRATIONS = resolve(import.meta.dirname, '../../src/store/migrations');
const NOW = new Date('2026-03-31T23:30:00Z');
const MARCH = new Date('2026-03-01T00:00:00Z');
const STEPS = 60;

/** What the counters are to say, by sums over all there is. */
async function summedUp(db: Db, teamId: string) {
  const sum = (query: ReturnType<typeof sql>) => measure(db, query);
  return {
    minutes: await sum(sql`select coalesce(sum(greatest(
        extract(epoch from coalesce(end_at, ${NOW.toISOString()}::timestamptz) - answered_at), 0)), 0) / 60
      from ${calls} where team_id = ${teamId} and start_at >= '2026-03-01T00:00:00Z'`),
    fileBytes: await sum(
      sql`select coalesce(sum(size_bytes), 0) from ${files} where team_id = ${teamId}`,
    ),
    recordingBytes: await sum(sql`select coalesce(sum((recording ->> 'bytes')::bigint), 0)
      from ${calls} where team_id = ${teamId} and recording is not null`),
  };
}

async function counted(db: Db, teamId: string) {
  return {
    minutes: await measure(db, MEASURES.minutesThisMonth({ teamId, now: NOW })),
    fileBytes: await measure(db, MEASURES.fileBytes({ teamId })),
    recordingBytes: await measure(db, MEASURES.recordingBytes({ teamId })),
  };
}

withDatabases('the counters of a team', ({ db, newTeam }) => {
  const newFile = (teamId: string, sizeBytes: number) => {
    const id = uuidv7();
    return createFile(db(), { id, teamId, name: 'a', format: 'txt', sizeBytes, sha256: id });
  };
  const newCall = (teamId: string, startAt: Date) =>
    createCall(db(), {
      id: newCallId('web'),
      teamId,
      callType: 'web',
      direction: 'inbound',
      snapshot: callSnapshot,
      startAt,
    });
  const recordingOf = (bytes: number) => ({
    path: 'x.wav',
    sampleRateHz: 16_000,
    durationMs: 1,
    bytes,
  });

  test('are the sums of its calls and files, and what was talked in deleted calls counts on', async () => {
    const random = randomOf(testSeed(7));
    const teamId = await newTeam();
    const other = await newTeam();
    await newFile(other, 1_000_000);
    const open: { readonly id: string; readonly startAt: Date }[] = [];
    const kept: string[] = [];
    let deletedMinutes = 0;
    const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T;
    for (let step = 0; step < STEPS; step++) {
      const kind = Math.floor(random() * 8);
      const call = open.length > 0 ? pick(open) : undefined;
      const change = (fields: object) =>
        call && updateCall(db(), { teamId, id: call.id, change: fields });
      const after = (minutes: number) =>
        new Date((call?.startAt.getTime() ?? 0) + minutes * 60_000 * random());
      if (kind <= 1) {
        const month = pick([
          '2026-02-28T23:59:00Z',
          '2026-03-01T00:00:00Z',
          '2026-03-31T22:00:00Z',
        ]);
        open.push(await newCall(teamId, new Date(month)));
      } else if (kind === 2) await change({ answeredAt: after(2) });
      else if (kind === 3) await change({ endAt: after(60) });
      else if (kind === 4) await change({ recording: recordingOf(Math.floor(random() * 1e9)) });
      else if (kind === 5) kept.push((await newFile(teamId, Math.floor(random() * 1e6))).id);
      else if (kind === 6 && kept.length > 0)
        await deleteFile(db(), { teamId, id: kept.splice(0, 1)[0] as string });
      else if (call && open.length > 4) {
        open.splice(open.indexOf(call), 1);
        const [gone] = await db().delete(calls).where(eq(calls.id, call.id)).returning();
        if (gone?.endAt && gone.answeredAt && gone.startAt >= MARCH)
          deletedMinutes += Math.max(0, gone.endAt.getTime() - gone.answeredAt.getTime()) / 60_000;
      }
    }
    const expected = await summedUp(db(), teamId);
    const actual = await counted(db(), teamId);
    expect(actual.minutes).toBeCloseTo(expected.minutes + deletedMinutes, 6);
    expect(actual).toMatchObject({
      fileBytes: expected.fileBytes,
      recordingBytes: expected.recordingBytes,
    });
    expect(await counted(db(), other)).toEqual({
      minutes: 0,
      fileBytes: 1_000_000,
      recordingBytes: 0,
    });
  });

  test('a call that was deleted on its day counts for the day, one that a limit had refused does not', async () => {
    const teamId = await newTeam();
    const measured = () => measure(db(), MEASURES.callsToday({ teamId, now: NOW }));
    const began = new Date(NOW.getTime() - 60_000);
    for (const endReason of ['ended', 'over-limit'] as const) {
      const { id } = await newCall(teamId, began);
      await updateCall(db(), { teamId, id, change: { endAt: NOW, endReason } });
    }
    await newCall(teamId, NOW);
    expect(await measured()).toBe(2);
    const deleted = await deleteCalls(db(), {
      ...{ teamId, matching: matchingCalls({ teamId }), cause: 'request', limit: 10, now: NOW },
      afterwards: async () => undefined,
    });
    expect(deleted).toHaveLength(2);
    expect(await measured()).toBe(2);
  });

  test('go with the team', async () => {
    const teamId = await newTeam();
    const { id } = await newCall(teamId, NOW);
    const endAt = new Date(NOW.getTime() + 60_000);
    const change = { answeredAt: NOW, endAt, recording: recordingOf(5) };
    await updateCall(db(), { teamId, id, change });
    await newFile(teamId, 7);
    expect(await counted(db(), teamId)).toEqual({ minutes: 1, fileBytes: 7, recordingBytes: 5 });
    await db().delete(teams).where(eq(teams.id, teamId));
    for (const table of [teamStorage, teamTalk])
      expect(await db().select().from(table).where(eq(table.teamId, teamId))).toEqual([]);
  });

  test('are made for what was there before them', async () => {
    const teamId = await newTeam();
    const empty = await newTeam();
    const { id } = await newCall(teamId, NOW);
    const endAt = new Date(NOW.getTime() + 90_000);
    await updateCall(db(), {
      teamId,
      id,
      change: { answeredAt: NOW, endAt, recording: recordingOf(5) },
    });
    await newCall(teamId, NOW);
    await newFile(teamId, 7);
    const statements = await migrationsOfCounters();
    await db().transaction(async (tx) => {
      await tx.execute(sql`drop table team_storage, team_talk`);
      await tx.execute(sql`drop function count_file, count_call cascade`);
      for (const statement of statements) await tx.execute(sql.raw(statement));
    });
    expect(await counted(db(), teamId)).toEqual({ minutes: 1.5, fileBytes: 7, recordingBytes: 5 });
    expect(await counted(db(), empty)).toEqual({ minutes: 0, fileBytes: 0, recordingBytes: 0 });
  });
});

/** Numbers from 0 to 1 (mulberry32). */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function migrationsOfCounters(): Promise<readonly string[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql'));
  const texts = await Promise.all(
    names.toSorted().map((name) => readFile(join(MIGRATIONS, name), 'utf8')),
  );
  return texts
    .flatMap((text) => text.split('--> statement-breakpoint'))
    .filter((statement) => /team_storage|team_talk|count_call|count_file|_counted/.test(statement));
}
