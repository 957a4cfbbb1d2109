import type { Clock, Timer } from '../ports/clock.ts';

export interface RepeatGateOptions {
  /** Events of one key that pass within a minute. @defaultValue 1 */
  readonly burst?: number;
}

const EVERY_MS = 60_000;
/** Number of keys counted separately; further ones are counted together. */
const MAX_KEYS = 200;
const OTHERS = 'others';

interface Known {
  passed: number;
  repeated: number;
  timer: Timer;
}

/** Limits repeated events per minute; the rest are counted and reported once a minute. */
export class RepeatGate {
  readonly #clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  readonly #burst: number;
  readonly #known = new Map<string, Known>();

  constructor(
    clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>,
    { burst = 1 }: RepeatGateOptions = {},
  ) {
    this.#clock = clock;
    this.#burst = burst;
  }

  /** True if this event passes. At the end of the minute `tell` gets the number of those that did not. */
  admit(key: string, tell: (repeated: number) => void): boolean {
    const own = this.#known.has(key) || this.#known.size < MAX_KEYS ? key : OTHERS;
    const known = this.#known.get(own) ?? this.#watch(own, tell);
    if (known.passed < this.#burst) {
      known.passed++;
      return true;
    }
    known.repeated++;
    return false;
  }

  close(): void {
    for (const { timer } of this.#known.values()) this.#clock.clearTimeout(timer);
    this.#known.clear();
  }

  #watch(key: string, tell: (repeated: number) => void, passed = 0): Known {
    const timer = this.#clock.setTimeout(() => {
      this.#known.delete(key);
      if (known.repeated === 0) return;
      tell(known.repeated);
      // Events that went on for a minute do not pass in the next one either.
      this.#watch(key, tell, this.#burst);
    }, EVERY_MS);
    const known: Known = { passed, repeated: 0, timer };
    this.#known.set(key, known);
    return known;
  }
}
