import { z } from 'zod';
import { CallDirectionSchema, CallStatusSchema, CallTypeSchema } from '../call.ts';
import { CALL_FLAGS, SHORT_CALL_SECONDS } from '../call-review.ts';
import { instant } from './parameters.ts';

const CALL_SORTS = ['startAt', 'endAt', 'status', 'conversationId', 'duration', 'cost'] as const;

/** Which calls. */
export const callMatch = {
  startDate: instant('00:00:00.000Z')
    .optional()
    .describe('Calls that started at or after this time, or on or after this day.'),
  endDate: instant('23:59:59.999Z')
    .optional()
    .describe('Calls that started at or before this time, or on or before this day.'),
  status: CallStatusSchema.optional(),
  assistantId: z.string().max(500).optional(),
  userNumber: z.string().max(500).optional(),
  callType: CallTypeSchema.optional(),
  direction: CallDirectionSchema.optional(),
  endReason: z.string().max(500).optional(),
  live: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true`: calls that have not ended; `false`: calls that have.'),
  search: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Part of a number, of a name or of what was said, or the id of a call. Where calls are encrypted, what was said is searched in the newest 500 of those that match otherwise.',
    ),
  flags: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.split(',') : value),
      z.array(z.enum(CALL_FLAGS)).min(1).max(CALL_FLAGS.length),
    )
    .optional()
    .describe(
      `Calls with all of these, separated by commas: ${CALL_FLAGS.join(', ')}. short: answered, and over in less than ${SHORT_CALL_SECONDS} seconds. unhappy: the analysis says that the call missed its goal. long-silence: a reply was due for five seconds, or the call ended by the caller’s silence.`,
    ),
  reviewed: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true`: calls that somebody has looked at; `false`: the others.'),
  tag: z.string().min(1).max(200).optional().describe('Calls with this tag.'),
};

/** In which order. */
export const callOrder = {
  sort: z.enum(CALL_SORTS).default('startAt'),
  order: z.enum(['asc', 'desc']).default('desc'),
};
