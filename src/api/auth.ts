import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../contract/errors.ts';
import { type Access, mayDo, type Role } from '../contract/role.ts';
import { networkOf } from '../lib/network-of.ts';
import { type RateLimit, RateLimiter } from '../lib/rate-limiter.ts';
import { type ApiKey, findApiKey, type KeyHolder, noteKeyUse } from '../store/api-keys.ts';
import type { Holder } from '../store/credentials.ts';
import type { Db } from '../store/db.ts';
import { findSession, noteSessionUse, type SessionHolder } from '../store/sessions.ts';
import { refuseSuspended } from '../store/team-limits.ts';
import { sessionTokenOf } from './people/session-cookie.ts';

/** The authenticated sender of a request. */
export interface Principal {
  readonly teamId: string;
  readonly role: Role;
  /** Absent: the request came with a token that an API key was given for one call. */
  readonly apiKey?: Pick<ApiKey, 'id' | 'name'>;
  /** Who has signed in, and with which session. */
  readonly person?: SignedIn;
  /** It came with a token that stands for a credential once; tokens of earlier versions do not say which. */
  readonly token?: { readonly holder?: Holder | undefined };
  /** The team's own limit on requests, if it has one. */
  readonly requestsPerSecond?: number | undefined;
}

export interface SignedIn {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly sessionId: string;
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

/** A key or a session that was found. */
type Found = KeyHolder | NonNullable<SessionHolder>;

/**
 * Authenticates API keys and sessions. Each request looks its credential up, so that a revoked key, an ended session,
 * another role and a suspended team hold at once on every node; concurrent requests with the same one share a look-up.
 */
export class Authenticator {
  readonly #db: Db;
  readonly #clocks: Clocks;
  readonly #strangers: RateLimiter;
  // By hash, since keys themselves are not kept even in memory; oldest first.
  readonly #unknown = new Map<string, number>();
  readonly #known = new Set<string>();
  readonly #asking = new Map<string, Promise<Found | undefined>>();
  readonly #publicUrl: (request: FastifyRequest) => string;

  /** `strangers`: limits the look-ups of credentials that one address has not used before. */
  constructor(
    db: Db,
    clocks: Clocks,
    strangers: RateLimit,
    publicUrl: (request: FastifyRequest) => string = () => '',
  ) {
    this.#db = db;
    this.#clocks = clocks;
    this.#publicUrl = publicUrl;
    this.#strangers = new RateLimiter(strangers, clocks.steady);
  }

  async authenticate(request: FastifyRequest): Promise<Principal> {
    const bearer = bearerOf(request);
    const isKey = bearer !== undefined || request.headers.authorization !== undefined;
    const credential = isKey ? bearer : sessionTokenOf(request, this.#publicUrl(request));
    if (credential === undefined) throw unauthorized();
    const name = `${isKey ? 'key' : 'session'} ${hash('sha256', credential, 'base64')}`;
    const unknownUntil = this.#unknown.get(name);
    if (unknownUntil !== undefined && unknownUntil > this.#clocks.steady()) throw unauthorized();
    const holder = await this.#ask(name, request, () =>
      isKey ? this.#findKey(credential, request) : this.#findSession(credential, request),
    );
    if (!holder) throw unauthorized();
    const principal = principalBy(holder);
    // Who it was is logged, also of a request that is refused here.
    request.principal = principal;
    refuseSuspended(holder.team);
    return principal;
  }

  /** A credential was changed or revoked here: requests from now on share no look-up that began before. */
  changed(): void {
    this.#asking.clear();
  }

  #ask(
    name: string,
    request: FastifyRequest,
    find: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const asking = this.#asking.get(name);
    if (asking) return asking;
    if (!this.#known.has(name)) refuseTooMany(this.#strangers.take(networkOf(request.ip)));
    const answer = this.#look(name, find).finally(() => {
      if (this.#asking.get(name) === answer) this.#asking.delete(name);
    });
    this.#asking.set(name, answer);
    return answer;
  }

  async #look(name: string, find: () => Promise<Found | undefined>): Promise<Found | undefined> {
    const holder = await find();
    this.#known.delete(name);
    this.#unknown.delete(name);
    if (!holder) {
      this.#unknown.set(name, this.#clocks.steady() + REMEMBERED_MS);
      forgetOldest(this.#unknown);
      return undefined;
    }
    this.#known.add(name);
    forgetOldest(this.#known);
    return holder;
  }

  async #findKey(key: string, request: FastifyRequest): Promise<KeyHolder | undefined> {
    const now = new Date(this.#clocks.now());
    const apiKey = await findApiKey(this.#db, { key, now });
    // A use that can't be noted is no reason to refuse it.
    if (apiKey)
      await noteKeyUse(this.#db, { apiKey, from: request.ip, now }).catch((err: unknown) =>
        request.log.debug({ err, apiKeyId: apiKey.id }, 'the use of an API key was not noted'),
      );
    return apiKey;
  }

  async #findSession(token: string, request: FastifyRequest): Promise<Found | undefined> {
    const now = new Date(this.#clocks.now());
    const found = await findSession(this.#db, { token, now });
    if (!found || found.session.pending) return undefined;
    const { session } = found;
    await noteSessionUse(this.#db, { session, from: request.ip, now }).catch((err: unknown) =>
      request.log.debug({ err, sessionId: session.id }, 'the use of a session was not noted'),
    );
    return found;
  }
}

function principalBy(holder: Found): Principal {
  const { requestsPerSecond } = holder.team.limits;
  if (!('person' in holder)) {
    const { id, teamId, role } = holder;
    return { teamId, role, apiKey: { id, name: holder.name }, requestsPerSecond };
  }
  const { id, teamId, role, email } = holder.person;
  const person = { id, name: holder.person.name, email, sessionId: holder.session.id };
  return { teamId, role, person, requestsPerSecond };
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
export function refuseUnlessAllowed({ role, person }: Principal, least: Access): void {
  if (mayDo(role, least) || (least === 'person' && person)) return;
  if (least === 'person')
    throw new Problem({
      kind: 'forbidden',
      message: 'This is for people who have signed in: an API key has no account',
    });
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

/** With what the sender was let in; undefined if a token does not say. */
export function holderOf({ apiKey, person, token }: Principal): Holder | undefined {
  if (person) {
    const { id, name, sessionId } = person;
    return { type: 'person', id, name, sessionId };
  }
  return apiKey ? { type: 'api-key', id: apiKey.id, name: apiKey.name } : token?.holder;
}
