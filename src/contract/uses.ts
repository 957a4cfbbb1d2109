import { z } from 'zod';
import { IdSchema } from './atoms.ts';

/** Where an assistant is used. */
export const AssistantUsesSchema = z
  .strictObject({
    _id: IdSchema.describe('Of the assistant.'),
    calls: z.int().describe('Its calls, past and live.'),
    numbers: z.int().describe('The numbers that it answers.'),
    firstNumber: z
      .strictObject({ _id: IdSchema, number: z.string() })
      .optional()
      .describe('The one that came first.'),
  })
  .meta({ title: 'AssistantUses' });

/** Who uses a tool or a knowledge base. */
export const UsingAssistantsSchema = z
  .strictObject({
    id: IdSchema.describe('Of the tool or the knowledge base.'),
    assistants: z.int().describe('How many use it.'),
    firstAssistant: z
      .strictObject({ _id: IdSchema, name: z.string() })
      .optional()
      .describe('The one that came first.'),
  })
  .meta({ title: 'UsingAssistants' });

export type AssistantUses = z.output<typeof AssistantUsesSchema>;
export type UsingAssistants = z.output<typeof UsingAssistantsSchema>;
