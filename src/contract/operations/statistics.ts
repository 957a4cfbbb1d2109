import { z } from 'zod';
import { TimeZoneSchema } from '../calendar.ts';
import { operation } from '../operation.ts';
import { CallStatisticsSchema, MAX_INTERVALS } from '../statistics.ts';
import { instant } from './parameters.ts';

const StatisticsQuerySchema = z.strictObject({
  startDate: instant('00:00:00.000Z')
    .optional()
    .describe('Calls that started at or after this time. Default: seven days before the end.'),
  endDate: instant('23:59:59.999Z')
    .optional()
    .describe('Calls that started at or before this time. Default: now.'),
  interval: z
    .enum(['hour', 'day'])
    .default('day')
    .describe(`At most ${MAX_INTERVALS} of them are answered at once.`),
  timeZone: TimeZoneSchema.default('UTC').describe('Whose hours and days.'),
  assistantId: z.string().max(500).optional(),
});

export const statisticsOperations = {
  calls: operation({
    id: 'getCallStatistics',
    role: 'viewer',
    method: 'GET',
    path: '/calls/v1/statistics',
    tag: 'Calls',
    summary: 'Count the calls, their failures and their times to answer, by hour or day',
    query: StatisticsQuerySchema,
    response: { status: 200, description: 'The figures.', schema: CallStatisticsSchema },
    errors: ['invalid'],
  }),
};
