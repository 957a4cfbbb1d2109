import type { Clock, Timer } from '../ports/clock.ts';
import { type CallRecords, writeCallRecords } from './call-records.ts';
import type { Db } from './db.ts';
import { StoreUnavailableError } from './errors.ts';

interface Waiting extends PromiseWithResolvers<void> {
  readonly records: CallRecords;
}

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
  /** @defaultValue the store's own; for tests */
  readonly write?: (db: Db, records: readonly CallRecords[]) => Promise<void>;
}

/** How long one call waits for others to share its statement. */
const GATHER_MS = 100;
/** A statement that would take long holds up everybody in it. */
const MAX_CALLS = 64;

/**
 * Writes the records of all live calls together: one statement costs little more for fifty calls than for
 * one. What one call brings and the store refuses is refused for that call alone.
 */
export class GroupedRecords {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #write: (db: Db, records: readonly CallRecords[]) => Promise<void>;
  #waiting: Waiting[] = [];
  #timer: Timer | undefined;

  constructor({ db, clock, write = writeOfSessions }: Deps) {
    this.#db = db;
    this.#clock = clock;
    this.#write = write;
  }

  /** Resolves once they are kept. A call comes again only after its answer. */
  write(records: CallRecords): Promise<void> {
    const waiting = { records, ...Promise.withResolvers<void>() };
    this.#waiting.push(waiting);
    if (this.#waiting.length >= MAX_CALLS) this.#flush();
    else this.#timer ??= this.#clock.setTimeout(() => this.#flush(), GATHER_MS);
    return waiting.promise;
  }

  #flush(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    const group = this.#waiting;
    this.#waiting = [];
    void this.#keep(group);
  }

  async #keep(group: readonly Waiting[]): Promise<void> {
    try {
      await this.#write(
        this.#db,
        group.map(({ records }) => records),
      );
      for (const { resolve } of group) resolve();
    } catch (error) {
      // A store that is away is away for all; a statement it refused may be one call's fault.
      if (error instanceof StoreUnavailableError || group.length === 1)
        for (const { reject } of group) reject(error);
      else for (const waiting of group) await this.#keep([waiting]);
    }
  }
}

const writeOfSessions = (db: Db, records: readonly CallRecords[]) =>
  writeCallRecords(db, records, { bySession: true });
