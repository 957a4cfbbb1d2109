import type {
  TestRun,
  TestRunSummary,
  TestSuite,
  TestSuiteSummary,
} from '../../contract/test-suite.ts';
import type { TestRunHead, TestRunRecord } from '../../store/test-runs.ts';
import type { TestSuiteRecord } from '../../store/test-suites.ts';
import { conditionReports } from '../../testing/spoken/condition-report.ts';

export function presentTestSuite({
  id,
  config,
  tests,
  createdAt,
  updatedAt,
}: TestSuiteRecord): TestSuite {
  return {
    id,
    ...config,
    tests,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export function presentTestSuiteHead(record: TestSuiteRecord): TestSuiteSummary {
  const { source: _, ...head } = presentTestSuite(record);
  return head;
}

export function presentTestRunHead(run: TestRunHead): TestRunSummary {
  const { id, suiteId, assistantId, by, status, reason, seed, estimate, summary, cost } = run;
  return {
    id,
    ...(suiteId === null ? {} : { suiteId }),
    assistantId,
    ...(run.assistantVersion === null ? {} : { assistantVersion: run.assistantVersion }),
    by,
    ...(run.spoken === null ? {} : { spoken: run.spoken }),
    status,
    ...(reason === null ? {} : { reason }),
    seed,
    estimate,
    summary,
    regressed: [...run.regressed],
    ...(cost === null ? {} : { cost }),
    createdAt: run.createdAt.toISOString(),
    ...(run.finishedAt === null ? {} : { finishedAt: run.finishedAt.toISOString() }),
  };
}

export function presentTestRun(run: TestRunRecord): TestRun {
  const { spoken, results } = run;
  return {
    ...presentTestRunHead(run),
    results: [...results],
    ...(spoken === null ? {} : { conditions: [...conditionReports(results)] }),
  };
}
