import { costOf, type Prices } from '../../contract/prices.ts';
import type { TestBudget } from '../../contract/test-suite.ts';
import type { CallCost, UsageLine } from '../../contract/usage.ts';
import type { Llm } from '../../ports/llm.ts';

/** The budget of a run is spent: models are asked no more. */
export class BudgetSpentError extends Error {
  override readonly name = 'BudgetSpentError';
}

/** Counts what a run spends, and stops its models when the budget is spent. */
export class SpentBudget {
  readonly #budget: TestBudget;
  readonly #prices: Prices | undefined;
  readonly #usage: () => readonly UsageLine[];

  constructor(budget: TestBudget, prices: Prices | undefined, usage: () => readonly UsageLine[]) {
    this.#budget = budget;
    this.#prices = prices;
    this.#usage = usage;
  }

  /** Undefined without prices. */
  get cost(): CallCost | undefined {
    return this.#prices && costOf(this.#usage(), this.#prices);
  }

  get isSpent(): boolean {
    const { cost, tokens } = this.#budget;
    if (cost !== undefined && (this.cost?.total ?? 0) >= cost && this.tokens > 0) return true;
    return tokens !== undefined && this.tokens >= tokens && this.tokens > 0;
  }

  /** The same model, until the budget is spent. */
  limit(llm: Llm): Llm {
    return {
      provider: llm.provider,
      stream: (request) => {
        if (this.isSpent) throw new BudgetSpentError('the budget of the run is spent');
        return llm.stream(request);
      },
    };
  }

  /** Read and written by models of vendors. */
  get tokens(): number {
    return this.#usage()
      .filter(({ vendor }) => vendor !== 'offline')
      .reduce((sum, { inputTokens = 0, outputTokens = 0 }) => sum + inputTokens + outputTokens, 0);
  }
}
