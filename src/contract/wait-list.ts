import { z } from 'zod';
import { DateTimeSchema, IdSchema, text } from './atoms.ts';

const fields = {
  name: text(200).regex(/\S/, 'must not be blank'),
  assistantIds: z
    .array(IdSchema)
    .max(1000)
    .default([])
    .describe('The assistants that use it; empty: all of the team that no other wait list names.'),
  maxEntries: z.int().min(1).max(100_000).default(1000).describe('Further entries are rejected.'),
};

/** The configuration of a wait list. */
export const WaitListConfigSchema = z.strictObject(fields).meta({ title: 'WaitListInput' });
export const WaitListEditableSchema = z.strictObject(fields);

export const WaitListSchema = z
  .strictObject({
    _id: IdSchema,
    teamId: IdSchema,
    ...fields,
    waiting: z.int().describe('How many wait.'),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  })
  .meta({ title: 'WaitList' });

export const WaitListEntryInputSchema = z
  .strictObject({
    name: text(200).regex(/\S/, 'must not be blank'),
    phone: text(40).default(''),
    notes: text(2000).default(''),
  })
  .meta({ title: 'WaitListEntryInput' });

export const WaitListEntrySchema = z
  .strictObject({
    _id: IdSchema,
    waitListId: IdSchema,
    status: z.enum(['waiting', 'taken', 'left']),
    position: z.int().optional().describe('1 is next; only while waiting.'),
    name: z.string(),
    phone: z.string(),
    notes: z.string(),
    callId: IdSchema.optional().describe('The call that added it.'),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  })
  .meta({ title: 'WaitListEntry' });

export type WaitListConfig = z.output<typeof WaitListConfigSchema>;
export type WaitList = z.output<typeof WaitListSchema>;
export type WaitListEntry = z.output<typeof WaitListEntrySchema>;
