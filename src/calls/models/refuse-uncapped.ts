import { invalid } from '../../contract/errors.ts';
import type { ModelEstimate, TestBudget } from '../../contract/test-suite.ts';

/** Models that cost money are only asked within a budget. */
export function refuseUncapped(
  { vendors, cost, requests }: ModelEstimate,
  budget: TestBudget,
  what: 'run' | 'replay' = 'run',
) {
  if (vendors.length === 0) return;
  const about = cost ? `, about ${cost.total} ${cost.currency}` : '';
  if (budget.cost === undefined && budget.tokens === undefined) {
    const message = `is required: the ${what} asks ${vendors.join(' and ')} some ${requests} times${about}`;
    throw invalid([{ path: 'budget', message }]);
  }
  const unpriced = cost?.unpriced ?? vendors;
  if (budget.tokens === undefined && unpriced.length > 0) {
    const message = `is required: no price of ${unpriced.join(' and ')} is configured`;
    throw invalid([{ path: 'budget.tokens', message }]);
  }
}
