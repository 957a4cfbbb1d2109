import { z } from 'zod';

const count = z.int().min(0).optional();

/** The usage of one vendor in a call. */
export const UsageLineSchema = z
  .strictObject({
    kind: z.enum(['llm', 'stt', 'tts']),
    vendor: z.string(),
    model: z.string().optional(),
    requests: z.int(),
    inputTokens: count,
    cachedTokens: count.describe('Of the input tokens.'),
    outputTokens: count,
    characters: count,
    audioMs: count,
  })
  .describe('Tokens are estimated if an answer was cut off before the vendor counted them.')
  .meta({ title: 'UsageLine' });

export const CallCostSchema = z
  .strictObject({
    currency: z.string(),
    total: z.number(),
    lines: z.array(
      z.strictObject({
        kind: z.string(),
        vendor: z.string(),
        model: z.string().optional(),
        amount: z.number(),
      }),
    ),
    unpriced: z
      .array(z.string())
      .describe('Vendors without a configured price, which the total does not include.'),
  })
  .meta({ title: 'CallCost' });

export type UsageLine = z.infer<typeof UsageLineSchema>;
export type CallCost = z.infer<typeof CallCostSchema>;
