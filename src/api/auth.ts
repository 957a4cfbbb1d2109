import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../contract/errors.ts';
import { type Access, mayDo, type Role } from '../contract/role.ts';
import { type ApiKey, findApiKey, type KeyHolder, noteKeyUse } from '../store/api-keys.ts';
import type { Db } from '../store/db.ts';
import { refuseSuspended } from '../store/team-limits.ts';
import { type RateLimit, RateLimiter } from './rate-limiter.ts';

/** The authenticated sender of a request. */
export interface Principal {
  readonly teamId: string;
  readonly role: Role;
  /** Absent: the request came with a token that an API key was given for one call. */
  readonly apiKey?: Pick<ApiKey, 'id' | 'name'>;
  /** The team's own limit on requests, if it has one. */
  readonly requestsPerSecond?: number | undefined;
}

/** How long an unknown key is known to be unknown. */
const REMEMBERED_MS = 5000;
const MAX_REMEMBERED = 1000;

interface Clocks {
  /** Monotonic, ms. */
  readonly steady: () => number;
  /** Epoch ms. */
  readonly now: () => number;
}

/**
 * Authenticates API keys. Each request looks its key up, so that a revoked key, another role and a suspended team hold
 * at once on every node; concurrent requests with the same key share a look-up.
 */
export class Authenticator {
  readonly #db: Db;
  readonly #clocks: Clocks;
  readonly #strangers: RateLimiter;
  // By hash, since keys themselves are not kept even in memory; oldest first.
  readonly #unknown = new Map<string, number>();
  readonly #known = new Set<string>();
  readonly #asking = new Map<string, Promise<KeyHolder | undefined>>();

  /** `strangers`: limits the look-ups of keys that one address has not used before. */
  constructor(db: Db, clocks: Clocks, strangers: RateLimit) {
    this.#db = db;
    this.#clocks = clocks;
    this.#strangers = new RateLimiter(strangers, clocks.steady);
  }

  async authenticate(request: FastifyRequest): Promise<Principal> {
    const key = bearerOf(request);
    if (key === undefined) throw unauthorized();
    const hashed = hash('sha256', key, 'base64');
    const unknownUntil = this.#unknown.get(hashed);
    if (unknownUntil !== undefined && unknownUntil > this.#clocks.steady()) throw unauthorized();
    const apiKey = await this.#ask(hashed, key, request);
    if (!apiKey) throw unauthorized();
    const { id, name, teamId, role, team } = apiKey;
    refuseSuspended(team);
    const { requestsPerSecond } = team.limits;
    return { teamId, role, apiKey: { id, name }, requestsPerSecond };
  }

  /** A key was changed or revoked here: requests from now on share no look-up that began before. */
  changed(): void {
    this.#asking.clear();
  }

  #ask(hashed: string, key: string, request: FastifyRequest): Promise<KeyHolder | undefined> {
    const asking = this.#asking.get(hashed);
    if (asking) return asking;
    if (!this.#known.has(hashed)) refuseTooMany(this.#strangers.take(request.ip));
    const answer = this.#look(hashed, key, request).finally(() => {
      if (this.#asking.get(hashed) === answer) this.#asking.delete(hashed);
    });
    this.#asking.set(hashed, answer);
    return answer;
  }

  async #look(
    hashed: string,
    key: string,
    request: FastifyRequest,
  ): Promise<KeyHolder | undefined> {
    const now = new Date(this.#clocks.now());
    const apiKey = await findApiKey(this.#db, { key, now });
    this.#known.delete(hashed);
    this.#unknown.delete(hashed);
    if (!apiKey) {
      this.#unknown.set(hashed, this.#clocks.steady() + REMEMBERED_MS);
      forgetOldest(this.#unknown);
      return undefined;
    }
    this.#known.add(hashed);
    forgetOldest(this.#known);
    // A use that can't be noted is no reason to refuse it.
    await noteKeyUse(this.#db, { apiKey, from: request.ip, now }).catch((err: unknown) =>
      request.log.debug({ err, apiKeyId: apiKey.id }, 'the use of an API key was not noted'),
    );
    return apiKey;
  }
}

function forgetOldest(remembered: Map<string, unknown> | Set<string>): void {
  if (remembered.size <= MAX_REMEMBERED) return;
  const [oldest] = remembered.keys();
  if (oldest !== undefined) remembered.delete(oldest);
}

/** The credential of a request; undefined without one. */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}

/** Throws Problem unless the role allows an operation that asks for `least`. */
export function refuseUnlessAllowed({ role }: Principal, least: Access): void {
  if (mayDo(role, least)) return;
  throw new Problem({
    kind: 'forbidden',
    message: `This needs the role ${least}, and the role of this credential is ${role}`,
  });
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
