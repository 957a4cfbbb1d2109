import { callsOfTests } from '../contract/assistant-test.ts';
import type { Db } from '../store/db.ts';
import { NotFoundError, VersionConflictError } from '../store/errors.ts';
import { deleteRunsOfDeletedCalls } from '../store/test-runs.ts';
import { deleteTestSuite, findSuiteOfDeletedCalls, updateTestSuite } from '../store/test-suites.ts';
import type { TestReader } from './test-reader.ts';

interface Deps {
  readonly db: Db;
  readonly reader: Pick<TestReader, 'read' | 'withoutCalls'>;
}

/**
 * Deletes what is in tests of a team's deleted calls: their runs, and the tests that were made of them, with a suite
 * that has no other. Rejects with Problem if a text takes too long to read.
 */
export async function forgetDeletedCalls(
  { db, reader }: Deps,
  { teamId }: { readonly teamId: string },
  signal: AbortSignal,
): Promise<void> {
  await deleteRunsOfDeletedCalls(db, { teamId });
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const found = await findSuiteOfDeletedCalls(db, { teamId, after });
    if (!found) return;
    const { id, config, version: expectedVersion } = found.suite;
    const task = { source: config.source, callIds: found.deletedIds };
    const source = await reader.withoutCalls(task, teamId, signal);
    const parsed = source === null ? undefined : await reader.read(source, teamId, signal);
    try {
      if (source !== null && parsed?.ok) {
        const { tests } = parsed;
        const written = { tests: tests.length, callIds: callsOfTests(tests) };
        const changed = { ...config, source };
        await updateTestSuite(db, { teamId, id, config: changed, ...written, expectedVersion });
      } else await deleteTestSuite(db, { teamId, id });
      after = id;
    } catch (error) {
      // Somebody has deleted it, or has changed it: then it is read again.
      if (!(error instanceof NotFoundError) && !(error instanceof VersionConflictError))
        throw error;
    }
  }
}
