import type { CallCost } from '../../contract/usage.ts';
import type { CallFigures, Comparison } from '../../contract/what-if.ts';

/** What a replayed call would have cost: each vendor's part grows with what it is paid for. */
export function estimateCost(
  cost: CallCost,
  { recorded, replayed }: Pick<Comparison, 'recorded' | 'replayed'>,
): NonNullable<Comparison['cost']> {
  const total = cost.lines.reduce(
    (sum, { kind, amount }) =>
      sum + amount * growth(paidFor(kind, recorded), paidFor(kind, replayed)),
    0,
  );
  return { currency: cost.currency, recorded: cost.total, replayed: Number(total.toFixed(6)) };
}

function paidFor(kind: string, figures: CallFigures): number {
  if (kind === 'llm') return figures.inputTokens + figures.outputTokens;
  return kind === 'tts' ? figures.spokenCharacters : figures.durationMs;
}

const growth = (before: number, after: number) => (before === 0 ? 1 : after / before);
