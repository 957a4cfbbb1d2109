import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contract/errors.ts';
import type { SignInState } from '../../contract/person.ts';
import { networkOf } from '../../lib/network-of.ts';
import { type RateLimit, RateLimiter } from '../../lib/rate-limiter.ts';
import { SERVICE_CHAIN } from '../../store/audit.ts';
import type { Db } from '../../store/db.ts';
import { NotFoundError } from '../../store/errors.ts';
import { canonicalEmail, findPersonByEmail, type Person } from '../../store/people.ts';
import { createSession, endSession, findSession, takeAttempt } from '../../store/sessions.ts';
import type { AuditTrail } from '../audit/trail.ts';
import { refuseTooMany } from '../auth.ts';
import { knownBrowser, rememberBrowser } from './known-browser.ts';
import { Passwords } from './passwords.ts';
import { useCode } from './second-factor.ts';
import { sessionTokenOf, setSessionCookie } from './session-cookie.ts';

/** Limits on attempts to sign in, at each process. */
export interface SignInLimits {
  /** Of one address; of IPv6, of one /64 network. */
  readonly address: RateLimit;
  /** At one account, whoever attempts it. */
  readonly account: RateLimit;
}

export const signInLimits = {
  address: { perSecond: 1, burst: 60 },
  account: { perSecond: 1 / 30, burst: 10 },
} as const satisfies SignInLimits;

/** Wrong codes after a right password; then the password is asked for again. */
const MOST_CODES = 5;

interface Deps {
  readonly db: Db;
  readonly audit?: AuditTrail | undefined;
  readonly publicUrl: (request: FastifyRequest) => string;
  /** Current time, epoch ms. */
  readonly now: () => number;
  /** Monotonic, ms. */
  readonly steady: () => number;
  readonly limits?: SignInLimits | undefined;
  /** Limits the look-ups of sessions that one address asks for here. */
  readonly strangers: RateLimit;
}

interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Makes sessions of people who prove who they are. */
export class SignIn {
  readonly passwords = new Passwords();
  readonly #deps: Deps;
  readonly #addresses: RateLimiter;
  readonly #accounts: RateLimiter;
  readonly #lookUps: RateLimiter;

  constructor(deps: Deps) {
    const { limits = signInLimits, steady } = deps;
    this.#deps = deps;
    this.#addresses = new RateLimiter(limits.address, steady);
    this.#accounts = new RateLimiter(limits.account, steady);
    this.#lookUps = new RateLimiter(deps.strangers, steady);
  }

  /** Throws Problem if the address has made too many attempts. */
  takeAddress({ ip }: FastifyRequest): void {
    refuseTooMany(this.#addresses.take(networkOf(ip)));
  }

  /** Throws Problem if there were too many attempts at the account; `account` may be one that does not exist. */
  takeAccount(account: string): void {
    refuseTooMany(this.#accounts.take(account));
  }

  /** Throws Problem; the same one, after the same work, for an unknown address and a wrong password. */
  async byPassword(
    { email, password }: { readonly email: string; readonly password: string },
    visit: Visit,
  ): Promise<SignInState> {
    this.takeAddress(visit.request);
    const { db } = this.#deps;
    const person = await findPersonByEmail(db, email);
    // Strangers slow each other down, and nobody in a browser in which the account was opened before.
    const known = knownBrowser(db, visit.request, person?.id);
    this.takeAccount(known ?? `strangers at ${canonicalEmail(email)}`);
    const isRight = await this.passwords.check(password, person?.passwordHash);
    if (!person || !isRight) {
      this.noteRefused('signIn', visit.request, person);
      throw refused('The e-mail address or the password is wrong');
    }
    const state = await this.begin(person, visit);
    this.noteDone('signIn', visit.request, person);
    return state;
  }

  /** Begins the session of a person who has proved who they are, with a token that nobody knew before. */
  async begin(person: Person, { request, reply }: Visit): Promise<SignInState> {
    const pending = person.totpSecret !== null;
    await this.#endCurrent(request);
    await this.#create(person, { request, reply }, pending);
    return pending ? 'second-factor' : 'signed-in';
  }

  /** Logs that somebody who has not proved who they are was refused; `person`: whose account it was. */
  noteRefused(action: string, request: FastifyRequest, person?: Person): void {
    // What was typed as an address is not kept: some type their password there.
    this.#deps.audit?.noteRepeated({
      ...{ chain: person?.teamId ?? SERVICE_CHAIN, actor: { type: 'nobody' } },
      ...{ action, subject: person?.id, outcome: 'refused' },
      ...{ address: request.ip, requestId: request.id },
    });
  }

  /** Logs what somebody has done who has proved who they are. */
  noteDone(action: string, request: FastifyRequest, { id, teamId, name }: Person): void {
    this.#deps.audit?.note({
      ...{ chain: teamId, actor: { type: 'person', id, name } },
      ...{ action, outcome: 'done', address: request.ip, requestId: request.id },
    });
  }

  /** Goes on from a right password. The session gets another token. Throws Problem. */
  async bySecondFactor(code: string, visit: Visit): Promise<SignInState> {
    const { db, now } = this.#deps;
    this.takeAddress(visit.request);
    const found = await this.#current(visit.request);
    if (!found?.session.pending) throw refused('Begin with the password: it was too long ago');
    const { session, person } = found;
    // Each right password gives some codes to try. Counted apart: only who knows the password can use these up.
    this.takeAccount(`codes of ${person.id}`);
    if (!(await takeAttempt(db, { id: session.id, most: MOST_CODES })))
      throw refused('Begin with the password: there were too many wrong codes');
    if (!(await useCode(db, person, { code, nowMs: now() }))) {
      this.noteRefused('giveSecondFactor', visit.request, person);
      throw refused('The code is wrong, or was used before');
    }
    await endSession(db, { personId: person.id, id: session.id });
    await this.#create(person, visit, false);
    this.noteDone('giveSecondFactor', visit.request, person);
    return 'signed-in';
  }

  async signOut({ request, reply }: Visit): Promise<void> {
    const found = await this.#endCurrent(request);
    if (found) this.noteDone('signOut', request, found.person);
    setSessionCookie(request, reply, '');
  }

  /** The id of the session of this browser. Throws Problem without one. */
  async sessionOf(request: FastifyRequest): Promise<string> {
    const found = await this.#current(request);
    if (!found || found.session.pending) throw refused('Sign in first');
    return found.session.id;
  }

  /** How far this browser has got. */
  async stateOf(request: FastifyRequest): Promise<SignInState> {
    const found = await this.#current(request);
    if (!found) return 'signed-out';
    return found.session.pending ? 'second-factor' : 'signed-in';
  }

  async #create(person: Person, { request, reply }: Visit, pending: boolean): Promise<void> {
    const session = await createSession(this.#deps.db, {
      person,
      pending,
      from: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      now: new Date(this.#deps.now()),
    });
    if (!session) throw refused('Your account was changed meanwhile: sign in again');
    setSessionCookie(request, reply, session.token);
    if (!pending) rememberBrowser(this.#deps.db, { request, reply }, person.id);
  }

  async #current(request: FastifyRequest) {
    const { db, now, publicUrl } = this.#deps;
    const token = sessionTokenOf(request, publicUrl(request));
    if (token === undefined) return undefined;
    refuseTooMany(this.#lookUps.take(networkOf(request.ip)));
    return findSession(db, { token, now: new Date(now()) });
  }

  async #endCurrent(request: FastifyRequest) {
    const found = await this.#current(request);
    if (found)
      await endSession(this.#deps.db, { personId: found.person.id, id: found.session.id }).catch(
        (error: unknown) => {
          // It has ended meanwhile.
          if (!(error instanceof NotFoundError)) throw error;
        },
      );
    return found;
  }
}

const refused = (message: string) => new Problem({ kind: 'unauthorized', message });
