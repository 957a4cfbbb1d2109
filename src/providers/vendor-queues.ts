import type { VendorName } from '../ports/vendor-meter.ts';
import { TurnQueue } from './decorators/turn-queue.ts';
import { findAccess, type VendorAccesses, type VendorAccount } from './usable-vendor.ts';

/**
 * Concurrent requests of one kind to one vendor: the limit of its smallest paid plan, so a burst waits instead of
 * being refused. The operator's setting (`<VENDOR>_CONCURRENCY`) takes precedence.
 */
const DEFAULTS: Readonly<Record<string, number>> = {
  'tts elevenlabs': 10,
  'tts cartesia': 15,
  'tts deepgram': 45,
  'stt deepgram': 100,
  'stt deepgram-flux': 100,
  'stt assemblyai': 100,
};
const OTHERWISE: Readonly<Record<VendorName['kind'], number>> = { llm: 128, stt: 64, tts: 64 };

/** The request queues of each vendor, shared by all calls of all teams. */
export class VendorQueues {
  readonly #vendors: VendorAccesses;
  readonly #mostOf: (team: string) => number | undefined;
  readonly #queues = new Map<string, TurnQueue>();

  /** `mostOf`: requests that a team may have at once, if it has a limit of its own. */
  constructor(
    vendors: VendorAccesses,
    mostOf: (team: string) => number | undefined = () => undefined,
  ) {
    this.#vendors = vendors;
    this.#mostOf = mostOf;
  }

  /** `account`: the account whose key it uses. */
  of(kind: VendorName['kind'], vendor: string, account: VendorAccount): TurnQueue {
    const key = `${kind} ${vendor}`;
    const known = this.#queues.get(key);
    if (known) return known;
    const queue = this.create(kind, vendor, account);
    this.#queues.set(key, queue);
    return queue;
  }

  /** A queue that is not shared. */
  create(kind: VendorName['kind'], vendor: string, account?: VendorAccount): TurnQueue {
    const configured = account && findAccess(this.#vendors, account).concurrency;
    const concurrency = configured ?? DEFAULTS[`${kind} ${vendor}`] ?? OTHERWISE[kind];
    const limits = { concurrency, maxWaiting: 2 * concurrency, mostOf: this.#mostOf };
    return new TurnQueue(vendor, limits);
  }
}
