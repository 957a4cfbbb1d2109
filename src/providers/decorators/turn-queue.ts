import { ProviderError } from '../../lib/errors.ts';
import { TeamBusyError, TeamQueue } from '../../lib/team-queue.ts';

export interface VendorLimits {
  /** Concurrent requests or streams. */
  readonly concurrency: number;
  /** How many requests of one team may wait; further ones are refused. */
  readonly maxWaiting: number;
  /** A team's own limit on concurrent requests, if it has one. */
  readonly mostOf?: (team: string) => number | undefined;
}

/** The largest share of a vendor's slots for one team once another team also uses the vendor. */
const SHARE = 3 / 4;
/** The queue of requests outside of any call, such as vendor checks. */
const NO_TEAM = '';

/**
 * Limits concurrent requests to what a vendor allows; the others wait, and teams take turns. A single team may use
 * all slots; from another team's first request on, it may use at most three quarters of them.
 */
export class TurnQueue {
  readonly #provider: string;
  readonly #limits: VendorLimits;
  readonly #queue: TeamQueue;
  #onlyTeam: string | undefined;
  #maxPerTeam: number;

  constructor(provider: string, limits: VendorLimits) {
    const { concurrency } = limits;
    this.#provider = provider;
    this.#limits = limits;
    this.#maxPerTeam = concurrency;
    this.#queue = new TeamQueue({ ...limits, maxPerTeam: (team) => this.#mostOf(team) });
  }

  /** Resolves with a function that releases the slot. Rejects when too many wait, or with the signal's abort. */
  take(team: string = NO_TEAM, signal: AbortSignal): Promise<() => void> {
    this.#limitShareOnSecondTeam(team);
    return new Promise((resolve, reject) => {
      const turn = async (): Promise<void> => {
        const turnOver = Promise.withResolvers<void>();
        const release = (): void => turnOver.resolve();
        // Releases the slot even if the vendor's stream does not notice the abort.
        signal.addEventListener('abort', release, { once: true });
        resolve(release);
        await turnOver.promise;
        signal.removeEventListener('abort', release);
      };
      this.#queue.run(team, turn, signal).catch((error: unknown) => reject(this.#refusal(error)));
    });
  }

  #mostOf(team: string): number {
    const own = this.#limits.mostOf?.(team);
    return own === undefined ? this.#maxPerTeam : Math.min(this.#maxPerTeam, Math.max(1, own));
  }

  #limitShareOnSecondTeam(team: string): void {
    this.#onlyTeam ??= team;
    if (team === this.#onlyTeam) return;
    this.#maxPerTeam = Math.max(1, Math.floor(this.#limits.concurrency * SHARE));
  }

  #refusal(error: unknown): unknown {
    if (!(error instanceof TeamBusyError)) return error;
    const provider = this.#provider;
    const message = `${provider} has ${this.#limits.maxWaiting} requests of this team waiting already`;
    return new ProviderError({ class: 'rate', provider, code: 'too_many_waiting', message });
  }
}
