import { z } from 'zod';
import { text } from './atoms.ts';
import { CALL_TOOLS } from './reserved-tool-names.ts';

/** Length limit of a file of tests, in characters. */
export const MAX_TESTS_CHARS = 256 * 1024;
const MAX_TESTS = 500;

const Phrase = text(1000).regex(/\S/, 'must not be blank');
const Phrases = z.union([Phrase, z.array(Phrase).min(1).max(20)], {
  error: 'must be a text, or a list of 1 to 20 texts',
});
const Pattern = text(500).min(1);
const ToolName = text(100).min(1);
const Arguments = z.record(z.string(), z.unknown());
const ANSWER_MAX_MS = 120_000;

/** What an operator does who is dialled. */
export const OPERATOR_OUTCOMES = [
  'answered',
  'declined',
  'voicemail',
  'busy',
  'no-answer',
  'line-error',
] as const;
const OperatorSchema = z.enum(OPERATOR_OUTCOMES);

/** How a transfer can end: as the operator does, or by the assistant's own limits. */
const TRANSFER_RESULTS = [
  ...OPERATOR_OUTCOMES,
  'timeout',
  'operator-left',
  'caller-stopped-waiting',
] as const;

/** True if exactly one of these fields is there. */
const hasOne = (value: object, keys: readonly string[]) =>
  keys.filter((key) => key in value).length === 1;

const conditions = {
  contains: Phrases.describe('The assistant says all of these; case and spacing do not matter.'),
  matches: Pattern.describe('A regular expression (RE2) that the assistant’s words match.'),
  never: Phrases.describe('The assistant says none of these.'),
  neverMatches: Pattern.describe('A regular expression that the assistant’s words do not match.'),
  judge: Phrase.describe('A statement about the conversation that a model judges.'),
  tool: z
    .union([
      ToolName,
      z.strictObject({
        name: ToolName,
        arguments: Arguments.optional().describe('The call has at least these arguments.'),
        times: z.int().min(1).max(100).optional().describe('So often. Absent: at least once.'),
      }),
    ])
    .describe('The assistant calls this tool.'),
  noTool: ToolName.describe('The assistant does not call this tool.'),
  transfer: z
    .strictObject({
      to: text(100).min(1).optional().describe('The number that is dialled.'),
      result: z.enum(TRANSFER_RESULTS).optional().describe('How it ends. Absent: however.'),
    })
    .describe('The assistant tries to put the caller through.'),
  noTransfer: z.literal(true).describe('The assistant dials nobody.'),
  answerWithinMs: z
    .int()
    .min(1)
    .max(ANSWER_MAX_MS)
    .describe('From the end of the caller’s words to the assistant’s first sound.'),
  outcome: text(100).min(1).describe('The call’s `endReason`.'),
};
const KINDS = Object.keys(conditions);

/** One expectation: an object with one field. */
export const ConditionSchema = z
  .strictObject(conditions)
  .partial()
  .refine((value) => hasOne(value, KINDS), `must have exactly one of ${KINDS.join(', ')}`);

const ConditionsSchema = z.array(ConditionSchema).max(50).default([]);

const turnKinds = ['say', 'press', 'waitSeconds', 'hangUp', 'backchannel'];

/** What the caller does next. */
const TurnSchema = z
  .strictObject({
    say: Phrase.optional(),
    press: z
      .string()
      .regex(/^[0-9*#]{1,32}$/, 'must be keys of a telephone')
      .optional(),
    waitSeconds: z.number().min(0).max(300).optional(),
    hangUp: z.literal(true).optional(),
    backchannel: Phrase.optional().describe(
      'Said over the assistant’s answer without wanting the turn (“uh-huh”). Only in spoken tests.',
    ),
    afterMs: z
      .int()
      .min(0)
      .max(60_000)
      .optional()
      .describe(
        'Begins so long after the assistant’s answer began, over it. Absent: after the answer.',
      ),
    expect: ConditionsSchema.describe('What the assistant does until the caller’s next turn.'),
  })
  .refine((turn) => hasOne(turn, turnKinds), `must have exactly one of ${turnKinds.join(', ')}`);

/** How a tool answers one call. The first answer whose `when` fits is taken. */
const FixtureSchema = z
  .strictObject({
    when: Arguments.optional().describe('Only for calls with at least these arguments.'),
    result: z.unknown().optional(),
    error: text(2000).optional(),
    message: text(2000).optional().describe('Spoken instead of asking the model.'),
    afterMs: z.int().min(0).max(ANSWER_MAX_MS).default(0),
  })
  .refine((fixture) => hasOne(fixture, ['result', 'error']), 'must have either result or error');

const ToolsSchema = z
  .record(
    ToolName,
    z.union([z.literal('server'), z.array(FixtureSchema).min(1).max(50)], {
      error: 'must be server, or a list of answers',
    }),
  )
  .superRefine((tools, context) => {
    for (const name of Object.keys(tools).filter((key) => CALL_TOOLS.has(key)))
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'is carried out by the call itself and takes no answer',
      });
  });

/** One rule of a scripted model. */
const RuleSchema = z
  .strictObject({
    prompt: Phrases.optional().describe('Only while the model’s instructions contain this.'),
    heard: Pattern.optional().describe('Matches the caller’s last words; case does not matter.'),
    tool: ToolName.optional().describe('Only as the answer to this tool’s result.'),
    result: Pattern.optional().describe('Matches the result of the tool.'),
    say: text(4000).optional(),
    call: z.strictObject({ name: ToolName, arguments: Arguments.default({}) }).optional(),
  })
  .refine((rule) => 'say' in rule || 'call' in rule, 'must have say, call or both');

const PersonaSchema = z.strictObject({
  goal: Phrase.describe('What the caller wants. The conversation ends when they have it.'),
  about: text(4000).default('').describe('Who the caller is, and how they talk.'),
  maxTurns: z.int().min(1).max(50).default(12),
  script: z
    .array(Phrase)
    .min(1)
    .max(50)
    .optional()
    .describe('What the caller says where no model plays them.'),
});

const shared = {
  tools: ToolsSchema.default({}).describe(
    'What tools answer, by name; `server` asks the real one.',
  ),
  operator: z
    .union([OperatorSchema, z.array(OperatorSchema).min(1).max(10)], {
      error: `must be one of ${OPERATOR_OUTCOMES.join(', ')}, or a list of them`,
    })
    .optional()
    .describe(
      'What happens when an operator is dialled: each time the same, or a list, the last again and again. Absent: `answered`.',
    ),
  model: z
    .array(RuleSchema)
    .max(500)
    .optional()
    .describe('A scripted model instead of the assistant’s: the first rule that fits answers.'),
  variables: z.record(z.string(), text(4000)).default({}).describe('Values of `{{name}}`.'),
  at: z.iso
    .datetime({ offset: true })
    .default('2026-01-05T09:00:00Z')
    .describe('When the call begins.'),
};

const OneTestSchema = z
  .strictObject({
    name: text(200).regex(/\S/, 'must not be blank'),
    turns: z.array(TurnSchema).min(1).max(50).optional(),
    persona: PersonaSchema.optional(),
    fromCall: text(100)
      .min(1)
      .optional()
      .describe('The call it was made of. When that is deleted, so is the test.'),
    maxSeconds: z.int().min(1).max(3600).default(600).describe('The caller then hangs up.'),
    expect: ConditionsSchema.describe('What holds for the whole conversation.'),
    tools: ToolsSchema.optional(),
    operator: shared.operator,
    model: shared.model,
    variables: z.record(z.string(), text(4000)).optional(),
    at: z.iso.datetime({ offset: true }).optional(),
  })
  .refine((test) => hasOne(test, ['turns', 'persona']), 'must have either turns or persona');

/** A file of tests: what all share, and the tests. */
export const TestFileSchema = z
  .strictObject({
    ...shared,
    tests: z.array(OneTestSchema).min(1).max(MAX_TESTS),
  })
  .superRefine(({ tests }, context) => {
    const seen = new Set<string>();
    for (const [index, { name }] of tests.entries()) {
      if (seen.has(name))
        context.addIssue({
          code: 'custom',
          path: ['tests', index, 'name'],
          message: 'is the name of another test',
        });
      seen.add(name);
    }
  });

type TestFile = z.output<typeof TestFileSchema>;
export type Condition = z.output<typeof ConditionSchema>;
export type TestTurn = z.output<typeof TurnSchema>;
export type Fixture = z.output<typeof FixtureSchema>;
export type ModelRule = z.output<typeof RuleSchema>;
export type OperatorOutcome = z.output<typeof OperatorSchema>;
export type Persona = z.output<typeof PersonaSchema>;
type OneTest = TestFile['tests'][number];

/** The calls that some of these tests were made of. */
export const callsOfTests = (
  tests: readonly { readonly fromCall?: string | undefined }[],
): readonly string[] => [...new Set(tests.flatMap(({ fromCall }) => fromCall ?? []))];

/** A test with everything that it shares with its file. */
export interface AssistantTest
  extends Omit<OneTest, 'tools' | 'variables' | 'at'>,
    Pick<TestFile, 'tools' | 'variables' | 'at'> {}

/** Gives each test what the file says for all; a test's own tools and variables come before those. */
export function testsOf(file: TestFile): readonly AssistantTest[] {
  return file.tests.map((test) => {
    const model = test.model ?? file.model;
    const operator = test.operator ?? file.operator;
    return {
      ...test,
      tools: { ...file.tools, ...test.tools },
      variables: { ...file.variables, ...test.variables },
      at: test.at ?? file.at,
      ...(model ? { model } : {}),
      ...(operator ? { operator } : {}),
    };
  });
}
