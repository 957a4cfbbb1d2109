import type { VendorName } from '../ports/vendor-meter.ts';
import { TurnQueue } from './decorators/turn-queue.ts';
import { findAccess, type VendorAccesses, type VendorAccount } from './usable-vendor.ts';

/**
 * Requests at once, of one kind to one vendor: what its smallest paid plan allows, so that a burst waits
 * instead of being refused. The operator's own number (`<VENDOR>_CONCURRENCY`) comes first.
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

/** The queue in which a request to a vendor waits for its turn; one for all calls of all teams. */
export class VendorQueues {
  readonly #vendors: VendorAccesses;
  readonly #queues = new Map<string, TurnQueue>();

  constructor(vendors: VendorAccesses) {
    this.#vendors = vendors;
  }

  /** `account`: whose key it uses. */
  of(kind: VendorName['kind'], vendor: string, account: VendorAccount): TurnQueue {
    const key = `${kind} ${vendor}`;
    const known = this.#queues.get(key);
    if (known) return known;
    const queue = this.create(kind, vendor, account);
    this.#queues.set(key, queue);
    return queue;
  }

  /** One that is not shared. */
  create(kind: VendorName['kind'], vendor: string, account?: VendorAccount): TurnQueue {
    const configured = account && findAccess(this.#vendors, account).concurrency;
    const concurrency = configured ?? DEFAULTS[`${kind} ${vendor}`] ?? OTHERWISE[kind];
    return new TurnQueue(vendor, { concurrency, maxWaiting: 2 * concurrency });
  }
}
