import { loopRecorder } from '../lib/loop-recorder.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import { type CallRecords, writeCallRecords } from './call-records.ts';
import type { Db } from './db.ts';
import { CallTakenError, StoreUnavailableError } from './errors.ts';

interface Waiting extends PromiseWithResolvers<void> {
  readonly records: CallRecords;
}

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
  /** For tests. @defaultValue writeCallRecords */
  readonly write?: typeof writeCallRecords;
}

/** Time to wait for records of other calls to share the statement. */
const GATHER_MS = 100;
/** Limits the duration of a statement, which delays all its calls. */
const MAX_CALLS = 64;

/**
 * Writes the records of all live calls together, since one statement for fifty calls costs little more than one for a
 * single call. If the store rejects the records of one call, only that call fails.
 */
export class GroupedRecords {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #write: typeof writeCallRecords;
  #waiting: Waiting[] = [];
  #timer: Timer | undefined;

  constructor({ db, clock, write = writeCallRecords }: Deps) {
    this.#db = db;
    this.#clock = clock;
    this.#write = write;
  }

  /**
   * Resolves once the records are stored; rejects with CallTakenError if the call has another owner. A call must wait
   * for this before it writes again.
   */
  write(records: CallRecords): Promise<void> {
    const waiting = { records, ...Promise.withResolvers<void>() };
    this.#waiting.push(waiting);
    if (this.#waiting.length >= MAX_CALLS) this.#flush();
    else this.#timer ??= this.#clock.setTimeout(() => this.#flush(), GATHER_MS);
    return waiting.promise;
  }

  /** Writes what waits of a call at once, because something outside waits for it: others' records would take it longer. */
  hurry(callId: string): void {
    const [own, others] = [[] as Waiting[], [] as Waiting[]];
    for (const one of this.#waiting) (one.records.callId === callId ? own : others).push(one);
    if (own.length === 0) return;
    this.#waiting = others;
    void this.#keep(own);
  }

  #flush(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    const group = this.#waiting;
    this.#waiting = [];
    if (group.length > 0) void this.#keep(group);
  }

  async #keep(group: readonly Waiting[]): Promise<void> {
    try {
      const refused = await loopRecorder.hold('records', () =>
        this.#write(
          this.#db,
          group.map(({ records }) => records),
        ),
      );
      for (const { records, resolve, reject } of group)
        if (refused.includes(records.callId)) reject(new CallTakenError(records.callId));
        else resolve();
    } catch (error) {
      // An unavailable store affects all calls; a rejected statement may be caused by a single call.
      if (error instanceof StoreUnavailableError || group.length === 1)
        for (const { reject } of group) reject(error);
      else for (const waiting of group) await this.#keep([waiting]);
    }
  }
}
