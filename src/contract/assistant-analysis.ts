import { z } from 'zod';
import {
  HeadersSchema,
  JsonSchemaObjectSchema,
  OptionalUrlSchema,
  SigningSecretSchema,
  text,
} from './atoms.ts';
import { WEBHOOK_KINDS } from './webhook-kinds.ts';

const RUBRICS = [
  'NumericScale',
  'DescriptiveScale',
  'Checklist',
  'Matrix',
  'PercentageScale',
  'LikertScale',
  'AutomaticRubric',
  'PassFail',
] as const;

const step = {
  enabled: z.boolean().default(false),
  prompt: text(20_000).default('').describe('Empty: the built-in prompt.'),
  timeoutSeconds: z.number().min(1).max(120).default(10),
};

/** Settings of the analysis after a call. */
export const AssistantAnalysisSchema = z.strictObject({
  summary: z.strictObject(step).prefault({}),
  successEvaluation: z
    .strictObject({ ...step, rubric: z.enum(RUBRICS).default('PassFail') })
    .prefault({}),
  structuredData: z
    .strictObject({
      ...step,
      schema: JsonSchemaObjectSchema.default({}).describe('JSON Schema of the data wanted.'),
    })
    .prefault({}),
});

/** The user's server for webhooks about calls. */
export const AssistantServerSchema = z
  .strictObject({
    url: OptionalUrlSchema.default(''),
    timeoutSeconds: z.number().min(1).max(300).default(20),
    secret: SigningSecretSchema.default(''),
    headers: HeadersSchema.default({}),
    enabled: z.boolean().default(false),
    messages: z
      .array(z.enum(WEBHOOK_KINDS))
      .max(WEBHOOK_KINDS.length)
      .default([...WEBHOOK_KINDS])
      .describe('The kinds of webhook to send.'),
  })
  .refine((server) => !server.enabled || server.url !== '', {
    path: ['url'],
    error: 'is needed when enabled is true',
  });

export const AssistantOutcomeSchema = z.strictObject({
  type: z.enum(['string', 'number', 'boolean', 'date']),
  field: text(200).min(1).describe('A path into structuredData, such as booking.date.'),
});
