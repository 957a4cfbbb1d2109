import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { testRuns } from './schema/assistant-tests.ts';
import { contentOpener, contentSealer } from './sealed-content.ts';

export type TestRunRecord = typeof testRuns.$inferSelect;
/** A run without what is long. */
export type TestRunHead = Omit<TestRunRecord, 'results' | 'source'>;

const { results: _results, source: _source, ...head } = getTableColumns(testRuns);

type RunColumn = 'source' | 'results' | 'regressed';

/** Where a column of a run stands: the tests, what was said in them, or the names of those that fail now. */
export const runPlace = (id: string, part: RunColumn) => ({ table: 'test_runs', owner: id, part });

/** Opens runs, or as much of them as was read. */
async function openedRuns<Run extends TestRunHead & Partial<TestRunRecord>>(
  db: Db,
  rows: readonly Run[],
): Promise<Run[]> {
  const open = await contentOpener(
    db,
    rows.flatMap(({ source, results, regressed }) => [source, results, regressed]),
  );
  return rows.map((row) => {
    const { id, source, results, regressed } = row;
    return {
      ...row,
      regressed: open.json(regressed, runPlace(id, 'regressed')),
      ...(source === undefined ? {} : { source: open.text(source, runPlace(id, 'source')) }),
      ...(results === undefined ? {} : { results: open.json(results, runPlace(id, 'results')) }),
    };
  });
}

interface One {
  readonly teamId: string;
  readonly id: string;
}

const own = ({ teamId, id }: One) => and(eq(testRuns.teamId, teamId), eq(testRuns.id, id));

/** Runs that a team keeps; older ones are deleted when a new one is created. */
const MAX_KEPT = 500;

export async function createTestRun(
  db: Db,
  params: Pick<
    TestRunRecord,
    | 'teamId'
    | 'suiteId'
    | 'assistantId'
    | 'assistantVersion'
    | 'by'
    | 'spoken'
    | 'source'
    | 'callIds'
    | 'seed'
    | 'budget'
    | 'judge'
  > &
    Pick<TestRunRecord, 'estimate' | 'summary'>,
): Promise<TestRunRecord> {
  const now = new Date();
  const { teamId } = params;
  const id = uuidv7(now.getTime());
  const seal = await contentSealer(db, { teamId });
  const source = seal.text(params.source, runPlace(id, 'source'));
  const rows = await db
    .insert(testRuns)
    .values({ id, ...params, source, status: 'queued', createdAt: now })
    .returning();
  await db.delete(testRuns).where(
    and(
      eq(testRuns.teamId, teamId),
      sql`${testRuns.id} < (select kept.id from test_runs kept where kept.team_id = ${teamId}
        order by kept.id desc offset ${MAX_KEPT - 1} limit 1)`,
    ),
  );
  const [made] = await openedRuns(db, rows);
  return made as TestRunRecord;
}

export async function findTestRun(db: Db, params: One): Promise<TestRunRecord | undefined> {
  const rows = await db.select().from(testRuns).where(own(params));
  return (await openedRuns(db, rows))[0];
}

export async function getTestRun(db: Db, params: One): Promise<TestRunRecord> {
  const row = await findTestRun(db, params);
  if (!row) throw new NotFoundError('test-run', params.id);
  return row;
}

/** Newest first. */
export async function listTestRuns(
  db: Db,
  params: {
    readonly teamId: string;
    readonly suiteId?: string | undefined;
    readonly assistantId?: string | undefined;
  } & PageRequest,
): Promise<Page<TestRunHead>> {
  const { teamId, suiteId, assistantId, limit = MAX_KEPT, cursor } = params;
  const rows = await db
    .select(head)
    .from(testRuns)
    .where(
      and(
        eq(testRuns.teamId, teamId),
        suiteId === undefined ? undefined : eq(testRuns.suiteId, suiteId),
        assistantId === undefined ? undefined : eq(testRuns.assistantId, assistantId),
        cursor === undefined ? undefined : lt(testRuns.id, cursor),
      ),
    )
    .orderBy(desc(testRuns.id))
    .limit(limit + 1);
  return toPage(await openedRuns(db, rows), limit);
}

/** The latest finished run of a suite, spoken or not, of a version or a kind if given, and before the run `before`. */
export async function findLatestRun(
  db: Db,
  params: {
    readonly teamId: string;
    readonly suiteId: string;
    readonly assistantId: string;
    readonly isSpoken: boolean;
    readonly assistantVersion?: number;
    readonly by?: TestRunRecord['by'];
    readonly before?: string;
  },
): Promise<TestRunRecord | undefined> {
  const { teamId, suiteId, assistantId, isSpoken, assistantVersion, by, before } = params;
  const rows = await db
    .select()
    .from(testRuns)
    .where(
      and(
        eq(testRuns.teamId, teamId),
        eq(testRuns.suiteId, suiteId),
        eq(testRuns.assistantId, assistantId),
        eq(testRuns.status, 'finished'),
        isSpoken ? isNotNull(testRuns.spoken) : isNull(testRuns.spoken),
        assistantVersion === undefined
          ? undefined
          : eq(testRuns.assistantVersion, assistantVersion),
        by === undefined ? undefined : eq(testRuns.by, by),
        before === undefined ? undefined : lt(testRuns.id, before),
      ),
    )
    .orderBy(desc(testRuns.id))
    .limit(1);
  return (await openedRuns(db, rows))[0];
}

/** How many runs of the team wait or are under way. */
export async function countOpenRuns(
  db: Db,
  { teamId }: { readonly teamId: string },
): Promise<number> {
  return db.$count(
    testRuns,
    and(eq(testRuns.teamId, teamId), inArray(testRuns.status, ['queued', 'running'])),
  );
}

/** Marks the runs as failed that are still under way although they were asked for before this instant. */
export async function failLostRuns(
  db: Db,
  params: { readonly before: Date; readonly finishedAt: Date; readonly reason: string },
): Promise<void> {
  const { before, finishedAt, reason } = params;
  await db
    .update(testRuns)
    .set({ status: 'failed', reason, finishedAt })
    .where(and(eq(testRuns.status, 'running'), lt(testRuns.createdAt, before)));
}

export async function updateTestRun(
  db: Db,
  params: One & {
    readonly change: Partial<
      Pick<
        TestRunRecord,
        'status' | 'reason' | 'summary' | 'results' | 'regressed' | 'cost' | 'finishedAt'
      >
    >;
  },
): Promise<void> {
  const { teamId, id, change } = params;
  const { results, regressed } = change;
  const seal = await contentSealer(db, { teamId });
  await db
    .update(testRuns)
    .set({
      ...change,
      ...(results ? { results: seal.json(results, runPlace(id, 'results')) } : {}),
      ...(regressed ? { regressed: seal.json(regressed, runPlace(id, 'regressed')) } : {}),
    })
    .where(own(params));
}

const isOfDeletedCall = sql`exists (select from jsonb_array_elements_text(call_ids) as made_of
  join deleted_calls on deleted_calls.id = made_of.value and deleted_calls.team_id = test_runs.team_id)`;

/** Deletes the runs of tests that were made of calls which are deleted. */
export async function deleteRunsOfDeletedCalls(
  db: Db,
  { teamId }: { readonly teamId: string },
): Promise<void> {
  await db.delete(testRuns).where(and(eq(testRuns.teamId, teamId), isOfDeletedCall));
}

/** The teams with tests, or runs of tests, that were made of calls which are deleted. */
export async function listTeamsWithTestsOfDeletedCalls(db: Db): Promise<readonly string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select distinct test_runs.team_id as id from test_runs where ${isOfDeletedCall}
    union select distinct test_suites.team_id from test_suites
      cross join jsonb_array_elements_text(call_ids) as made_of
      join deleted_calls on deleted_calls.id = made_of.value and deleted_calls.team_id = test_suites.team_id`);
  return rows.map(({ id }) => id);
}
