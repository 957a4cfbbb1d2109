import { RateLimiter } from '../lib/rate-limiter.ts';
import type { Db } from '../store/db.ts';
import { OverLimitError } from '../store/errors.ts';
import { findTeam } from '../store/teams.ts';
import { Probation, probationDefaults } from './probation.ts';

/** Calls of one team that begin at one process; ten seconds of them may begin at once. */
export const callStartDefaults = { perSecond: 20, burst: 200 } as const;

/** New limits of a team hold within this time. */
const KEEP_LIMIT_MS = 10_000;
const MAX_TEAMS = 1000;

/** Whose call it is. Visitors with a public key bring nobody on probation but that key. */
export interface CallOf {
  readonly teamId: string;
  readonly publicKeyId?: string | null | undefined;
}

/**
 * Paces the calls that begin at this process, each of which costs the thread of all calls some ms. Each team has a rate,
 * and calls that break the protocol of their media sockets again and again let the next one wait.
 */
export class CallStarts {
  readonly #now: () => number;
  readonly #created: RateLimiter;
  readonly #connected: RateLimiter;
  readonly #probation: Probation;
  /** The teams' own limits, the one that was read last at the end. */
  readonly #own = new Map<
    string,
    { readonly rate: number | undefined; readonly untilMs: number }
  >();

  constructor(now: () => number) {
    this.#now = now;
    this.#created = new RateLimiter(callStartDefaults, now);
    this.#connected = new RateLimiter(callStartDefaults, now);
    this.#probation = new Probation(now);
  }

  /** A call whose client will come later with a token. Throws OverLimitError. */
  async announced(db: Db, call: CallOf): Promise<void> {
    await this.#refuseTooMany(this.#created, db, call);
    this.#refuseOnProbation(call);
  }

  /** A client comes with its token. Throws OverLimitError: tokens may have been collected. */
  async came(db: Db, call: CallOf): Promise<void> {
    await this.#refuseTooMany(this.#connected, db, call);
    this.#refuseOnProbation(call);
    this.#probation.began(partyOf(call));
  }

  /** A phone call is dialled or arrives. Throws OverLimitError. */
  async placed(db: Db, call: CallOf): Promise<void> {
    await this.announced(db, call);
    this.#probation.began(partyOf(call));
  }

  /** What becomes of a call that has begun: its media sockets break the protocol, or it is over without that. */
  follow(call: CallOf): { readonly broke: () => void; readonly over: () => void } {
    const party = partyOf(call);
    let isBroken = false;
    return {
      broke: () => {
        isBroken = true;
        this.#probation.broke(party);
      },
      over: () => {
        if (!isBroken) this.#probation.kept(party);
      },
    };
  }

  #refuseOnProbation(call: CallOf): void {
    const waitMs = this.#probation.waitMs(partyOf(call));
    if (waitMs > 0)
      throw new OverLimitError('broken-calls', probationDefaults.brokenInARow, seconds(waitMs));
  }

  async #refuseTooMany(limiter: RateLimiter, db: Db, { teamId }: CallOf): Promise<void> {
    const own = await this.#ownRate(db, teamId);
    const perSecond = own === undefined ? callStartDefaults.perSecond : Math.max(1, own);
    const limit = own === undefined ? callStartDefaults : { perSecond, burst: perSecond * 10 };
    const waitMs = limiter.take(teamId, limit);
    if (waitMs > 0) throw new OverLimitError('calls-per-second', perSecond, seconds(waitMs));
  }

  async #ownRate(db: Db, teamId: string): Promise<number | undefined> {
    const known = this.#own.get(teamId);
    const now = this.#now();
    if (known && now < known.untilMs) return known.rate;
    const rate = (await findTeam(db, { teamId }))?.limits.callsPerSecond;
    this.#own.delete(teamId);
    this.#own.set(teamId, { rate, untilMs: now + KEEP_LIMIT_MS });
    const [oldest] = this.#own.keys();
    if (this.#own.size > MAX_TEAMS && oldest !== undefined) this.#own.delete(oldest);
    return rate;
  }
}

const partyOf = ({ teamId, publicKeyId }: CallOf) => publicKeyId ?? teamId;

const seconds = (ms: number) => Math.ceil(ms / 1000);
