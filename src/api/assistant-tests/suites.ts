import { callsOfTests } from '../../contract/assistant-test.ts';
import { invalid } from '../../contract/errors.ts';
import { applyMergePatch } from '../../contract/merge-patch.ts';
import { type TestSuiteConfig, TestSuiteConfigSchema } from '../../contract/test-suite.ts';
import { validate } from '../../contract/validation.ts';
import { getAssistant } from '../../store/assistants.ts';
import {
  createTestSuite,
  getTestSuite,
  type TestSuiteRecord,
  updateTestSuite,
} from '../../store/test-suites.ts';
import { refusedTests } from '../../testing/refused-tests.ts';
import { spokenTests } from '../../testing/spoken/spoken-tests.ts';
import type { ApiDeps } from '../deps.ts';
import { refuseIfChanged } from '../entity-tag.ts';
import { retryRaces } from '../retry-races.ts';
import { presentTestSuite } from './present.ts';

type SuiteDeps = Pick<ApiDeps, 'db' | 'testReader'>;

/** Stores a new suite. Throws Problem if its text does not parse, or its assistant is not there. */
export async function addTestSuite(
  deps: SuiteDeps,
  { teamId, config }: { readonly teamId: string; readonly config: TestSuiteConfig },
): Promise<TestSuiteRecord> {
  const found = await readTests(deps, teamId, config);
  return createTestSuite(deps.db, { teamId, config, ...found });
}

/** Merges a patch into a suite. */
export function patchTestSuite(
  deps: SuiteDeps,
  {
    teamId,
    id,
    patch,
    ifMatch,
  }: {
    readonly teamId: string;
    readonly id: string;
    readonly patch: Readonly<Record<string, unknown>>;
    readonly ifMatch: string | undefined;
  },
): Promise<TestSuiteRecord> {
  return retryRaces(async () => {
    const current = await getTestSuite(deps.db, { teamId, id });
    refuseIfChanged(ifMatch, presentTestSuite(current));
    const merged = validate(TestSuiteConfigSchema, applyMergePatch(current.config, patch));
    if (!merged.ok) throw invalid(merged.faults);
    const config = merged.value;
    const found = await readTests(deps, teamId, config);
    const expectedVersion = current.version;
    return updateTestSuite(deps.db, { teamId, id, config, ...found, expectedVersion });
  });
}

async function readTests(
  { db, testReader }: SuiteDeps,
  teamId: string,
  { source, assistantId, spoken }: TestSuiteConfig,
): Promise<{ readonly tests: number; readonly callIds: readonly string[] }> {
  const parsed = await testReader.read(source, teamId);
  if (!parsed.ok) throw refusedTests(parsed.faults);
  const assistant =
    assistantId === undefined ? undefined : await getAssistant(db, { teamId, id: assistantId });
  if (spoken) spokenTests(parsed.tests, spoken, assistant?.config);
  return { tests: parsed.tests.length, callIds: callsOfTests(parsed.tests) };
}
