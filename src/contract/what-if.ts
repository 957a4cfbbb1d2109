import { z } from 'zod';
import { VersionNameSchema } from './assistant-version.ts';
import { IdSchema } from './atoms.ts';
import { CallCostSchema } from './usage.ts';

/**
 * What callers do who are answered before they have said all: speak on as they did, over the answer; wait until it is
 * over and then say the rest; or wait and say it all again, once.
 */
export const CutInReactionSchema = z.enum(['speaks-on', 'waits', 'repeats']);

/** An assistant that answers instead of the one that the call had. */
export const InsteadSchema = z
  .strictObject({
    assistantId: IdSchema,
    assistantVersion: VersionNameSchema.optional().describe(
      'The number of a version, or a label such as `production`. Absent: the published one.',
    ),
  })
  .meta({ title: 'WhatIfInstead' });

export const ToolChangeSchema = z.union([
  z.strictObject({
    error: z.string().min(1).max(10_000).describe('Why the tool fails, for the model.'),
  }),
  z.strictObject({ result: z.string().max(100_000) }),
]);

export const ToolChangesSchema = z
  .record(z.string().min(1).max(200), ToolChangeSchema)
  .refine((tools) => Object.keys(tools).length <= 100, 'must not name more than 100 tools');

const ms = z.number().describe('ms since the call was created');

const TurnToolSchema = z.strictObject({
  name: z.string(),
  arguments: z.string().describe('JSON with sorted keys.'),
  outcome: z.enum(['result', 'error', 'unanswered']),
  text: z.string().describe('What the tool answered.'),
});

const WhatIfTurnSchema = z
  .strictObject({
    fromMs: ms,
    toMs: ms,
    user: z.string().describe('Empty before the caller’s first words.'),
    assistant: z.string(),
    answerMs: z
      .number()
      .optional()
      .describe('From the end of the caller’s speech to the first sound of the answer.'),
    tools: z.array(TurnToolSchema),
    cutIn: z.boolean().describe('The assistant began to speak while the caller had more to say.'),
    lost: z.boolean().describe('The caller did not hear the end of a reply.'),
  })
  .describe('The caller’s words and what was said to them.')
  .meta({ title: 'WhatIfTurn' });

const CertaintySchema = z
  .enum(['exact', 'simulated', 'unknown'])
  .describe(
    '`exact`: over before anything differed. `simulated`: everything in it is known or follows from the stated models. `unknown`: the model or a tool was asked what it was not asked in the recorded call, and something stands in.',
  );

const count = z.int().min(0);

export const CallFiguresSchema = z
  .strictObject({
    turns: count,
    gapP50Ms: z.number().nullable().describe('Time to answer; null without any.'),
    gapP95Ms: z.number().nullable(),
    cutIns: count,
    repliesLost: count.describe('Turns with a reply whose end the caller did not hear.'),
    tools: count,
    toolsFailed: count,
    durationMs: z.number(),
    endReason: z.string().nullable().describe('Null: the call had not ended.'),
    modelRequests: count,
    inputTokens: count.describe('Estimated by the length of the texts, as are output tokens.'),
    outputTokens: count,
    spokenCharacters: count,
  })
  .meta({ title: 'CallFigures' });

const DivergenceSchema = z.strictObject({
  atMs: ms,
  what: z
    .string()
    .describe('The type of the command that differs, or `tool` for a changed answer.'),
  index: count.describe('Among the commands of the recorded call.'),
});

export const ComparisonSchema = z
  .strictObject({
    callId: IdSchema,
    recordedVersion: z.string().describe('The engine that recorded the call.'),
    replayedVersion: z.string(),
    divergence: DivergenceSchema.nullable().describe(
      'The first thing that is otherwise; null: nothing would have been.',
    ),
    turns: z.array(
      z.strictObject({
        certainty: CertaintySchema,
        recorded: WhatIfTurnSchema.optional(),
        replayed: WhatIfTurnSchema.optional(),
      }),
    ),
    recorded: CallFiguresSchema,
    replayed: CallFiguresSchema,
    cost: z
      .strictObject({ currency: z.string(), recorded: z.number(), replayed: z.number() })
      .optional()
      .describe(
        'Only of a call that was priced. What it would have cost is estimated: each vendor’s part grows with the tokens, characters or time that it is paid for.',
      ),
    asked: z
      .strictObject({
        requests: count,
        tokens: count.describe('Input and output together.'),
        cost: CallCostSchema.optional().describe('Only if prices are configured.'),
        stopped: z
          .string()
          .optional()
          .describe('Why the model was asked no more; what it was not asked is `unknown`.'),
      })
      .optional()
      .describe('Only with `askModel`: what asking the model has come to.'),
    notReplayed: z
      .array(z.string())
      .describe('Changed fields that the replay cannot show, such as the voice.'),
    notes: z.array(z.string()).describe('What to know about this replay.'),
  })
  .meta({ title: 'WhatIf' });

const SummedSchema = CallFiguresSchema.pick({
  turns: true,
  gapP50Ms: true,
  gapP95Ms: true,
  cutIns: true,
  repliesLost: true,
  tools: true,
  toolsFailed: true,
  durationMs: true,
}).meta({ title: 'SummedFigures' });

export const WhatIfTableSchema = z
  .strictObject({
    calls: z.array(
      z.strictObject({
        callId: IdSchema,
        same: z.boolean().describe('Nothing would have been otherwise.'),
        unknownTurns: count,
        recorded: CallFiguresSchema,
        replayed: CallFiguresSchema,
      }),
    ),
    skipped: z.array(z.strictObject({ callId: IdSchema, reason: z.string() })),
    remaining: count.describe(
      'Calls that match and were not looked at; repeat with an earlier `endDate`.',
    ),
    // Of all the calls together.
    recorded: SummedSchema,
    replayed: SummedSchema,
    notReplayed: z.array(z.string()),
  })
  .meta({ title: 'WhatIfTable' });

export type Instead = z.infer<typeof InsteadSchema>;
export type CutInReaction = z.infer<typeof CutInReactionSchema>;
export type ToolChange = z.infer<typeof ToolChangeSchema>;
export type Turn = z.infer<typeof WhatIfTurnSchema>;
export type Certainty = z.infer<typeof CertaintySchema>;
export type CallFigures = z.infer<typeof CallFiguresSchema>;
export type SummedFigures = z.infer<typeof SummedSchema>;
export type Divergence = z.infer<typeof DivergenceSchema>;
export type Comparison = z.infer<typeof ComparisonSchema>;
export type WhatIfTable = z.infer<typeof WhatIfTableSchema>;
