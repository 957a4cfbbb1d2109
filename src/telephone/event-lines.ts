import PQueue from 'p-queue';
import { RepeatedLog } from '../lib/repeated-log.ts';
import type { CarrierEvent, CarrierEvents, CarrierName } from '../ports/carrier.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Db } from '../store/db.ts';
import { findNumberCredentials, listNumbersOfProvider } from '../store/numbers.ts';
import { isSameNumber } from './is-same-number.ts';
import { type NumberLine, openNumberLine } from './number-account.ts';

type Arrival = Extract<CarrierEvent, { readonly type: 'call-arrived' }>;

interface EventLinesDeps {
  readonly db: Db;
  readonly carriers: Carriers;
  readonly clock: Clock;
  readonly log: Log;
  /** One process follows for all: a carrier tells an application's events to one of its listeners. */
  readonly mayFollow: () => boolean;
  readonly handle: (event: CarrierEvent, lines: readonly NumberLine[]) => Promise<void>;
  /** Compares what stands at the carrier with what is known of it here. */
  readonly compare: (
    lines: readonly NumberLine[],
    standing: () => Promise<readonly string[]>,
  ) => Promise<void>;
}

interface Followed {
  lines: readonly NumberLine[];
  events: CarrierEvents | undefined;
  isConnected: boolean;
  /** Events that are handled, or wait for it. */
  readonly pending: PQueue;
  /** When the list of numbers was last read for a number that stood not in it. */
  lookedAt: number;
  /** The first connection came about, or failed. */
  readonly tried: PromiseWithResolvers<void>;
}

/** The carriers that have no webhooks. */
const EVENTFUL: readonly CarrierName[] = ['asterisk'];
const LOOK_MS = 10_000;
/** Whether it is now this process that follows: asked more often, as calls are lost until somebody does. */
const TURN_MS = 1000;
const COMPARE_MS = 15_000;
const COMMAND_MS = 10_000;
/** A server that is away does not keep the service from its other calls. */
const FIRST_TRY_MS = 4000;
/** Of an account's events, so that no account takes all there is of the database. */
const AT_ONCE = 32;
/** An account's events that may wait; what comes beyond is lost, and logged. */
const MAX_PENDING = 2000;

/** Follows the event streams of every account that has a number here; looks for new ones from time to time. */
export class EventLines {
  readonly #deps: EventLinesDeps;
  readonly #warnings: RepeatedLog;
  readonly #followed = new Map<string, Followed>();
  #lookTimer: Timer | undefined;
  #turnTimer: Timer | undefined;
  #compareTimer: Timer | undefined;
  #looking: Promise<void> | undefined;
  #outdated = false;
  #closed = false;

  constructor(deps: EventLinesDeps) {
    this.#deps = deps;
    this.#warnings = new RepeatedLog(deps.log, deps.clock);
  }

  /** Begins; resolves when the carriers that can be reached send their events here. */
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

  /** Looks now, and again later. */
  async look(): Promise<void> {
    this.#deps.clock.clearTimeout(this.#lookTimer);
    // A number that comes while the list is read may not stand in it.
    this.#outdated = true;
    this.#looking ??= this.#catchUp()
      .catch((error: unknown) => {
        this.#warnings.warn('look', { err: error }, 'looking for carrier accounts failed');
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

  /** The process that followed for all may have died. */
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
    for (const provider of this.#deps.mayFollow() ? EVENTFUL : []) {
      for (const number of await listNumbersOfProvider(this.#deps.db, { provider })) {
        const { teamId, id } = number;
        const line = await openNumberLine(this.#deps, number);
        if (!line) continue;
        const own = await findNumberCredentials(this.#deps.db, { teamId, id });
        // A team hears of its own accounts only; the operator's is everyone's.
        const key = own ? `${provider} ${teamId} ${line.account.eventSource}` : provider;
        accounts.set(key, [...(accounts.get(key) ?? []), line]);
      }
    }
    if (this.#closed) return;
    for (const [key, lines] of accounts) this.#follow(key, lines);
    for (const [key, { events }] of this.#followed) {
      if (accounts.has(key)) continue;
      this.#followed.delete(key);
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
      lines,
      events: undefined,
      isConnected: false,
      pending: new PQueue({ concurrency: AT_ONCE }),
      lookedAt: Number.NEGATIVE_INFINITY,
      tried: Promise.withResolvers<void>(),
    };
    const { log } = this.#deps;
    const [line] = lines;
    const carrier = line?.carrier.name;
    const numberId = line?.number.id;
    const about = { carrier, numberId };
    followed.events = line?.account.openEvents?.({
      event: (event) => this.#take(followed, event),
      connected: (isConnected, problem) => {
        followed.isConnected = isConnected;
        followed.tried.resolve();
        if (isConnected) {
          log.info(about, 'following the events of a carrier');
          void this.#compare(followed);
          return;
        }
        const fields = { ...about, problem };
        this.#warnings.warn(`away ${key}`, fields, 'the events of a carrier are away');
      },
      problem: (error) =>
        this.#warnings.warn(
          `problem ${key} ${error.message}`,
          { ...about, err: error },
          'a carrier did not do as told',
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
      const message = 'what stands at a carrier could not be compared';
      this.#warnings.warn(`compare ${lines[0]?.number.id}`, fields, message);
    }
  }

  #take(followed: Followed, event: CarrierEvent): void {
    const about = { numberId: followed.lines[0]?.number.id, type: event.type };
    if (followed.pending.size >= MAX_PENDING) {
      this.#warnings.warn(`flood ${about.numberId}`, about, 'events of a carrier came too fast');
      return;
    }
    followed.pending
      .add(() => this.#hand(followed, event))
      .catch((error: unknown) => {
        const fields = { ...about, err: error };
        const key = `lost ${about.numberId} ${event.type}`;
        this.#warnings.warn(key, fields, 'an event of a carrier was lost');
      });
  }

  async #hand(followed: Followed, event: CarrierEvent): Promise<void> {
    if (event.type === 'call-arrived' && !isKnown(followed, event.to)) {
      const now = this.#deps.clock.now();
      // Many calls for numbers that nobody has do not read the list for each.
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
    const message = 'a call came for a number that is not here';
    this.#warnings.warn(`unknown ${line.number.id}`, about, message);
    const deadline = AbortSignal.timeout(COMMAND_MS);
    await line.account.refuse(arrival.carrierCallId, 'rejected', deadline);
  }
}

function isKnown({ lines }: Followed, called: string): boolean {
  return lines.some(({ number }) => isSameNumber(number.number, called));
}
