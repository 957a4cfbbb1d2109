import { and, desc, eq, getTableColumns, inArray, lt, sql } from 'drizzle-orm';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { testRuns } from './schema/assistant-tests.ts';

export type TestRunRecord = typeof testRuns.$inferSelect;
/** A run without what is long. */
export type TestRunHead = Omit<TestRunRecord, 'results' | 'source'>;

const { results: _results, source: _source, ...head } = getTableColumns(testRuns);

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
    | 'source'
    | 'seed'
    | 'budget'
    | 'judge'
  > &
    Pick<TestRunRecord, 'estimate' | 'summary'>,
): Promise<TestRunRecord> {
  const now = new Date();
  const [row] = await db
    .insert(testRuns)
    .values({ id: uuidv7(now.getTime()), ...params, status: 'queued', createdAt: now })
    .returning();
  const { teamId } = params;
  await db.delete(testRuns).where(
    and(
      eq(testRuns.teamId, teamId),
      sql`${testRuns.id} < (select kept.id from test_runs kept where kept.team_id = ${teamId}
        order by kept.id desc offset ${MAX_KEPT - 1} limit 1)`,
    ),
  );
  return row as TestRunRecord;
}

export async function findTestRun(db: Db, params: One): Promise<TestRunRecord | undefined> {
  const [row] = await db.select().from(testRuns).where(own(params));
  return row;
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
  return toPage(rows, limit);
}

/** The latest finished run of a suite, of a version or a kind if given, and before the run with the id `before`. */
export async function findLatestRun(
  db: Db,
  params: {
    readonly teamId: string;
    readonly suiteId: string;
    readonly assistantId: string;
    readonly assistantVersion?: number;
    readonly by?: TestRunRecord['by'];
    readonly before?: string;
  },
): Promise<TestRunRecord | undefined> {
  const { teamId, suiteId, assistantId, assistantVersion, by, before } = params;
  const [row] = await db
    .select()
    .from(testRuns)
    .where(
      and(
        eq(testRuns.teamId, teamId),
        eq(testRuns.suiteId, suiteId),
        eq(testRuns.assistantId, assistantId),
        eq(testRuns.status, 'finished'),
        assistantVersion === undefined
          ? undefined
          : eq(testRuns.assistantVersion, assistantVersion),
        by === undefined ? undefined : eq(testRuns.by, by),
        before === undefined ? undefined : lt(testRuns.id, before),
      ),
    )
    .orderBy(desc(testRuns.id))
    .limit(1);
  return row;
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
  await db.update(testRuns).set(params.change).where(own(params));
}
