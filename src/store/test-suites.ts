import { and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm';
import type { TestSuiteConfig } from '../contract/test-suite.ts';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { NotFoundError, VersionConflictError } from './errors.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { testSuites } from './schema/assistant-tests.ts';
import { contentOpener, contentSealer } from './sealed-content.ts';

type Row = typeof testSuites.$inferSelect;
export interface TestSuiteRecord extends Omit<Row, 'config' | 'source'> {
  readonly config: TestSuiteConfig;
}

/** Where the text of a suite stands. */
export const suitePlace = (id: string) => ({ table: 'test_suites', owner: id, part: 'source' });

async function openedSuites(db: Db, rows: readonly Row[]): Promise<TestSuiteRecord[]> {
  const open = await contentOpener(
    db,
    rows.map(({ source }) => source),
  );
  return rows.map(({ source, config, ...row }) => ({
    ...row,
    config: { ...config, source: open.text(source, suitePlace(row.id)) },
  }));
}

/** A suite as it is to be stored. */
interface Written {
  readonly config: TestSuiteConfig;
  /** How many there are in its text. */
  readonly tests: number;
  /** The calls that some of them were made of. */
  readonly callIds: readonly string[];
}

async function sealedSuite(
  db: Db,
  { teamId, id }: One,
  { config: { source, ...config }, tests, callIds }: Written,
): Promise<Pick<Row, 'config' | 'source' | 'tests' | 'callIds'>> {
  const seal = await contentSealer(db, { teamId });
  return { config, source: seal.text(source, suitePlace(id)), tests, callIds };
}

interface One {
  readonly teamId: string;
  readonly id: string;
}

const own = ({ teamId, id }: One) => and(eq(testSuites.teamId, teamId), eq(testSuites.id, id));

export async function createTestSuite(
  db: Db,
  { teamId, ...written }: Written & { readonly teamId: string },
): Promise<TestSuiteRecord> {
  const now = new Date();
  const id = uuidv7(now.getTime());
  const sealed = await sealedSuite(db, { teamId, id }, written);
  const rows = await db
    .insert(testSuites)
    .values({ id, teamId, ...sealed, createdAt: now, updatedAt: now })
    .returning();
  const [made] = await openedSuites(db, rows);
  return made as TestSuiteRecord;
}

export async function getTestSuite(db: Db, params: One): Promise<TestSuiteRecord> {
  const rows = await db.select().from(testSuites).where(own(params));
  const [row] = await openedSuites(db, rows);
  if (!row) throw new NotFoundError('test-suite', params.id);
  return row;
}

/** Newest first. */
export async function listTestSuites(
  db: Db,
  {
    teamId,
    assistantId,
    limit,
    cursor,
  }: { readonly teamId: string; readonly assistantId?: string | undefined } & PageRequest,
): Promise<Page<TestSuiteRecord>> {
  const query = db
    .select()
    .from(testSuites)
    .where(
      and(
        eq(testSuites.teamId, teamId),
        assistantId === undefined
          ? undefined
          : sql`${testSuites.config} ->> 'assistantId' = ${assistantId}`,
        cursor === undefined ? undefined : lt(testSuites.id, cursor),
      ),
    )
    .orderBy(desc(testSuites.id));
  const rows = await (limit === undefined ? query : query.limit(limit + 1));
  return toPage(await openedSuites(db, rows), limit);
}

/** The suites of all teams that run every night, oldest first, after the one with the id `after`. */
export function listNightlySuites(
  db: Db,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<readonly One[]> {
  return db
    .select({ id: testSuites.id, teamId: testSuites.teamId })
    .from(testSuites)
    .where(
      and(
        sql`${testSuites.config} -> 'nightly' = 'true'::jsonb`,
        after === undefined ? undefined : gt(testSuites.id, after),
      ),
    )
    .orderBy(asc(testSuites.id))
    .limit(limit);
}

/** A suite with tests that were made of calls which are deleted. */
interface SuiteOfDeletedCalls {
  readonly suite: TestSuiteRecord;
  readonly deletedIds: readonly string[];
}

/** The first such suite of a team after the one with the id `after`. */
export async function findSuiteOfDeletedCalls(
  db: Db,
  { teamId, after }: { readonly teamId: string; readonly after: string },
): Promise<SuiteOfDeletedCalls | undefined> {
  const deletedIds = sql<readonly string[]>`array(select made_of.value
    from jsonb_array_elements_text(${testSuites.callIds}) as made_of
    join deleted_calls on deleted_calls.id = made_of.value and deleted_calls.team_id = ${teamId})`;
  const [row] = await db
    .select({ suite: testSuites, deletedIds })
    .from(testSuites)
    .where(and(eq(testSuites.teamId, teamId), gt(testSuites.id, after), sql`${deletedIds} <> '{}'`))
    .orderBy(asc(testSuites.id))
    .limit(1);
  if (!row) return undefined;
  const [suite] = await openedSuites(db, [row.suite]);
  return { suite: suite as TestSuiteRecord, deletedIds: row.deletedIds };
}

/** Replaces the configuration. Throws VersionConflictError if the version is no longer current. */
export async function updateTestSuite(
  db: Db,
  params: One & Written & { readonly expectedVersion: number },
): Promise<TestSuiteRecord> {
  const sealed = await sealedSuite(db, params, params);
  const rows = await db
    .update(testSuites)
    .set({ ...sealed, version: sql`${testSuites.version} + 1`, updatedAt: new Date() })
    .where(and(own(params), eq(testSuites.version, params.expectedVersion)))
    .returning();
  const [row] = await openedSuites(db, rows);
  if (row) return row;
  const current = await getTestSuite(db, params);
  throw new VersionConflictError('test-suite', params.id, current.version);
}

/** Deletes a suite and its runs. */
export async function deleteTestSuite(db: Db, params: One): Promise<void> {
  const deleted = await db.delete(testSuites).where(own(params)).returning({ id: testSuites.id });
  if (deleted.length === 0) throw new NotFoundError('test-suite', params.id);
}
