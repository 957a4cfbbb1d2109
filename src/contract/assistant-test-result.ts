import { z } from 'zod';
import { MessageRoleSchema } from './call.ts';

/** The instant of something in a conversation, in ms of the call. */
const AtMs = z.int().min(0);

/** The conditions in which tests are spoken, in the order of the report. */
export const LINE_CONDITION_NAMES = [
  'clean',
  'fast',
  'slow',
  'high',
  'deep',
  'noise',
  'babble',
  'television',
  'echo',
  'loss',
  'telephone',
  'interruptions',
  'backchannels',
  'silence',
] as const;

/** What one spoken call adds to the report of its condition. */
const SpokenFiguresSchema = z.strictObject({
  wordsSaid: z.int(),
  wordsHeard: z.int().describe('Words of the caller that are in the call’s record.'),
  turns: z.int(),
  answered: z.int(),
  answersMs: z
    .array(z.int())
    .describe('From the end of the caller’s words to the first sound of the answer, as heard.'),
  stopsMs: z.array(z.int()).describe('From an interruption to the last sound of the answer.'),
  cutIns: z.int().describe('Answers that began before the caller was done.'),
  lostReplies: z.int().describe('Answers that stopped though nobody interrupted them.'),
});

const Ms = z.number().describe('ms');

/** What was measured of spoken tests in one condition. */
export const ConditionReportSchema = z
  .strictObject({
    condition: z.enum(LINE_CONDITION_NAMES),
    calls: z.int(),
    passed: z.int(),
    recognised: z
      .number()
      .optional()
      .describe('Share of the caller’s words that are in the calls’ records.'),
    answered: z.number().optional().describe('Share of turns after which the assistant was heard.'),
    heardP50Ms: Ms.optional(),
    heardP95Ms: Ms.optional(),
    heardP99Ms: Ms.optional(),
    stopP50Ms: Ms.optional(),
    cutIns: z.int(),
    lostReplies: z.int(),
  })
  .meta({ title: 'SpokenConditionReport' });

export const VERDICTS = ['met', 'unmet', 'not-judged'] as const;

const ConditionResultSchema = z.strictObject({
  turn: z.int().optional().describe('The turn of the caller, from 1; absent: the whole call.'),
  condition: z.string().describe('The condition in words.'),
  verdict: z.enum(VERDICTS),
  detail: z.string().optional().describe('What was there instead, or why nobody judged.'),
});

/**
 * `failed`: a condition is not met. `not-judged`: all others are met, but a judge could not be asked. `broken`: the
 * conversation could not be held as written. `not-run`: the run ended before.
 */
export const TEST_STATUSES = ['passed', 'failed', 'not-judged', 'broken', 'not-run'] as const;

export const TestResultSchema = z
  .strictObject({
    name: z.string(),
    status: z.enum(TEST_STATUSES),
    reason: z.string().optional().describe('Why it is broken or was not run.'),
    conditions: z.array(ConditionResultSchema),
    transcript: z.array(
      z.strictObject({
        role: MessageRoleSchema,
        text: z.string(),
        atMs: AtMs,
      }),
    ),
    tools: z.array(
      z.strictObject({
        name: z.string(),
        arguments: z.record(z.string(), z.unknown()),
        ok: z.boolean(),
        turn: z.int(),
        atMs: AtMs,
      }),
    ),
    answersMs: z.array(z.int()).describe('Times to answer, in the order of the turns.'),
    endReason: z.string().optional(),
    durationMs: z.int(),
    notes: z.array(z.string()),
    condition: z
      .enum(LINE_CONDITION_NAMES)
      .optional()
      .describe('In which condition it was spoken; absent: it was not.'),
    figures: SpokenFiguresSchema.optional().describe('What was measured of a spoken call.'),
  })
  .meta({ title: 'AssistantTestResult' });

/** What a result is called: a spoken test has one in each condition. */
export const resultName = ({ name, condition }: Pick<TestResult, 'name' | 'condition'>): string =>
  condition === undefined ? name : `${name} (${condition})`;

export type ConditionReport = z.output<typeof ConditionReportSchema>;
export type ConditionResult = z.output<typeof ConditionResultSchema>;
export type TestResult = z.output<typeof TestResultSchema>;
export type SpokenFigures = z.output<typeof SpokenFiguresSchema>;
export type LineConditionName = (typeof LINE_CONDITION_NAMES)[number];
export type TestStatus = TestResult['status'];

/** How many tests have each status. */
export const TestSummarySchema = z.strictObject({
  tests: z.int(),
  passed: z.int(),
  failed: z.int(),
  notJudged: z.int(),
  broken: z.int(),
  notRun: z.int(),
});

export type TestSummary = z.output<typeof TestSummarySchema>;

export function summaryOf(results: readonly Pick<TestResult, 'status'>[]): TestSummary {
  const count = (status: TestStatus) => results.filter((it) => it.status === status).length;
  return {
    tests: results.length,
    passed: count('passed'),
    failed: count('failed'),
    notJudged: count('not-judged'),
    broken: count('broken'),
    notRun: count('not-run'),
  };
}
