import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../contract/errors.ts';
import { findApiKey } from '../store/api-keys.ts';
import type { Db } from '../store/db.ts';

/** Who makes a request. */
export interface Principal {
  readonly teamId: string;
}

/** How long another node may go on taking a key that this one revoked. */
const REMEMBERED_MS = 5000;
const MAX_REMEMBERED = 1000;

interface Remembered extends Principal {
  readonly apiKeyId: string;
  readonly until: number;
}

/** Tells who holds a key, asking the store once in a while and not for every request. */
export class Authenticator {
  readonly #db: Db;
  readonly #now: () => number;
  // By hash: a key itself is not kept, not even in memory. Oldest first.
  readonly #remembered = new Map<string, Remembered>();

  constructor(db: Db, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  async authenticate(request: FastifyRequest): Promise<Principal> {
    const key = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    if (key === undefined) throw unauthorized();
    const hash = createHash('sha256').update(key).digest('base64');
    const known = this.#remembered.get(hash);
    if (known && known.until > this.#now()) return known;
    this.#remembered.delete(hash);
    const apiKey = await findApiKey(this.#db, { key });
    if (!apiKey) throw unauthorized();
    const principal = { teamId: apiKey.teamId, apiKeyId: apiKey.id };
    this.#remember(hash, principal);
    return principal;
  }

  /** A revoked key is refused from the next request on. */
  forget(apiKeyId: string): void {
    for (const [hash, known] of this.#remembered)
      if (known.apiKeyId === apiKeyId) this.#remembered.delete(hash);
  }

  #remember(hash: string, principal: Omit<Remembered, 'until'>): void {
    if (this.#remembered.size >= MAX_REMEMBERED) {
      const [oldest] = this.#remembered.keys();
      if (oldest !== undefined) this.#remembered.delete(oldest);
    }
    this.#remembered.set(hash, { ...principal, until: this.#now() + REMEMBERED_MS });
  }
}

/** What every way in refuses with. */
export function unauthorized(): Problem {
  return new Problem({ kind: 'unauthorized', message: 'Unauthorized' });
}
