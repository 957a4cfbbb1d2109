import type { Clock, Timer } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

/** How often one and the same line may be written. */
const EVERY_MS = 60_000;
/** Lines that are kept apart; beyond that, new ones are counted under one name. */
const MAX_KEYS = 200;
const OTHERS = 'others';

interface Silenced {
  repeated: number;
  timer: Timer;
}

/** Writes what repeats once, and then once a minute with how often it happened meanwhile. */
export class RepeatedLog {
  readonly #log: Pick<Log, 'warn'>;
  readonly #clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  readonly #silenced = new Map<string, Silenced>();

  constructor(log: Pick<Log, 'warn'>, clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>) {
    this.#log = log;
    this.#clock = clock;
  }

  /** `key` says which lines are the same. */
  warn(key: string, fields: Readonly<Record<string, unknown>>, message: string): void {
    const own = this.#silenced.has(key) || this.#silenced.size < MAX_KEYS ? key : OTHERS;
    const silenced = this.#silenced.get(own);
    if (silenced) {
      silenced.repeated++;
      return;
    }
    this.#log.warn(fields, message);
    this.#silence(own, fields, message);
  }

  close(): void {
    for (const { timer } of this.#silenced.values()) this.#clock.clearTimeout(timer);
    this.#silenced.clear();
  }

  #silence(key: string, fields: Readonly<Record<string, unknown>>, message: string): void {
    const timer = this.#clock.setTimeout(() => {
      const repeated = this.#silenced.get(key)?.repeated ?? 0;
      this.#silenced.delete(key);
      if (repeated === 0) return;
      this.#log.warn({ ...fields, repeated }, message);
      this.#silence(key, fields, message);
    }, EVERY_MS);
    this.#silenced.set(key, { repeated: 0, timer });
  }
}
