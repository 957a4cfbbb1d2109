import { z } from 'zod';
import { DateTimeSchema } from './atoms.ts';
import { WEBHOOK_KINDS } from './webhook-kinds.ts';

const DeliveryAttemptSchema = z
  .strictObject({
    at: DateTimeSchema,
    latencyMs: z.int(),
    status: z.int().optional().describe('HTTP status; absent when there was no answer.'),
    error: z.string().optional(),
    response: z
      .string()
      .optional()
      .describe("The beginning of the response's body, with secrets redacted."),
  })
  .meta({ title: 'DeliveryAttempt' });

/** A webhook to the server of a call's assistant, and the outcome of its attempts. */
export const DeliverySchema = z
  .strictObject({
    id: z.string().describe('The `webhook-id` it is sent under.'),
    type: z.enum(WEBHOOK_KINDS),
    status: z
      .enum(['pending', 'delivered', 'dead'])
      .describe('`dead`: refused for good, or not taken within 24 hours.'),
    createdAt: DateTimeSchema,
    settledAt: DateTimeSchema.optional().describe('Time when it was delivered or given up.'),
    nextAttemptAt: DateTimeSchema.optional().describe(
      'While pending: not before then, and not before those ahead of it in the call.',
    ),
    attempts: z.array(DeliveryAttemptSchema),
  })
  .meta({ title: 'Delivery' });

export const DeliveryListSchema = z
  .strictObject({ deliveries: z.array(DeliverySchema).describe('In the order of the call.') })
  .meta({ title: 'DeliveryList' });

export type Delivery = z.output<typeof DeliverySchema>;
