import type { Clock, Timer } from '../ports/clock.ts';

export interface RepeatGateOptions {
  /** Of one key, let through in a minute. @defaultValue 1 */
  readonly burst?: number;
}

const EVERY_MS = 60_000;
/** Keys that are kept apart; beyond that, new ones count under one name. */
const MAX_KEYS = 200;
const OTHERS = 'others';

interface Known {
  passed: number;
  repeated: number;
  timer: Timer;
}

/** Lets what repeats through so often a minute; the rest is counted and told once a minute. */
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

  /** Whether this one passes; `tell` hears at the minute's end how many did not. */
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
      // What went on for a minute is no news in the next.
      this.#watch(key, tell, this.#burst);
    }, EVERY_MS);
    const known: Known = { passed, repeated: 0, timer };
    this.#known.set(key, known);
    return known;
  }
}
