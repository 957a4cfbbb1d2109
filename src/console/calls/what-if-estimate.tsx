import type { ModelEstimate, WhatIfInput } from '../../client/api.generated.ts';
import { Callout } from '../ui/callout.tsx';
import { NumberField } from '../ui/number-field.tsx';
import { moneyText } from './call-names.ts';

type Budget = NonNullable<WhatIfInput['budget']>;

interface Props {
  readonly estimate: ModelEstimate;
  readonly budget: Budget;
  readonly onChange: (budget: Budget) => void;
}

/** Answers lead to more questions: what is offered leaves room for that. */
const ROOM = 2;

/** A budget for what was estimated: of money where the price is known, else of tokens. */
export function budgetFor({ cost, inputTokens, outputTokens }: ModelEstimate): Budget {
  return cost && cost.unpriced.length === 0
    ? { cost: Number((ROOM * cost.total).toPrecision(2)) }
    : { tokens: ROOM * (inputTokens + outputTokens) };
}

/** What asking the model will come to, and how much it may. */
export function WhatIfEstimate({ estimate, budget, onChange }: Props) {
  const { vendors, requests, inputTokens, outputTokens, cost } = estimate;
  const isPriced = cost !== undefined && cost.unpriced.length === 0;
  const about = isPriced ? `, about ${moneyText(cost.total, cost.currency)}` : '';
  return (
    <>
      <Callout>
        Asks {vendors.join(' and ')} some {requests} times: {inputTokens} tokens in and{' '}
        {outputTokens} out{about}.
      </Callout>
      <NumberField
        id="what-if-budget"
        label="Budget"
        unit={isPriced ? cost.currency : 'tokens'}
        min={0}
        help="The model is asked no more when it is spent; the rest is then unknown."
        value={isPriced ? budget.cost : budget.tokens}
        onChange={(value) =>
          onChange(value === undefined ? {} : isPriced ? { cost: value } : { tokens: value })
        }
      />
    </>
  );
}
