import { z } from 'zod';
import { DateTimeSchema, IdSchema, text } from './atoms.ts';

export const MAX_NOTES = 100;
export const MAX_EXPORTED_CALLS = 50_000;
const MAX_TAGS = 20;
const MAX_TAG_CHARS = 50;

/** What a list of calls can be narrowed to; a call may have several. */
export const CALL_FLAGS = [
  'failed',
  'short',
  'transferred',
  'unhappy',
  'tool-failed',
  'long-silence',
] as const;

export type CallFlag = (typeof CALL_FLAGS)[number];

/** An answered call that took less is short. */
export const SHORT_CALL_SECONDS = 15;

/**
 * A verdict of `successEvaluation` that says that the call missed its goal, for each rubric: a failed pass, the lower half
 * of a scale, or a criterion that was not met. A regular expression for the database and for JavaScript.
 */
export const UNHAPPY_VERDICT = [
  '^(fail|Poor|Disagree|Strongly disagree|[1-4]|[1-4]?[0-9]%)$',
  '"met": ?false',
  '"level": ?"Poor"',
  '"score": ?[1-4][,}]',
].join('|');

export const TagSchema = text(MAX_TAG_CHARS)
  .regex(/^[^\s,][^,]*$/, 'must not be blank, begin with a space or contain a comma')
  .transform((tag) => tag.trim());

/** What people may change of a call. */
export const CallMarksSchema = z
  .strictObject({
    reviewed: z.boolean().optional().describe('True: somebody has looked at the call.'),
    tags: z
      .array(TagSchema)
      .max(MAX_TAGS)
      .transform((tags) => [...new Set(tags)])
      .optional()
      .describe('Replaces the tags.'),
  })
  .meta({ title: 'CallMarks' });

export const CallReviewSchema = z
  .strictObject({ at: DateTimeSchema, by: z.string().describe('The name at that time.') })
  .meta({ title: 'CallReview' });

export const CallNoteInputSchema = z
  .strictObject({ text: text(2000).regex(/\S/, 'must not be blank') })
  .meta({ title: 'CallNoteInput' });

export const CallNoteSchema = z
  .strictObject({
    id: IdSchema,
    text: z.string(),
    by: z.string().describe('Who wrote it: the name at that time.'),
    createdAt: DateTimeSchema,
  })
  .meta({ title: 'CallNote' });

export type CallNote = z.output<typeof CallNoteSchema>;

export const CallNeighboursSchema = z
  .strictObject({
    previous: IdSchema.optional().describe('The call before it in this list.'),
    next: IdSchema.optional().describe('The call after it in this list.'),
  })
  .meta({ title: 'CallNeighbours' });
