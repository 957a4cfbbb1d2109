import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../contract/errors.ts';
import { findApiKey } from '../store/api-keys.ts';
import type { Db } from '../store/db.ts';
import { type RateLimit, RateLimiter } from './rate-limiter.ts';

/** The authenticated sender of a request. */
export interface Principal {
  readonly teamId: string;
}

/** How long a look-up is cached: until then, another node may accept a revoked key or reject a new one. */
const REMEMBERED_MS = 5000;
const MAX_REMEMBERED = 1000;

interface Remembered {
  readonly until: number;
  /** Undefined if the key does not exist. */
  readonly holder: (Principal & { readonly apiKeyId: string }) | undefined;
}

/** Authenticates API keys and caches the look-ups. */
export class Authenticator {
  readonly #db: Db;
  readonly #now: () => number;
  readonly #strangers: RateLimiter;
  // By hash, since keys themselves are not kept even in memory; oldest first.
  readonly #remembered = new Map<string, Remembered>();
  readonly #asking = new Map<string, Promise<Remembered>>();
  /** Counts revocations, so that a look-up made before one is not cached after it. */
  #revocations = 0;

  /** `strangers`: limits the look-ups caused by one address. */
  constructor(db: Db, now: () => number, strangers: RateLimit) {
    this.#db = db;
    this.#now = now;
    this.#strangers = new RateLimiter(strangers, now);
  }

  async authenticate(request: FastifyRequest): Promise<Principal> {
    const key = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    if (key === undefined) throw unauthorized();
    const hashed = hash('sha256', key, 'base64');
    const known = this.#remembered.get(hashed);
    const { holder } =
      known && known.until > this.#now() ? known : await this.#ask(hashed, key, request.ip);
    if (!holder) throw unauthorized();
    return holder;
  }

  /** Removes a revoked key from the cache, so that the next request with it is rejected. */
  forget(apiKeyId: string): void {
    this.#revocations++;
    this.#asking.clear();
    for (const [hashed, { holder }] of this.#remembered)
      if (holder?.apiKeyId === apiKeyId) this.#remembered.delete(hashed);
  }

  /** Concurrent look-ups of the same key share one query. */
  #ask(hashed: string, key: string, address: string): Promise<Remembered> {
    const asking = this.#asking.get(hashed);
    if (asking) return asking;
    refuseTooMany(this.#strangers.take(address));
    const answer = this.#look(hashed, key).finally(() => {
      if (this.#asking.get(hashed) === answer) this.#asking.delete(hashed);
    });
    this.#asking.set(hashed, answer);
    return answer;
  }

  async #look(hashed: string, key: string): Promise<Remembered> {
    const revocations = this.#revocations;
    const apiKey = await findApiKey(this.#db, { key });
    const holder = apiKey && { teamId: apiKey.teamId, apiKeyId: apiKey.id };
    const found = { until: this.#now() + REMEMBERED_MS, holder };
    this.#remembered.delete(hashed);
    if (revocations === this.#revocations) this.#remember(hashed, found);
    return found;
  }

  #remember(hashed: string, found: Remembered): void {
    this.#remembered.set(hashed, found);
    if (this.#remembered.size <= MAX_REMEMBERED) return;
    // Unknown keys are evicted first, so that they cannot displace valid ones.
    let victim: string | undefined;
    for (const [candidate, { holder }] of this.#remembered) {
      victim ??= candidate;
      if (holder) continue;
      victim = candidate;
      break;
    }
    if (victim !== undefined) this.#remembered.delete(victim);
  }
}

/** The error of every failed authentication. */
export function unauthorized(): Problem {
  return new Problem({ kind: 'unauthorized', message: 'Unauthorized' });
}

/** Throws Problem if the wait from a {@link RateLimiter} is not 0. */
export function refuseTooMany(waitMs: number): void {
  if (waitMs === 0) return;
  throw new Problem({
    kind: 'too-many',
    message: 'Too many requests',
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}
