import { ProviderError } from '../../lib/errors.ts';
import { TeamBusyError, TeamQueue } from '../../lib/team-queue.ts';

export interface VendorLimits {
  /** Requests, or streams, at once. */
  readonly concurrency: number;
  /** How many of one team may wait for their turn; one more is refused. */
  readonly maxWaiting: number;
}

/** What one team holds of a vendor's lines, at most, once another team uses that vendor as well. */
const SHARE = 3 / 4;
/** What asks for nobody's call: checks of the vendors. */
const NO_TEAM = '';

/**
 * Lets no more through to a vendor at once than it allows; the others wait, and teams take turns. A team alone has
 * all lines; from another's first request on, it holds three quarters of them at most.
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
    this.#queue = new TeamQueue({ ...limits, maxPerTeam: () => this.#maxPerTeam });
  }

  /** Resolves with what ends the turn. Rejects when too many wait, or with the signal's abort. */
  take(team: string = NO_TEAM, signal: AbortSignal): Promise<() => void> {
    this.#meet(team);
    return new Promise((resolve, reject) => {
      const turn = async (): Promise<void> => {
        const turnOver = Promise.withResolvers<void>();
        const release = (): void => turnOver.resolve();
        // Also where the vendor's stream does not notice the abort.
        signal.addEventListener('abort', release, { once: true });
        resolve(release);
        await turnOver.promise;
        signal.removeEventListener('abort', release);
      };
      this.#queue.run(team, turn, signal).catch((error: unknown) => reject(this.#told(error)));
    });
  }

  #meet(team: string): void {
    this.#onlyTeam ??= team;
    if (team === this.#onlyTeam) return;
    this.#maxPerTeam = Math.max(1, Math.floor(this.#limits.concurrency * SHARE));
  }

  #told(error: unknown): unknown {
    if (!(error instanceof TeamBusyError)) return error;
    const provider = this.#provider;
    const message = `${provider} has ${this.#limits.maxWaiting} requests of this team waiting already`;
    return new ProviderError({ class: 'rate', provider, code: 'too_many_waiting', message });
  }
}
