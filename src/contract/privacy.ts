import { z } from 'zod';
import { DateTimeSchema, E164Schema, IdSchema, text } from './atoms.ts';

const days = (description: string) => z.int().min(1).max(36_500).optional().describe(description);

/** For how many days after its end a call is kept; absent: until it is deleted. */
export const RetentionDaysSchema = z.strictObject({
  sound: days('Days after a call’s end until its recording is deleted.'),
  text: days(
    'Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number.',
  ),
});

export type RetentionDays = z.output<typeof RetentionDaysSchema>;

export const RetentionSchema = z
  .strictObject({
    own: RetentionDaysSchema.describe('The rule of the team.'),
    most: RetentionDaysSchema.describe('What the operator of the service lets it keep at most.'),
  })
  .describe('Of these and the rule of its assistant, the shortest holds for a call.')
  .meta({ title: 'Retention' });

export const HoldInputSchema = z
  .strictObject({ reason: text(500).regex(/\S/, 'must not be blank') })
  .meta({ title: 'HoldInput' });

/** Something that must not be deleted. */
export const HoldSchema = z.strictObject({ since: DateTimeSchema, reason: z.string() });

export const NumberHoldSchema = z
  .strictObject({ number: z.string(), ...HoldSchema.shape })
  .meta({ title: 'NumberHold' });

export const NumberParamsSchema = z.object({ number: E164Schema });

const DeletionCauseSchema = z.enum(['request', 'caller', 'retention', 'restored-backup']);

export type DeletionCause = z.output<typeof DeletionCauseSchema>;

/** The trace that a deleted call leaves. */
export const DeletedCallSchema = z
  .strictObject({
    id: IdSchema,
    cause: DeletionCauseSchema.describe(
      '`request`: by its id or a filter; `caller`: with all data of its caller; `retention`: by a rule; `restored-backup`: it was deleted before, and a backup had brought it back.',
    ),
    deletedAt: DateTimeSchema,
    filesRemovedAt: DateTimeSchema.optional().describe(
      'When its recording and transcript file were removed; absent: a job still tries.',
    ),
  })
  .meta({ title: 'DeletedCall' });

const count = z.int().min(0);

export const DeletedCallsSchema = z
  .strictObject({
    deleted: count,
    held: count.describe('Calls that are kept because of a hold.'),
    live: count.describe('Calls that have not ended.'),
    remaining: count.describe('Calls that the next request deletes: one deletes at most 1000.'),
  })
  .meta({ title: 'DeletedCalls' });

const PLACES = [
  'calls',
  'recordings',
  'messages',
  'notes',
  'events',
  'webhooks',
  'knowledgeQuestions',
  'texts',
  'appointments',
  'waitListEntries',
  'telephones',
] as const;

export type CallerPlace = (typeof PLACES)[number];

const countsByPlace = z.strictObject(
  Object.fromEntries(PLACES.map((place) => [place, count])) as Record<CallerPlace, typeof count>,
);

export const CallerDataSchema = z
  .strictObject({
    number: z.string(),
    found: countsByPlace.describe('What there is, by place.'),
    deleted: countsByPlace.optional().describe('What was deleted; absent in a dry run.'),
    kept: z
      .array(z.strictObject({ what: z.string(), count, reason: z.string() }))
      .describe('What is not deleted, and why.'),
  })
  .meta({ title: 'CallerData' });

export type CallerData = z.output<typeof CallerDataSchema>;
