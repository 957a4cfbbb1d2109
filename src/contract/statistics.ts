import { z } from 'zod';
import { DateTimeSchema } from './atoms.ts';

/** Limit on the number of intervals, which keeps charts readable and queries fast. */
export const MAX_INTERVALS = 400;

const count = z.int().min(0);
const figures = {
  calls: count,
  failed: count.describe(
    'Calls that ended because of a failure of the service, a vendor or the line.',
  ),
  talkSeconds: z.number().describe('From answer to end, for calls that have ended.'),
  turns: count.describe('Number of measured answers.'),
  p50Ms: z
    .number()
    .optional()
    .describe("Median time from the end of the caller's speech to the answer."),
  p95Ms: z.number().optional(),
};

export const CallStatisticsSchema = z
  .strictObject({
    startDate: DateTimeSchema,
    endDate: DateTimeSchema,
    live: count.describe('Calls in progress now.'),
    ...figures,
    intervals: z
      .array(z.strictObject({ startAt: DateTimeSchema, ...figures }))
      .describe('One for each hour or day, those without calls too, the oldest first.'),
    endReasons: z
      .array(z.strictObject({ endReason: z.string(), calls: count, failed: count }))
      .describe('Why the calls ended, the commonest first.'),
  })
  .meta({ title: 'CallStatistics' });
