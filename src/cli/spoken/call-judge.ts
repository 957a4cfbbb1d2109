import PQueue from 'p-queue';
import type { AssistantTest } from '../../contract/assistant-test.ts';
import type { Judge } from '../../testing/conditions.ts';
import type { TestOptions } from '../assistant-test/options.ts';
import { CliError } from '../cli-error.ts';
import type { ServiceClient } from '../service-client.ts';

type Options = Pick<TestOptions, 'judge' | 'budget'>;

/** The conditions of tests that a model judges. */
export const judgedIn = (tests: readonly Pick<AssistantTest, 'turns' | 'expect'>[]): number =>
  tests
    .flatMap(({ turns = [], expect }) => [...expect, ...turns.flatMap((turn) => turn.expect)])
    .filter(({ judge }) => judge !== undefined).length;

/** Has the service's models judge spoken calls, one condition after the other, until the budget is spent. */
export class CallJudge {
  readonly #client: Pick<ServiceClient, 'judgeCall'>;
  readonly #options: Options;
  readonly #queue = new PQueue({ concurrency: 1 });
  #tokens = 0;
  #cost = 0;
  #currency: string | undefined;

  /** Throws {@link CliError} if a model would be asked without a limit. */
  constructor(
    client: Pick<ServiceClient, 'judgeCall'>,
    options: Options,
    { judged, say }: { readonly judged: number; readonly say: (text: string) => void },
  ) {
    this.#client = client;
    this.#options = options;
    const { judge, budget } = options;
    if (!judge || judge.provider === 'offline' || judged === 0) return;
    const asks = `asks ${judge.provider}/${judge.model} some ${judged} times to judge`;
    if (budget.cost === undefined && budget.tokens === undefined)
      throw new CliError(`--budget or --max-tokens is required: the run ${asks}`, 2);
    say(asks);
  }

  /** What the judge has cost; undefined: nothing, or its price is unknown. */
  get costLine(): string | undefined {
    if (this.#tokens === 0) return undefined;
    const price = this.#currency === undefined ? '' : `, ${this.#cost} ${this.#currency}`;
    return `the judge read and wrote ${this.#tokens} tokens${price}`;
  }

  /** The judge of one call, by its id. */
  of(callId: string): Judge {
    return (statement) => this.#queue.add(() => this.#ask(callId, statement));
  }

  async #ask(callId: string, statement: string): ReturnType<Judge> {
    const { judge, budget } = this.#options;
    if (!judge) throw new Error('nobody judges: choose a model with --judge');
    const left = {
      ...(budget.cost === undefined ? {} : { cost: budget.cost - this.#cost }),
      ...(budget.tokens === undefined ? {} : { tokens: budget.tokens - this.#tokens }),
    };
    if (Object.values(left).some((value) => value <= 0))
      throw new Error('the budget of the run is spent');
    const { verdict, reason, tokens, cost } = await this.#client.judgeCall({
      ...{ callId, statement, judge, budget: left },
    });
    this.#tokens += tokens;
    this.#cost += cost?.total ?? 0;
    this.#currency ??= cost?.currency;
    if (verdict === 'not-judged') throw new Error(reason ?? 'the model gave no verdict');
    return { met: verdict === 'met', reason: reason ?? '' };
  }
}
