import { TESTS_NOT_PASSED } from '../contract/assistant-version.ts';
import { Problem } from '../contract/errors.ts';
import { findVersion } from '../store/assistant-versions.ts';
import type { Db } from '../store/db.ts';
import { getPublishGate } from '../store/publish-gates.ts';
import { findLatestRun } from '../store/test-runs.ts';
import { listTestSuites, type TestSuiteRecord } from '../store/test-suites.ts';

interface OfAssistant {
  readonly teamId: string;
  readonly id: string;
}

const MAX_NAMES = 10;

/** Throws Problem if the assistant is published only when its tests pass, and those of the version do not. */
export async function refuseUntested(
  db: Db,
  { teamId, id, version }: OfAssistant & { readonly version: number },
): Promise<void> {
  const faults = await faultsOf(db, { teamId, id, version });
  if (faults.length === 0) return;
  const message = `Version ${version} is not published, because its tests must pass first: ${faults.join('; ')}`;
  throw new Problem({ kind: 'untested', code: TESTS_NOT_PASSED, message });
}

/** The same for a version that a field names, so that people hear it: the published one may be named. */
export async function refuseUntestedPin(
  db: Db,
  {
    teamId,
    id,
    version,
    field,
  }: OfAssistant & { readonly version: number; readonly field: string },
): Promise<void> {
  const published = await findVersion(db, { teamId, id, name: '' });
  if (published?.number === version) return;
  const faults = await faultsOf(db, { teamId, id, version });
  if (faults.length === 0) return;
  const message = `${field}: version ${version} takes no calls of people, because its tests must pass first: ${faults.join('; ')}`;
  throw new Problem({ kind: 'untested', code: TESTS_NOT_PASSED, message });
}

/** Why the version may not be published, if the assistant is published only when its tests pass. */
async function faultsOf(
  db: Db,
  { teamId, id, version }: OfAssistant & { readonly version: number },
): Promise<readonly string[]> {
  if (!(await getPublishGate(db, { teamId, id })).requireTests) return [];
  const { items: suites } = await listTestSuites(db, { teamId, assistantId: id });
  const faults: string[] = suites.length === 0 ? ['the assistant has no tests'] : [];
  for (const suite of suites) {
    const fault = await faultOf(db, suite, { teamId, id, version });
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
}

/** Throws Problem if the assistant is published only when its tests pass: a new version has none that did. */
export async function refuseUntestedSave(db: Db, assistant: OfAssistant): Promise<void> {
  if (!(await getPublishGate(db, assistant)).requireTests) return;
  const message =
    'The assistant is published only when its tests pass: save the change as a draft, run its tests, and publish it then';
  throw new Problem({ kind: 'untested', code: TESTS_NOT_PASSED, message });
}

/** Undefined if all tests of the suite passed with the version, as they are written now. */
async function faultOf(
  db: Db,
  { id: suiteId, config: { title, source } }: TestSuiteRecord,
  {
    teamId,
    id: assistantId,
    version: assistantVersion,
  }: OfAssistant & { readonly version: number },
): Promise<string | undefined> {
  // Spoken runs are long, and fail by noise as well: they tell, and hold nothing up.
  const of = { teamId, suiteId, assistantId, assistantVersion };
  const run = await findLatestRun(db, { ...of, isSpoken: false });
  if (!run) return `“${title}” was not run with it`;
  if (run.source !== source) return `“${title}” has changed since it was run with it`;
  const others = run.results.filter(({ status }) => status !== 'passed').map(({ name }) => name);
  if (others.length === 0) return undefined;
  const more = others.length > MAX_NAMES ? ` and ${others.length - MAX_NAMES} more` : '';
  const names = others.slice(0, MAX_NAMES).map((name) => `“${name}”`);
  return `in “${title}” did not pass: ${names.join(', ')}${more}`;
}
