import PQueue from 'p-queue';
import { abortError, throwIfAborted } from '../../lib/abort.ts';
import { ProviderError } from '../../lib/errors.ts';

export interface VendorLimits {
  /** Requests, or streams, at once. */
  readonly concurrency: number;
  /** How many may wait for their turn; one more is refused. */
  readonly maxWaiting: number;
}

/** Lets no more through to a vendor at once than it allows; the others wait in order. */
export class TurnQueue {
  readonly #provider: string;
  readonly #limits: VendorLimits;
  readonly #queue: PQueue;

  constructor(provider: string, limits: VendorLimits) {
    this.#provider = provider;
    this.#limits = limits;
    this.#queue = new PQueue({ concurrency: limits.concurrency });
  }

  /** Resolves with what ends the turn. Rejects when too many wait, or with the signal's abort. */
  take(signal: AbortSignal): Promise<() => void> {
    throwIfAborted(signal);
    if (this.#queue.size >= this.#limits.maxWaiting) {
      const provider = this.#provider;
      const message = `${provider} has ${this.#limits.maxWaiting} requests waiting already`;
      throw new ProviderError({ class: 'rate', provider, code: 'too_many_waiting', message });
    }
    return new Promise((resolve, reject) => {
      const turn = (): Promise<void> => new Promise<void>((release) => resolve(release));
      this.#queue.add(turn, { signal }).catch(() => reject(abortError(signal)));
    });
  }
}
