import { z } from 'zod';

const count = z.int().min(0).optional();

/** What a call asked of one vendor. */
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
  .describe('Tokens are estimated where an answer was cut off before its vendor counted them.')
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
      .describe('Vendors that were used and have no price; the total is without them.'),
  })
  .meta({ title: 'CallCost' });

export type UsageLine = z.infer<typeof UsageLineSchema>;
export type CallCost = z.infer<typeof CallCostSchema>;
