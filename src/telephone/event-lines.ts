import type { CarrierEvent, CarrierName } from '../ports/carrier.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Db } from '../store/db.ts';
import { findNumberCredentials, listNumbersOfProvider } from '../store/numbers.ts';
import { isSameNumber } from './is-same-number.ts';
import { type NumberLine, openNumberLine } from './number-account.ts';

interface EventLinesDeps {
  readonly db: Db;
  readonly carriers: Carriers;
  readonly clock: Clock;
  readonly log: Log;
  /** One process follows for all: a carrier tells an application's events to one of its listeners. */
  readonly mayFollow: () => boolean;
  readonly handle: (event: CarrierEvent, lines: readonly NumberLine[]) => Promise<void>;
}

interface Followed {
  lines: readonly NumberLine[];
  readonly events: { close(): Promise<void> };
}

/** The carriers that have no webhooks. */
const EVENTFUL: readonly CarrierName[] = ['asterisk'];
const LOOK_MS = 10_000;

/** Follows the event streams of every account that has a number here; looks for new ones from time to time. */
export class EventLines {
  readonly #deps: EventLinesDeps;
  readonly #followed = new Map<string, Followed>();
  #timer: Timer | undefined;
  #looking: Promise<void> | undefined;
  #outdated = false;
  #closed = false;

  constructor(deps: EventLinesDeps) {
    this.#deps = deps;
  }

  /** Looks now, and again later. */
  async look(): Promise<void> {
    this.#deps.clock.clearTimeout(this.#timer);
    // A number that comes while the list is read may not stand in it.
    this.#outdated = true;
    this.#looking ??= this.#catchUp()
      .catch((error: unknown) => {
        this.#deps.log.warn({ err: error }, 'looking for carrier accounts failed');
      })
      .finally(() => {
        this.#looking = undefined;
      });
    await this.#looking;
    this.#deps.clock.clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = this.#deps.clock.setTimeout(() => void this.look(), LOOK_MS);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#deps.clock.clearTimeout(this.#timer);
    await this.#looking;
    await Promise.all([...this.#followed.values()].map(({ events }) => events.close()));
    this.#followed.clear();
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
        const key = own ? `${provider} ${teamId} ${JSON.stringify(own)}` : provider;
        accounts.set(key, [...(accounts.get(key) ?? []), line]);
      }
    }
    if (this.#closed) return;
    for (const [key, lines] of accounts) this.#follow(key, lines);
    for (const [key, { events }] of this.#followed) {
      if (accounts.has(key)) continue;
      this.#followed.delete(key);
      await events.close();
    }
  }

  #follow(key: string, lines: readonly NumberLine[]): void {
    const known = this.#followed.get(key);
    if (known) {
      known.lines = lines;
      return;
    }
    const { log } = this.#deps;
    const [line] = lines;
    const carrier = line?.carrier.name;
    const events = line?.account.openEvents?.({
      event: (event) => this.#take(key, event),
      connected: (isConnected, problem) =>
        isConnected
          ? log.info({ carrier }, 'following the events of a carrier')
          : log.warn({ carrier, problem }, 'the events of a carrier are away'),
      problem: (error) => log.warn({ carrier, err: error }, 'a carrier did not do as told'),
    });
    if (events) this.#followed.set(key, { lines, events });
  }

  #take(key: string, event: CarrierEvent): void {
    this.#hand(key, event).catch((error: unknown) => {
      this.#deps.log.error({ err: error, type: event.type }, 'an event of a carrier was lost');
    });
  }

  async #hand(key: string, event: CarrierEvent): Promise<void> {
    const lines = () => this.#followed.get(key)?.lines ?? [];
    const isNew =
      event.type === 'call-arrived' &&
      !lines().some(({ number }) => isSameNumber(number.number, event.to));
    if (isNew) await this.look();
    await this.#deps.handle(event, lines());
  }
}
