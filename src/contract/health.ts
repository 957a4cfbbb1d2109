import { z } from 'zod';
import { DateTimeSchema, IdSchema } from './atoms.ts';

/** The parts that the health of a team's set-up is told of, in the order in which it is shown. */
export const HEALTH_PARTS = ['vendors', 'carriers', 'webhooks', 'jobs', 'processes'] as const;

export type HealthPart = (typeof HEALTH_PARTS)[number];

/** How far back calls and webhooks count. */
export const HEALTH_HOURS = 24;

/** What can be wrong apart from the failures of calls, whose codes and sentences are those of calls. */
export const HEALTH_CODES = {
  'vendor-not-usable': {
    part: 'vendors',
    help: 'Set its key on the Vendors page, or choose another vendor in the assistants.',
  },
  'vendor-fallback-not-usable': {
    part: 'vendors',
    help: 'Calls go on with what else the assistants name. Set its key, or take it out of the assistants.',
  },
  'model-ending': {
    part: 'vendors',
    help: 'Choose the model that the vendor names instead, and try a call with it.',
  },
  'carrier-no-account': {
    part: 'carriers',
    help: 'Import the number again with the credentials of your account, or ask whoever runs the service for an account.',
  },
  'carrier-no-address': {
    part: 'carriers',
    help: 'Start the service with PUBLIC_URL, the address at which the carrier reaches it, then set the webhooks on the page of the number.',
  },
  'number-no-assistant': {
    part: 'carriers',
    help: 'Choose an assistant on the page of the number, or switch the number off.',
  },
  'webhook-lost': {
    part: 'webhooks',
    help: 'See what the server answered in the call’s webhooks, mend the server, and send them again from there.',
  },
  'webhook-retrying': {
    part: 'webhooks',
    help: 'They are sent again for 24 hours. See that the server runs and answers with a status of 200 to 299.',
  },
  'job-failed': {
    part: 'jobs',
    help: 'The cause is in the service’s log under the job’s name.',
  },
  'job-late': {
    part: 'jobs',
    help: 'The processes may be busy with calls, or a job may hang: see the service’s log.',
  },
  'process-silent': {
    part: 'processes',
    help: 'Others take over its calls. If it does not come back by itself, see the service’s log and the machine’s memory.',
  },
  'process-missing': {
    part: 'processes',
    help: 'The service starts them again by itself. If it stays so, see the service’s log and the machine’s memory.',
  },
  'not-ready': {
    part: 'processes',
    help: 'This passes by itself: the service is starting, or it lets its calls end before it stops.',
  },
  'no-room': {
    part: 'processes',
    help: 'Add processes or machines, or wait until calls have ended.',
  },
  'disk-full': {
    part: 'processes',
    help: 'Make room on the disk of the data folder, or keep recordings for a shorter time (Data retention).',
  },
  'audit-unwritten': {
    part: 'processes',
    help: 'They are written as soon as the database takes them. See the service’s log.',
  },
} as const satisfies Record<string, { readonly part: HealthPart; readonly help: string }>;

export type HealthCode = keyof typeof HEALTH_CODES;

const HealthProblemSchema = z
  .strictObject({
    part: z.enum(HEALTH_PARTS),
    code: z.string().describe('Stable. Failures of calls have their `endReason`.'),
    severity: z
      .enum(['error', 'warning'])
      .describe(
        'error: calls or messages fail now; warning: something was lost or will be, or nothing can begin yet.',
      ),
    message: z.string().describe('What is wrong.'),
    help: z.string().describe('What to do about it.'),
    count: z.int().describe('Of calls, assistants, numbers, webhooks, jobs or processes.'),
    lastAt: DateTimeSchema.optional().describe('When it happened last, if it is something past.'),
    vendor: z.string().optional(),
    assistantId: IdSchema.optional().describe('One of the assistants.'),
    numberId: IdSchema.optional().describe('One of the numbers.'),
    callId: IdSchema.optional().describe('The last of the calls.'),
  })
  .meta({ title: 'HealthProblem' });

const PartHealthSchema = z
  .strictObject({
    part: z.enum(HEALTH_PARTS),
    status: z.enum(['ok', 'warning', 'error']),
    summary: z.string().describe('What there is, in a sentence.'),
  })
  .meta({ title: 'PartHealth' });

export const HealthSchema = z
  .strictObject({
    checkedAt: DateTimeSchema,
    parts: z.array(PartHealthSchema).describe('Every part.'),
    problems: z.array(HealthProblemSchema).max(200).describe('Errors first.'),
    vendors: z
      .array(z.string())
      .describe('The accounts at vendors that the team’s assistants use and that have a key.'),
  })
  .meta({ title: 'Health' });

export type Health = z.output<typeof HealthSchema>;
export type HealthProblem = z.output<typeof HealthProblemSchema>;
