import PQueue from 'p-queue';
import { MAX_EVENT_ACCOUNTS } from '../contract/number.ts';
import { LoopSlices } from '../lib/loop-slices.ts';
import { RateLimiter } from '../lib/rate-limiter.ts';
import { RepeatedLog } from '../lib/repeated-log.ts';
import type { CarrierEvent, CarrierEvents, CarrierName } from '../ports/carrier.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Db } from '../store/db.ts';
import { findNumberCredentials, listNumbersOfProvider } from '../store/numbers.ts';
import { isSameNumber } from './is-same-number.ts';
import { type NumberLine, openNumberLine } from './number-line.ts';

type Arrival = Extract<CarrierEvent, { readonly type: 'call-arrived' }>;

interface CarrierEventStreamsDeps {
  readonly db: Db;
  readonly carriers: Carriers;
  readonly clock: Clock;
  readonly log: Log;
  /** True in the one process that follows the streams: a carrier sends an application's events to one listener only. */
  readonly mayFollow: () => boolean;
  readonly handle: (event: CarrierEvent, lines: readonly NumberLine[]) => Promise<void>;
  /** Reconciles the calls at the carrier with those known here. */
  readonly compare: (
    lines: readonly NumberLine[],
    standing: () => Promise<readonly string[]>,
  ) => Promise<void>;
}

interface Followed {
  readonly key: string;
  lines: readonly NumberLine[];
  events: CarrierEvents | undefined;
  isConnected: boolean;
  /** Events being handled or waiting. */
  readonly pending: PQueue;
  /** When the list of numbers was last read again because of an unknown number. */
  lookedAt: number;
  /** Settles when the first connection was made or failed. */
  readonly tried: PromiseWithResolvers<void>;
}

/** Carriers with event streams instead of webhooks. */
const EVENTFUL: readonly CarrierName[] = ['asterisk'];
const LOOK_MS = 10_000;
/** How often `mayFollow` is asked. Often, since calls are lost while no process follows. */
const TURN_MS = 1000;
const COMPARE_MS = 15_000;
const COMMAND_MS = 10_000;
/** An unreachable server delays the start by no more than this. */
const FIRST_TRY_MS = 4000;
/** Events of one account handled at once, so that no account uses up the database or its team's requests. */
const AT_ONCE = 16;
/** Events of all accounts that are begun with in one turn of the loop. */
const A_TURN = 4;
/** How many times as long as such a turn takes the loop is left to calls. */
const REST = 2;
/** Waiting events of one account; more are dropped and logged. */
const MAX_PENDING = 2000;
/** Callers whom the Asterisk servers of one team bring; each costs several requests. Further ones wait there. */
const ARRIVALS = { perSecond: 20, burst: 40 } as const;
const RUSH = 'more callers arrived than a team may have arrive at once; the last ones wait';

/** Follows the event stream of every account that has a number here; looks for new accounts every 10 s. */
export class CarrierEventStreams {
  readonly #deps: CarrierEventStreamsDeps;
  readonly #warnings: RepeatedLog;
  readonly #followed = new Map<string, Followed>();
  readonly #slices: LoopSlices;
  readonly #arrivals: RateLimiter;
  #lookTimer: Timer | undefined;
  #turnTimer: Timer | undefined;
  #compareTimer: Timer | undefined;
  #looking: Promise<void> | undefined;
  #outdated = false;
  #closed = false;

  constructor(deps: CarrierEventStreamsDeps) {
    this.#deps = deps;
    this.#warnings = new RepeatedLog(deps.log, deps.clock);
    this.#slices = new LoopSlices({ aTurn: A_TURN, rest: () => REST, clock: deps.clock });
    this.#arrivals = new RateLimiter(ARRIVALS, () => deps.clock.now());
  }

  /** Resolves when all reachable carriers are connected. */
  async start(): Promise<void> {
    await this.look();
    this.#watchTurn(this.#deps.mayFollow());
    this.#compareLater();
    const { clock } = this.#deps;
    const tried = [...this.#followed.values()].map(({ tried: { promise } }) => promise);
    const late = Promise.withResolvers<void>();
    const timer = clock.setTimeout(() => late.resolve(), FIRST_TRY_MS);
    await Promise.race([Promise.all(tried), late.promise]);
    clock.clearTimeout(timer);
  }

  /** Reads the list of numbers now, and again every 10 s. */
  async look(): Promise<void> {
    this.#deps.clock.clearTimeout(this.#lookTimer);
    // A number added while the list is read may be missing in it.
    this.#outdated = true;
    this.#looking ??= this.#catchUp()
      .catch((error: unknown) => {
        this.#warnings.warn('look', { err: error }, 'the carrier accounts could not be read');
      })
      .finally(() => {
        this.#looking = undefined;
      });
    await this.#looking;
    this.#deps.clock.clearTimeout(this.#lookTimer);
    if (this.#closed) return;
    this.#lookTimer = this.#deps.clock.setTimeout(() => void this.look(), LOOK_MS);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const { clock } = this.#deps;
    for (const timer of [this.#lookTimer, this.#turnTimer, this.#compareTimer])
      clock.clearTimeout(timer);
    this.#warnings.close();
    await this.#looking;
    await Promise.all([...this.#followed.values()].map(({ events }) => events?.close()));
    this.#followed.clear();
  }

  /** Takes over when the process that followed the streams dies. */
  #watchTurn(was: boolean): void {
    if (this.#closed) return;
    this.#turnTimer = this.#deps.clock.setTimeout(() => {
      const is = this.#deps.mayFollow();
      this.#watchTurn(is);
      if (is !== was) void this.look();
    }, TURN_MS);
  }

  #compareLater(): void {
    if (this.#closed) return;
    this.#compareTimer = this.#deps.clock.setTimeout(() => {
      const connected = [...this.#followed.values()].filter(({ isConnected }) => isConnected);
      void Promise.all(connected.map((followed) => this.#compare(followed))).finally(() =>
        this.#compareLater(),
      );
    }, COMPARE_MS);
  }

  async #catchUp(): Promise<void> {
    while (this.#outdated && !this.#closed) {
      this.#outdated = false;
      await this.#reconcile();
    }
  }

  async #reconcile(): Promise<void> {
    const accounts = new Map<string, NumberLine[]>();
    const ofTeam = new Map<string, number>();
    for (const provider of this.#deps.mayFollow() ? EVENTFUL : []) {
      for (const number of await listNumbersOfProvider(this.#deps.db, { provider })) {
        const { teamId, id } = number;
        const line = await openNumberLine(this.#deps, number);
        if (!line) continue;
        const own = await findNumberCredentials(this.#deps.db, { teamId, id });
        // One stream for each team and account, and one for the operator's account, which all teams share.
        const key = own ? `${provider} ${teamId} ${line.account.eventSource}` : provider;
        if (own && !accounts.has(key)) {
          const count = (ofTeam.get(teamId) ?? 0) + 1;
          // Imports refuse what is over the limit, but several at once may pass it together.
          if (count > MAX_EVENT_ACCOUNTS) {
            const message = 'a team has numbers at too many accounts; the newest ones get no calls';
            this.#warnings.warn(`accounts ${teamId}`, { teamId, numberId: id }, message);
            continue;
          }
          ofTeam.set(teamId, count);
        }
        accounts.set(key, [...(accounts.get(key) ?? []), line]);
      }
    }
    if (this.#closed) return;
    const isFollower = this.#deps.mayFollow();
    for (const [key, lines] of accounts) this.#follow(key, lines);
    for (const [key, { events, pending }] of this.#followed) {
      if (accounts.has(key)) continue;
      this.#followed.delete(key);
      // The account has no number any more. If only another process follows now, what has come before is still handled:
      // the carrier tells that process of nothing again.
      if (isFollower) pending.clear();
      await events?.close();
    }
  }

  #follow(key: string, lines: readonly NumberLine[]): void {
    const known = this.#followed.get(key);
    if (known) {
      known.lines = lines;
      return;
    }
    const followed: Followed = {
      key,
      lines,
      events: undefined,
      isConnected: false,
      pending: new PQueue({ concurrency: AT_ONCE }),
      lookedAt: Number.NEGATIVE_INFINITY,
      tried: Promise.withResolvers<void>(),
    };
    const { log } = this.#deps;
    const [line] = lines;
    const about = { carrier: line?.carrier.name, numberId: line?.number.id };
    followed.events = line?.account.openEvents?.({
      event: (event) => this.#take(followed, event),
      mayArrive: () => this.#mayArrive(followed),
      connected: (isConnected, problem) => {
        followed.isConnected = isConnected;
        followed.tried.resolve();
        if (isConnected) {
          log.info(about, "connected to a carrier's event stream");
          void this.#compare(followed);
          return;
        }
        const fields = { ...about, problem };
        this.#warnings.warn(`away ${key}`, fields, "a carrier's event stream is disconnected");
      },
      problem: (error) =>
        this.#warnings.warn(
          `problem ${key} ${error.message}`,
          { ...about, err: error },
          "a carrier's event could not be handled",
        ),
    });
    if (followed.events) this.#followed.set(key, followed);
  }

  async #compare({ lines, events }: Followed): Promise<void> {
    if (!events || this.#closed) return;
    try {
      await this.#deps.compare(lines, () => events.standing(AbortSignal.timeout(COMMAND_MS)));
    } catch (error) {
      const fields = { carrier: lines[0]?.carrier.name, err: error };
      const message = 'the calls at a carrier could not be reconciled';
      this.#warnings.warn(`compare ${lines[0]?.number.id}`, fields, message);
    }
  }

  #take(followed: Followed, event: CarrierEvent): void {
    const about = { numberId: followed.lines[0]?.number.id, type: event.type };
    if (followed.pending.size >= MAX_PENDING) {
      const message = 'a carrier sent events too fast; some were dropped';
      this.#warnings.warn(`flood ${about.numberId}`, about, message);
      return;
    }
    followed.pending
      .add(async () => {
        // Many that fail at once would otherwise be handled in one turn.
        await this.#slices.next(followed.key);
        await this.#hand(followed, event);
      })
      .catch((error: unknown) => {
        const fields = { ...about, err: error };
        const key = `lost ${about.numberId} ${event.type}`;
        this.#warnings.warn(key, fields, 'an event of a carrier could not be handled and is lost');
      });
  }

  #mayArrive({ key, lines: [line] }: Followed): boolean {
    // The operator's own server, which all teams share, is trusted.
    if (!line || key === line.carrier.name) return true;
    const { teamId } = line.number;
    if (this.#arrivals.take(teamId) === 0) return true;
    this.#warnings.warn(`arrivals ${teamId}`, { teamId }, RUSH);
    return false;
  }

  async #hand(followed: Followed, event: CarrierEvent): Promise<void> {
    if (event.type === 'call-arrived' && !isKnown(followed, event.to)) {
      const now = this.#deps.clock.now();
      // Bounds how often calls for unknown numbers cause the list to be read.
      if (now - followed.lookedAt >= TURN_MS) {
        followed.lookedAt = now;
        await this.look();
      } else await this.#looking;
      if (!isKnown(followed, event.to)) return this.#refuse(followed, event);
    }
    await this.#deps.handle(event, followed.lines);
  }

  async #refuse({ lines: [line] }: Followed, arrival: Arrival): Promise<void> {
    if (!line) return;
    const about = { numberId: line.number.id, called: arrival.to };
    const message = 'a call arrived for a number that no team has imported';
    this.#warnings.warn(`unknown ${line.number.id}`, about, message);
    const deadline = AbortSignal.timeout(COMMAND_MS);
    await line.account.refuse(arrival.carrierCallId, 'rejected', deadline);
  }
}

function isKnown({ lines }: Followed, called: string): boolean {
  return lines.some(({ number }) => isSameNumber(number.number, called));
}
