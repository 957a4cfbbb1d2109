import { z } from 'zod';
import { NewApiKeySchema } from './api-key.ts';
import { DateTimeSchema, IdSchema, text } from './atoms.ts';
import { mergePatchSchema } from './merge-patch.ts';
import { RetentionDaysSchema } from './privacy.ts';
import { UsageLineSchema } from './usage.ts';

const most = (max: number, description: string) =>
  z.int().min(0).max(max).optional().describe(description);

/** What a team may use at most; absent: no limit but those of the service. */
export const TeamLimitsSchema = z
  .strictObject({
    liveCalls: most(100_000, 'Calls at once, those that ring or wait for their client included.'),
    callsPerSecond: most(
      1000,
      'Calls that begin in a second, sustained, at each process; ten times as many at once. 0 counts as 1; absent: 20.',
    ),
    callsPerDay: most(10_000_000, 'Calls that begin on one day, UTC.'),
    minutesPerMonth: most(
      100_000_000,
      'Minutes of calls that began in the calendar month, UTC. Live calls count as long as they have lasted; none is cut off.',
    ),
    storageMiB: most(
      100_000_000,
      'Uploaded files and recordings. Beyond it, uploads and calls that would be recorded are refused.',
    ),
    knowledgePassages: most(
      100_000_000,
      'Passages of trained knowledge bases; each FAQ entry counts as one. A training beyond it fails, and the previous index stays in use.',
    ),
    vendorConcurrency: most(
      10_000,
      'Requests of one kind to one vendor at once, at each process; more wait. 0 counts as 1.',
    ),
    requestsPerSecond: most(
      10_000,
      'Requests to the API, sustained, at each process; ten times as many at once. 0 counts as 1.',
    ),
  })
  .meta({ title: 'TeamLimits' });

const NameSchema = text(200).regex(/\S/, 'must not be blank');

export const TeamConfigSchema = z
  .strictObject({
    name: NameSchema,
    limits: TeamLimitsSchema.default({}),
    retentionDays: RetentionDaysSchema.default({}).describe(
      'For how long the team may keep its calls at most.',
    ),
  })
  .meta({ title: 'TeamInput' });

export const TeamPatchSchema = mergePatchSchema(TeamConfigSchema).meta({ title: 'TeamPatch' });

export const SuspensionConfigSchema = z
  .strictObject({
    reason: text(500)
      .regex(/\S/, 'must not be blank')
      .describe('For the team, which is told it with every refusal.'),
    farewell: text(1000)
      .default('')
      .describe('What live calls end with; empty: a sentence in the language of the call.'),
  })
  .meta({ title: 'SuspensionInput' });

export const TeamSchema = z
  .strictObject({
    id: IdSchema,
    name: z.string(),
    status: z
      .enum(['active', 'suspended', 'deleting'])
      .describe('`deleting`: suspended for good, while all that it owns is removed.'),
    suspension: z.strictObject({ since: DateTimeSchema, reason: z.string() }).optional(),
    limits: TeamLimitsSchema,
    retentionDays: RetentionDaysSchema,
    createdAt: DateTimeSchema,
  })
  .meta({ title: 'Team' });

export const NewTeamSchema = z
  .strictObject({
    ...TeamSchema.shape,
    apiKey: NewApiKeySchema,
  })
  .meta({ title: 'NewTeam' });

const ConcurrencySchema = z
  .int()
  .min(1)
  .max(10_000)
  .describe('Requests of one kind at once, at each process; absent: as its smallest paid plan.');

export const TeamVendorConfigSchema = z
  .strictObject({
    apiKey: text(4000).regex(/\S/, 'must not be blank'),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional()
      .describe("Another server that speaks the vendor's protocol."),
    concurrency: ConcurrencySchema.optional(),
  })
  .meta({ title: 'TeamVendorInput' });

export const TeamVendorSchema = z
  .strictObject({
    vendor: z.string(),
    account: z
      .enum(['team', 'service', 'none'])
      .describe('Whose account the calls of the team use; `none`: the vendor cannot be used.'),
    baseUrl: z.string().optional(),
    concurrency: ConcurrencySchema.optional(),
    updatedAt: DateTimeSchema.optional(),
  })
  .describe('The key itself is never shown.')
  .meta({ title: 'TeamVendor' });

const count = z.int().min(0);

export const TeamUsageSchema = z
  .strictObject({
    now: z.strictObject({
      liveCalls: count,
      callsToday: count,
      minutesThisMonth: z.number(),
      fileBytes: count,
      recordingBytes: count,
      knowledgePassages: count,
    }),
    days: z
      .array(
        z.strictObject({
          day: z.iso.date(),
          calls: count.describe('Calls that began on that day.'),
          minutes: z.number().describe('From answer to end, of calls that have ended.'),
          vendors: z.array(UsageLineSchema).describe('What these calls used of each vendor.'),
          cost: z
            .record(z.string(), z.number())
            .describe('By currency; empty unless prices are configured.'),
        }),
      )
      .describe('Days on which calls began, UTC, the oldest first.'),
  })
  .meta({ title: 'TeamUsage' });

export type TeamLimits = z.output<typeof TeamLimitsSchema>;
export type Team = z.output<typeof TeamSchema>;
export type TeamVendor = z.output<typeof TeamVendorSchema>;
export type TeamUsage = z.output<typeof TeamUsageSchema>;

/** The limits that refuse something, by the code of the refusal. */
export const LIMIT_SENTENCES = {
  'live-calls': 'The team has as many live calls as it may have',
  'calls-per-second': 'The team begins more calls in a second than it may begin',
  'broken-calls':
    'More calls of the team in a row than are let pass broke the protocol of their media sockets; the next one has to wait',
  'calls-per-day': 'The team has made as many calls today as it may make',
  'minutes-per-month': 'The team has used the minutes of calls that it has in this month',
  storage: 'The team’s files and recordings take the space that it has',
  'knowledge-passages': 'The team’s knowledge would have more passages than it may have',
} as const;

export type LimitCode = keyof typeof LIMIT_SENTENCES;

/** The sentence of a refusal, with the limit's value. */
export function limitSentence(code: LimitCode, limit: number): string {
  return `${LIMIT_SENTENCES[code]} (${limit})`;
}
