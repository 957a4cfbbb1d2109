import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../contract/errors.ts';
import { findApiKey } from '../store/api-keys.ts';
import type { Db } from '../store/db.ts';
import { type RateLimit, RateLimiter } from './rate-limiter.ts';

/** Who makes a request. */
export interface Principal {
  readonly teamId: string;
}

/** How long another node may go on taking a key that this one revoked, or refusing one that was just made. */
const REMEMBERED_MS = 5000;
const MAX_REMEMBERED = 1000;

interface Remembered {
  readonly until: number;
  /** Absent: there is no such key. */
  readonly holder: (Principal & { readonly apiKeyId: string }) | undefined;
}

/** Tells who holds a key, asking the store once in a while and not for every request. */
export class Authenticator {
  readonly #db: Db;
  readonly #now: () => number;
  readonly #strangers: RateLimiter;
  // By hash: a key itself is not kept, not even in memory. Oldest first.
  readonly #remembered = new Map<string, Remembered>();
  readonly #asking = new Map<string, Promise<Remembered>>();
  /** Counts revocations: an answer from before one is not remembered after it. */
  #revocations = 0;

  /** `strangers`: how often one address may bring a key that has to be looked up. */
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

  /** A revoked key is refused from the next request on. */
  forget(apiKeyId: string): void {
    this.#revocations++;
    this.#asking.clear();
    for (const [hashed, { holder }] of this.#remembered)
      if (holder?.apiKeyId === apiKeyId) this.#remembered.delete(hashed);
  }

  /** Whoever asks for the same key at the same time gets the same answer. */
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
    // Keys that nobody has must not push out those that somebody has.
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

/** What every way in refuses with. */
export function unauthorized(): Problem {
  return new Problem({ kind: 'unauthorized', message: 'Unauthorized' });
}

/** Refuses a request for which a {@link RateLimiter} says to wait. */
export function refuseTooMany(waitMs: number): void {
  if (waitMs === 0) return;
  throw new Problem({
    kind: 'too-many',
    message: 'Too many requests',
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}
