import { and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm';
import type { TestSuiteConfig } from '../contract/test-suite.ts';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { NotFoundError, VersionConflictError } from './errors.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { testSuites } from './schema/assistant-tests.ts';

export type TestSuiteRecord = typeof testSuites.$inferSelect;

interface One {
  readonly teamId: string;
  readonly id: string;
}

const own = ({ teamId, id }: One) => and(eq(testSuites.teamId, teamId), eq(testSuites.id, id));

export async function createTestSuite(
  db: Db,
  params: { readonly teamId: string; readonly config: TestSuiteConfig; readonly tests: number },
): Promise<TestSuiteRecord> {
  const now = new Date();
  const [row] = await db
    .insert(testSuites)
    .values({ id: uuidv7(now.getTime()), ...params, createdAt: now, updatedAt: now })
    .returning();
  return row as TestSuiteRecord;
}

export async function getTestSuite(db: Db, params: One): Promise<TestSuiteRecord> {
  const [row] = await db.select().from(testSuites).where(own(params));
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
  return toPage(await (limit === undefined ? query : query.limit(limit + 1)), limit);
}

/** The suites of all teams that run every night, oldest first, after the one with the id `after`. */
export function listNightlySuites(
  db: Db,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<readonly TestSuiteRecord[]> {
  return db
    .select()
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

/** Replaces the configuration. Throws VersionConflictError if the version is no longer current. */
export async function updateTestSuite(
  db: Db,
  params: One & {
    readonly config: TestSuiteConfig;
    readonly tests: number;
    readonly expectedVersion: number;
  },
): Promise<TestSuiteRecord> {
  const { config, tests, expectedVersion } = params;
  const [row] = await db
    .update(testSuites)
    .set({ config, tests, version: sql`${testSuites.version} + 1`, updatedAt: new Date() })
    .where(and(own(params), eq(testSuites.version, expectedVersion)))
    .returning();
  if (row) return row;
  const current = await getTestSuite(db, params);
  throw new VersionConflictError('test-suite', params.id, current.version);
}

/** Deletes a suite and its runs. */
export async function deleteTestSuite(db: Db, params: One): Promise<void> {
  const deleted = await db.delete(testSuites).where(own(params)).returning({ id: testSuites.id });
  if (deleted.length === 0) throw new NotFoundError('test-suite', params.id);
}
