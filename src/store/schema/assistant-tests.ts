import { index, integer, pgTable } from 'drizzle-orm/pg-core';
import type { TestResult, TestSummary } from '../../contract/assistant-test-result.ts';
import type {
  ModelChoice,
  ModelEstimate,
  SpokenChoice,
  TestBudget,
  TestRunStatus,
  TestSuiteConfig,
} from '../../contract/test-suite.ts';
import type { CallCost } from '../../contract/usage.ts';
import { idText, instant, json, orderedJson, plainText } from '../columns.ts';
import { teams } from './teams.ts';

export const testSuites = pgTable(
  'test_suites',
  {
    id: idText('id').primaryKey(),
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    config: json<Omit<TestSuiteConfig, 'source'>>('config').notNull(),
    /** The text of the tests. */
    source: plainText('source').notNull(),
    /** The calls that tests of it were made of. */
    callIds: json<readonly string[]>('call_ids').notNull().default([]),
    /** How many tests its text has. */
    tests: integer('tests').notNull(),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [index('test_suites_team').on(table.teamId, table.id)],
);

export const testRuns = pgTable(
  'test_runs',
  {
    id: idText('id').primaryKey(),
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    /** Null: the tests came with the request. */
    suiteId: idText('suite_id').references(() => testSuites.id, { onDelete: 'cascade' }),
    /** Not a foreign key, since runs outlive assistants. */
    assistantId: idText('assistant_id').notNull(),
    /** Null: of a run before versions were noted. */
    assistantVersion: integer('assistant_version'),
    by: plainText('by').$type<'request' | 'nightly'>().notNull(),
    /** Null: its conversations have no sound. */
    spoken: json<SpokenChoice>('spoken'),
    status: plainText('status').$type<TestRunStatus>().notNull(),
    reason: plainText('reason'),
    /** The text of the tests as it was. */
    source: plainText('source').notNull(),
    /** The calls that its tests were made of. */
    callIds: json<readonly string[]>('call_ids').notNull().default([]),
    seed: integer('seed').notNull(),
    budget: json<TestBudget>('budget').notNull(),
    judge: json<ModelChoice>('judge'),
    estimate: json<ModelEstimate>('estimate').notNull(),
    summary: json<TestSummary>('summary').notNull(),
    results: orderedJson<readonly TestResult[]>('results').notNull().default([]),
    /** Names of tests that passed in the run before and fail in this one. */
    regressed: json<readonly string[]>('regressed').notNull().default([]),
    cost: json<CallCost>('cost'),
    createdAt: instant('created_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (table) => [
    index('test_runs_team').on(table.teamId, table.id),
    index('test_runs_suite').on(table.suiteId, table.id),
  ],
);
