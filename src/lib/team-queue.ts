import { abortError, EXPECTED_ABORT } from './abort.ts';

export interface TeamQueueOptions {
  /** Number of places. */
  readonly concurrency: number;
  /**
   * Places that one team may occupy; evaluated each time a place is given. @defaultValue all but one, and at least one
   */
  readonly maxPerTeam?: (team: string) => number;
  /** Waiting work per team. */
  readonly maxWaiting: number;
}

/** Too much work of a team is waiting. */
export class TeamBusyError extends Error {
  override readonly name = 'TeamBusyError';
}

interface Waiting {
  readonly team: string;
  /** Does the work; resolves when the place is free again. */
  readonly begin: () => Promise<void>;
  readonly refuse: (error: Error) => void;
}

/**
 * A queue in which teams take turns: a free place goes to the team that occupies the fewest, and no team occupies all.
 */
export class TeamQueue {
  readonly #options: TeamQueueOptions;
  /** Waiting work by team; teams are in the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #running = new Map<string, number>();
  #places: number;

  constructor(options: TeamQueueOptions) {
    this.#options = options;
    this.#places = options.concurrency;
  }

  /**
   * Does the work when it is the team's turn and occupies a place until it settles. Settles like the work; rejects with
   * {@link TeamBusyError} if too much waits, or with AbortError if aborted while waiting.
   */
  run<T>(team: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw abortError(signal);
      const queue = this.#waiting.get(team) ?? [];
      if (queue.length >= this.#options.maxWaiting)
        throw new TeamBusyError('too much work of this team is waiting');
      const abort = () => {
        this.#remove(waiting);
        reject(signal ? abortError(signal) : undefined);
      };
      const waiting: Waiting = {
        team,
        refuse: reject,
        begin: () => {
          signal?.removeEventListener('abort', abort);
          const done = work();
          resolve(done);
          return done.then(
            () => undefined,
            () => undefined,
          );
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      queue.push(waiting);
      this.#waiting.set(team, queue);
      this.#dispatch();
    });
  }

  /** Rejects all waiting work. */
  clear(): void {
    for (const queue of this.#waiting.values())
      for (const { refuse } of queue) refuse(EXPECTED_ABORT);
    this.#waiting.clear();
  }

  #dispatch(): void {
    while (this.#places > 0) {
      const next = this.#takeNext();
      if (!next) return;
      void this.#work(next);
    }
  }

  async #work({ team, begin }: Waiting): Promise<void> {
    this.#places--;
    this.#running.set(team, this.#runningOf(team) + 1);
    await begin();
    const left = this.#runningOf(team) - 1;
    if (left > 0) this.#running.set(team, left);
    else this.#running.delete(team);
    this.#places++;
    this.#dispatch();
  }

  #runningOf(team: string): number {
    return this.#running.get(team) ?? 0;
  }

  #takeNext(): Waiting | undefined {
    const { concurrency, maxPerTeam } = this.#options;
    const allButOne = Math.max(1, concurrency - 1);
    let least = Number.POSITIVE_INFINITY;
    let chosen: string | undefined;
    for (const team of this.#waiting.keys()) {
      const running = this.#runningOf(team);
      if (running >= Math.min(least, maxPerTeam?.(team) ?? allButOne)) continue;
      least = running;
      chosen = team;
    }
    if (chosen === undefined) return undefined;
    const queue = this.#waiting.get(chosen) ?? [];
    const next = queue.shift();
    this.#waiting.delete(chosen);
    // Moves the team behind all others.
    if (queue.length > 0) this.#waiting.set(chosen, queue);
    return next;
  }

  #remove(waiting: Waiting): void {
    const left = (this.#waiting.get(waiting.team) ?? []).filter((other) => other !== waiting);
    if (left.length > 0) this.#waiting.set(waiting.team, left);
    else this.#waiting.delete(waiting.team);
  }
}
