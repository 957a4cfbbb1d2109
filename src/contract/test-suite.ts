import { z } from 'zod';
import { MAX_TESTS_CHARS } from './assistant-test.ts';
import {
  ConditionReportSchema,
  LINE_CONDITION_NAMES,
  TestResultSchema,
  TestSummarySchema,
} from './assistant-test-result.ts';
import { VersionNameSchema } from './assistant-version.ts';
import { DateTimeSchema, IdSchema, text } from './atoms.ts';
import { CallCostSchema } from './usage.ts';

export const TestSourceSchema = z
  .string()
  .max(MAX_TESTS_CHARS)
  .regex(/\S/, 'must not be blank')
  .describe('The tests as YAML or JSON, as in a file (docs/testing-assistants.md).');

const SpokenSchema = z
  .strictObject({
    conditions: z
      .array(z.enum(LINE_CONDITION_NAMES))
      .max(LINE_CONDITION_NAMES.length)
      .refine((names) => new Set(names).size === names.length, 'must not name a condition twice')
      .default([])
      .describe('Once in each of these; empty: in all.'),
  })
  .describe(
    'Speaks the tests through whole calls in virtual time, with the offline voices and recogniser.',
  );

const fields = {
  title: text(200).regex(/\S/, 'must not be blank'),
  assistantId: IdSchema.optional().describe('The assistant that it tests where no other is named.'),
  source: TestSourceSchema,
  nightly: z.boolean().default(false).describe('Runs every night at 02:00 UTC.'),
  spoken: SpokenSchema.optional().describe('Its nightly runs are spoken.'),
};

/** Tests that are kept: a text, and the assistant that it tests. */
export const TestSuiteConfigSchema = z.strictObject(fields).meta({ title: 'TestSuiteInput' });
export const TestSuiteEditableSchema = z.strictObject(fields);

export const TestSuiteSchema = z
  .strictObject({
    id: IdSchema,
    ...fields,
    tests: z.int().describe('How many tests it has.'),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  })
  .meta({ title: 'TestSuite' });

export const TestSuiteSummarySchema = TestSuiteSchema.omit({ source: true }).meta({
  title: 'TestSuiteSummary',
});

export const BudgetSchema = z
  .strictObject({
    cost: z.number().min(0).max(1e6).optional().describe('In the currency of the prices.'),
    tokens: z.int().min(0).max(1e9).optional().describe('Input and output together.'),
  })
  .describe(
    'Ends the run when it is spent. Needed where models of vendors are asked; `cost` needs their prices.',
  );

const ModelChoiceSchema = z.strictObject({ provider: text(100).min(1), model: text(200) });

const asked = {
  assistantId: IdSchema.optional().describe('Absent: the suite’s.'),
  assistantVersion: VersionNameSchema.optional().describe(
    'The number of a version, or a label such as `production`. Absent: the published one.',
  ),
  suiteId: IdSchema.optional(),
  seed: z.int().min(0).max(2_147_483_647).default(1),
  budget: BudgetSchema.default({}),
  judge: ModelChoiceSchema.optional().describe(
    'The model that judges and plays callers with a goal. Absent: the assistant’s own.',
  ),
};

/** What a run is asked for. */
export const TestRunInputSchema = z
  .strictObject({
    ...asked,
    source: TestSourceSchema.optional(),
    spoken: SpokenSchema.optional(),
  })
  .refine(
    (run) => (run.suiteId === undefined) !== (run.source === undefined),
    'must have either suiteId or source',
  )
  .meta({ title: 'TestRunInput' });

/** How much models will be asked; an estimate by the length of texts. */
export const ModelEstimateSchema = z
  .strictObject({
    requests: z.int(),
    inputTokens: z.int(),
    outputTokens: z.int(),
    vendors: z.array(z.string()).describe('Those that are asked and may cost money.'),
    cost: CallCostSchema.optional().describe('Only if prices are configured.'),
  })
  .meta({ title: 'ModelEstimate' });

export const TestRunStatusSchema = z.enum(['queued', 'running', 'finished', 'failed']);

const run = {
  id: IdSchema,
  suiteId: IdSchema.optional(),
  assistantId: IdSchema,
  assistantVersion: z.int().optional().describe('The version that was tested.'),
  by: z.enum(['request', 'nightly']),
  spoken: SpokenSchema.optional().describe('Absent: the conversations had no sound.'),
  status: TestRunStatusSchema,
  reason: z.string().optional().describe('Why the run failed or ended early.'),
  seed: z.int(),
  estimate: ModelEstimateSchema,
  summary: TestSummarySchema,
  regressed: z
    .array(z.string())
    .describe(
      'Names of the tests that passed in the finished run of the suite before this one (for a nightly run, in the nightly one before) and fail in this one. Spoken runs are compared with spoken ones, and name the condition: `Parking (noise)`.',
    ),
  cost: CallCostSchema.optional().describe('Only if prices are configured.'),
  createdAt: DateTimeSchema,
  finishedAt: DateTimeSchema.optional(),
};

export const TestRunSummarySchema = z.strictObject(run).meta({ title: 'TestRunSummary' });

export const TestRunSchema = z
  .strictObject({
    ...run,
    results: z.array(TestResultSchema),
    conditions: z
      .array(ConditionReportSchema)
      .optional()
      .describe('What was measured of a spoken run in each condition.'),
  })
  .meta({ title: 'TestRun' });

/** Asks a model about a call that took place. */
export const JudgementInputSchema = z
  .strictObject({
    callId: IdSchema,
    statement: text(1000)
      .regex(/\S/, 'must not be blank')
      .describe('A statement about the conversation.'),
    judge: ModelChoiceSchema,
    budget: BudgetSchema.default({}),
  })
  .meta({ title: 'JudgementInput' });

export const JudgementSchema = z
  .strictObject({
    verdict: z
      .enum(['met', 'unmet', 'not-judged'])
      .describe('`not-judged`: the model could not be asked, or gave no usable answer.'),
    reason: z.string().optional(),
    tokens: z.int().describe('Input and output together.'),
    cost: CallCostSchema.optional().describe('Only if prices are configured.'),
  })
  .meta({ title: 'Judgement' });

export const TestCheckSchema = z
  .strictObject({
    tests: z.array(z.string()).describe('The names of the tests.'),
    faults: z.array(
      z.strictObject({
        line: z.int(),
        column: z.int(),
        field: z.string().describe('Dotted path; empty for the whole text.'),
        message: z.string(),
      }),
    ),
  })
  .meta({ title: 'TestCheck' });

export type TestSuiteConfig = z.output<typeof TestSuiteConfigSchema>;
export type TestSuite = z.output<typeof TestSuiteSchema>;
export type TestSuiteSummary = z.output<typeof TestSuiteSummarySchema>;
export type TestRunInput = z.output<typeof TestRunInputSchema>;
export type JudgementInput = z.output<typeof JudgementInputSchema>;
export type JudgementView = z.output<typeof JudgementSchema>;
export type SpokenChoice = z.output<typeof SpokenSchema>;
export type TestBudget = z.output<typeof BudgetSchema>;
export type ModelChoice = z.output<typeof ModelChoiceSchema>;
export type ModelEstimate = z.output<typeof ModelEstimateSchema>;
export type TestRunStatus = z.output<typeof TestRunStatusSchema>;
export type TestRunSummary = z.output<typeof TestRunSummarySchema>;
export type TestRun = z.output<typeof TestRunSchema>;
