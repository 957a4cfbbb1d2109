import type { Clock } from '../ports/clock.ts';

export interface LoopSlicesOptions {
  /** Slices in each turn of the loop. @defaultValue 1 */
  readonly aTurn?: number;
  /**
   * Asked after each turn: how many times as long the loop is left to others, and how many times as long as it was late
   * to begin this turn: where much else wants the loop or its core, slices wait. Absent or 0: until its next turn.
   */
  readonly rest?: () => number;
  /** Absent: no rest. `now` tells the monotonic time, ms. */
  readonly clock?: Clock;
}

/** A turn in which the machine stood still says nothing of the slices. */
const LONGEST_REST_MS = 50;

/**
 * Lets long work go on slice by slice: of all that waits, one slice is computed in each turn of the loop, teams by turns.
 * What else the loop has to do is done in between, however many requests are served at once.
 */
export class LoopSlices {
  readonly #aTurn: number;
  readonly #rest: () => number;
  readonly #clock: Clock | undefined;
  /** Slices that wait, by team; teams are in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Slices that may still begin in this turn. */
  #left: number;
  #isTurn = false;
  /** How late the last rest ended, ms. */
  #lateMs = 0;

  constructor(options: LoopSlicesOptions = {}) {
    this.#aTurn = options.aTurn ?? 1;
    this.#rest = options.rest ?? (() => 0);
    this.#clock = options.clock;
    this.#left = this.#aTurn;
  }

  /** Resolves when the next slice of this team may be computed: at once if there were too few in this turn. */
  next(team: string): Promise<void> {
    if (this.#left > 0) {
      this.#take();
      return Promise.resolve();
    }
    return new Promise((begin) => {
      const own = this.#waiting.get(team);
      if (own) own.push(begin);
      else this.#waiting.set(team, [begin]);
    });
  }

  #take(): void {
    this.#left--;
    if (this.#isTurn) return;
    this.#isTurn = true;
    const clock = this.#clock;
    const begunAt = clock?.now() ?? 0;
    setImmediate(() => {
      const took = clock ? clock.now() - begunAt + this.#lateMs : 0;
      const restMs = Math.min(LONGEST_REST_MS, this.#rest() * took);
      this.#lateMs = 0;
      if (!clock || restMs < 1) return this.#begin();
      const dueAt = clock.now() + restMs;
      clock.setTimeout(() => {
        this.#lateMs = Math.max(0, clock.now() - dueAt);
        this.#begin();
      }, restMs);
    });
  }

  #begin(): void {
    this.#isTurn = false;
    this.#left = this.#aTurn;
    for (let begin = this.#shift(); begin; begin = this.#left > 0 ? this.#shift() : undefined) {
      this.#take();
      begin();
    }
  }

  #shift(): (() => void) | undefined {
    const [next] = this.#waiting;
    if (!next) return undefined;
    const [team, slices] = next;
    const begin = slices.shift();
    // Moves the team behind all others.
    this.#waiting.delete(team);
    if (slices.length > 0) this.#waiting.set(team, slices);
    return begin;
  }
}
