import { z } from 'zod';
import { DateTimeSchema } from './atoms.ts';

/** A series longer than this is no chart, and too much to compute for one. */
export const MOST_INTERVALS = 400;

const count = z.int().min(0);
const figures = {
  calls: count,
  failed: count.describe('Those that ended by a fault of the service, a vendor or the line.'),
  talkSeconds: z.number().describe('From the answer to the end, of calls that have ended.'),
  turns: count.describe('Answers whose time is known.'),
  p50Ms: z
    .number()
    .optional()
    .describe("Half of the answers came within it, from the end of the caller's speech."),
  p95Ms: z.number().optional(),
};

export const CallStatisticsSchema = z
  .strictObject({
    startDate: DateTimeSchema,
    endDate: DateTimeSchema,
    live: count.describe('Calls that go on at this moment.'),
    ...figures,
    intervals: z
      .array(z.strictObject({ startAt: DateTimeSchema, ...figures }))
      .describe('One for each hour or day, those without calls too, the oldest first.'),
    endReasons: z
      .array(z.strictObject({ endReason: z.string(), calls: count, failed: count }))
      .describe('Why the calls ended, the commonest first.'),
  })
  .meta({ title: 'CallStatistics' });
