interface DeparturesOptions {
  readonly now: () => number;
  readonly count: number;
  /** Clock instant by which all calls have to be gone. */
  readonly untilMs: number;
}

/** Calls that leave at the same instant wait for one another where they go. More leave only where time is short. */
const EVERY_MS = 100;
/** Most of these wait for the end of a word. */
const MOST_UNDER_WAY = 4;
/** A caller who has not come back by then may not come back at all: the others do not wait for them. */
const AWAITED_MS = 2000;

/**
 * Decides when each call of a process leaves it for another one. A call goes on here until it leaves, so no more leave
 * than arrive: where the other process is slow, the next ones wait here, where they are heard. The first, which finds
 * that process cold, leaves alone.
 */
export class Departures {
  readonly #now: () => number;
  readonly #startedAt: number;
  /** At this pace all have left after half of the time; the rest is for those that talk. */
  readonly #paceMs: number;
  /** The calls under way, each with the instant at which it is waited for no more. */
  readonly #underWay = new Map<string, number>();
  #mostUnderWay = 1;
  #left = 0;
  #nextAt = Number.NEGATIVE_INFINITY;

  constructor({ now, count, untilMs }: DeparturesOptions) {
    this.#now = now;
    this.#startedAt = now();
    this.#paceMs = (untilMs - this.#startedAt) / 2 / Math.max(1, count);
  }

  /** True if it is the call's turn, which then counts as under way. */
  mayLeave(callId: string): boolean {
    const now = this.#now();
    for (const [id, until] of this.#underWay) if (until <= now) this.#underWay.delete(id);
    const isBehind = now - this.#startedAt >= this.#left * this.#paceMs;
    const hasWay = this.#underWay.size < this.#mostUnderWay;
    if (now < this.#nextAt || !(hasWay || isBehind)) return false;
    this.#left++;
    this.#nextAt = now + Math.min(EVERY_MS, this.#paceMs);
    this.#underWay.set(callId, now + AWAITED_MS);
    return true;
  }

  /** The calls that are waited for. */
  get underWay(): readonly string[] {
    return [...this.#underWay.keys()];
  }

  /** Other processes have these calls. */
  arrived(callIds: readonly string[]): void {
    for (const id of callIds) this.#underWay.delete(id);
    this.#mostUnderWay = Math.min(MOST_UNDER_WAY, this.#mostUnderWay + callIds.length);
  }
}
