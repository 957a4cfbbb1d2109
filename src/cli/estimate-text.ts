import type { ModelEstimate } from '../client/api.generated.ts';

/** What asking models will come to, in words; undefined: none is asked that may cost money. */
export function estimateText({
  vendors,
  requests,
  inputTokens,
  outputTokens,
  cost,
}: ModelEstimate): string | undefined {
  if (vendors.length === 0) return undefined;
  const price = cost ? `, about ${cost.total} ${cost.currency}` : '';
  const tokens = `${inputTokens} tokens in and ${outputTokens} out`;
  return `asks ${vendors.join(' and ')} some ${requests} times, ${tokens}${price}`;
}
