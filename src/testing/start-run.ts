import type { z } from 'zod';
import { chooseAssistant } from '../calls/choose-assistant.ts';
import { refuseUncapped } from '../calls/models/refuse-uncapped.ts';
import { applyOverrides } from '../contract/apply-overrides.ts';
import type { AssistantConfig } from '../contract/assistant.ts';
import { callsOfTests } from '../contract/assistant-test.ts';
import { summaryOf } from '../contract/assistant-test-result.ts';
import type { CallSnapshot } from '../contract/call-snapshot.ts';
import { invalid, Problem } from '../contract/errors.ts';
import type { Prices } from '../contract/prices.ts';
import type { ModelChoice, TestRunInput } from '../contract/test-suite.ts';
import type { VendorProblem } from '../contract/vendors.ts';
import type { JobKind, JobSender } from '../jobs/job-sender.ts';
import type { Db } from '../store/db.ts';
import { snapshotTools } from '../store/snapshot-tools.ts';
import { countOpenRuns, createTestRun, type TestRunRecord } from '../store/test-runs.ts';
import { getTestSuite } from '../store/test-suites.ts';
import { estimateRun } from './estimate.ts';
import { refusedTests } from './refused-tests.ts';
import { spokenTests } from './spoken/spoken-tests.ts';
import type { TestReader } from './test-reader.ts';

export interface StartRunDeps {
  readonly db: Db;
  readonly jobs: JobSender;
  readonly reader: Pick<TestReader, 'read'>;
  readonly prices: Prices | undefined;
  readonly assistantSchema: z.ZodType<AssistantConfig>;
  readonly vendorProblems: (assistant: AssistantConfig, team: string) => readonly VendorProblem[];
}

export interface RunOfTests {
  readonly teamId: string;
  readonly runId: string;
}

/** Runs the tests of one run. */
export const runTestsJob: JobKind<RunOfTests> = {
  name: 'run-tests',
  timeoutMs: 1800_000,
  retries: 1,
  retryDelayMs: 5_000,
};

/** The same for runs that are spoken: they are long, and hold up no others. */
export const speakTestsJob: JobKind<RunOfTests> = {
  ...runTestsJob,
  name: 'speak-tests',
  timeoutMs: 3600_000,
};

const MAX_OPEN_RUNS = 20;

/** Stores a run and the job that does it. Throws Problem if it cannot be run as asked. */
export async function startRun(
  deps: StartRunDeps,
  {
    teamId,
    by,
    input,
  }: { readonly teamId: string; readonly by: TestRunRecord['by']; readonly input: TestRunInput },
): Promise<TestRunRecord> {
  const { db, jobs } = deps;
  const suite =
    input.suiteId === undefined ? undefined : await getTestSuite(db, { teamId, id: input.suiteId });
  const source = suite?.config.source ?? input.source ?? '';
  const assistantId = input.assistantId ?? suite?.config.assistantId;
  if (assistantId === undefined)
    throw invalid([{ path: 'assistantId', message: 'is required: the suite names no assistant' }]);
  const parsed = await deps.reader.read(source, teamId);
  if (!parsed.ok) throw refusedTests(parsed.faults);
  const { snapshot, assistantVersion } = await snapshotOf(deps, {
    ...{ teamId, assistantId },
    version: input.assistantVersion ?? '',
  });
  const judge = input.judge ?? ownModel(snapshot.assistant);
  const spoken = input.spoken ?? (by === 'nightly' ? suite?.config.spoken : undefined);
  const tests = spoken ? spokenTests(parsed.tests, spoken, snapshot.assistant) : parsed.tests;
  const estimate = estimateRun(tests, { snapshot, judge, prices: deps.prices });
  refuseUncapped(estimate, input.budget);
  return db.transaction(async (tx) => {
    const open = await countOpenRuns(tx, { teamId });
    if (open >= MAX_OPEN_RUNS) {
      const message = `${MAX_OPEN_RUNS} runs of tests of your team wait already`;
      throw new Problem({ kind: 'conflict', message });
    }
    const run = await createTestRun(tx, {
      ...{ teamId, assistantId, assistantVersion, by, source, estimate },
      suiteId: suite?.id ?? null,
      spoken: spoken ?? null,
      callIds: callsOfTests(parsed.tests),
      seed: input.seed,
      budget: input.budget,
      judge: input.judge ?? null,
      summary: { ...summaryOf([]), tests: tests.length },
    });
    const kind = spoken ? speakTestsJob : runTestsJob;
    const data = { teamId, runId: run.id };
    // Teams take turns: each next run of one comes after the first ones of all others.
    const options = { dedupeKey: run.id, team: teamId, priority: -open };
    await jobs.send(tx, kind, data, options);
    return run;
  });
}

export const ownModel = (assistant: AssistantConfig): ModelChoice => ({
  provider: assistant.assistantProvider,
  model: assistant.assistantModel,
});

/** The assistant as a call would begin with it now. Throws Problem if it cannot take calls. */
export async function snapshotOf(
  deps: Pick<StartRunDeps, 'db' | 'assistantSchema' | 'vendorProblems'>,
  {
    teamId,
    assistantId,
    version,
  }: {
    readonly teamId: string;
    readonly assistantId: string;
    /** Number or label; empty: the published version. */
    readonly version: string;
  },
): Promise<{ readonly snapshot: CallSnapshot; readonly assistantVersion: number | null }> {
  const chosen = await chooseAssistant(
    // A test with a scripted model needs no vendor; one without finds out when it asks.
    { ...deps, vendorProblems: () => [] },
    { teamId, inline: undefined, named: assistantId, attached: null, version },
  );
  const { assistant, variables } = applyOverrides(chosen.config);
  const tools = await snapshotTools(deps.db, { teamId, assistant });
  const { assistantVersion } = chosen;
  return { snapshot: { assistant, variables, tools }, assistantVersion };
}
