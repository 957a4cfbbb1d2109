import { z } from 'zod';
import type { CallCost, UsageLine } from './usage.ts';

const price = z.number().min(0);

const TokenPriceSchema = z.strictObject({
  inputPerMillion: price,
  /** Absent: the same as for other input. */
  cachedInputPerMillion: price.optional(),
  outputPerMillion: price,
});

/**
 * Prices of vendors, as configured by the operator. Keys of models are `vendor/model`, or `vendor` for all its models.
 */
export const PricesSchema = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be a currency code such as USD'),
  llm: z.record(z.string(), TokenPriceSchema).default({}),
  stt: z.record(z.string(), z.strictObject({ perMinute: price })).default({}),
  tts: z.record(z.string(), z.strictObject({ perThousandCharacters: price })).default({}),
});

export type Prices = z.output<typeof PricesSchema>;

/** More precise than the smallest unit of any currency, since a call costs cents. */
const DECIMALS = 6;

/** As whom a person knows what is paid for: not all vendors have models. */
export const pricedName = ({ vendor, model }: Pick<UsageLine, 'vendor' | 'model'>): string =>
  model ? `${vendor}/${model}` : vendor;

/** Calculates the cost of the usage. */
export function costOf(usage: readonly UsageLine[], prices: Prices): CallCost {
  const lines: CallCost['lines'] = [];
  const unpriced = new Set<string>();
  let total = 0;
  for (const line of usage) {
    const amount = amountOf(line, prices);
    // Offline models run on the operator's machine and cost nothing.
    if (amount === undefined && line.vendor === 'offline') continue;
    if (amount === undefined) {
      unpriced.add(pricedName(line));
      continue;
    }
    total += amount;
    const { kind, vendor, model } = line;
    lines.push({ kind, vendor, ...(model ? { model } : {}), amount: rounded(amount) });
  }
  return { currency: prices.currency, total: rounded(total), lines, unpriced: [...unpriced] };
}

function amountOf(line: UsageLine, prices: Prices): number | undefined {
  if (line.kind === 'llm') {
    const found = prices.llm[`${line.vendor}/${line.model}`] ?? prices.llm[line.vendor];
    if (!found) return undefined;
    const { inputTokens = 0, cachedTokens = 0, outputTokens = 0 } = line;
    const cachedPrice = found.cachedInputPerMillion ?? found.inputPerMillion;
    const input = (inputTokens - cachedTokens) * found.inputPerMillion + cachedTokens * cachedPrice;
    return (input + outputTokens * found.outputPerMillion) / 1e6;
  }
  if (line.kind === 'stt') {
    const found = prices.stt[line.vendor];
    return found && ((line.audioMs ?? 0) / 60_000) * found.perMinute;
  }
  const found = prices.tts[line.vendor];
  return found && ((line.characters ?? 0) / 1000) * found.perThousandCharacters;
}

function rounded(amount: number): number {
  return Number(amount.toFixed(DECIMALS));
}
