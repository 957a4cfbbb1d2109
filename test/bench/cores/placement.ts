import type { Random } from '../turns/random.ts';

/** Time until the next of events that come at random, ms. */
export const untilNext = (chance: Random, everyMs: number): number =>
  -everyMs * Math.log(1 - chance.next());

/** Calls that come at random and last at random, and the process that has each of them. */
export interface Traffic {
  /** Of two calls that begin one after the other, ms on average. */
  readonly everyMs: number;
  /** How long one lasts on average, ms. */
  readonly holdMs: number;
}

/** What a process tells of itself. */
export interface Place {
  calls: number;
  /** True if it takes no call beside those that it has. */
  readonly isFull: boolean;
}

/**
 * Places calls as the service does: connections go to its processes in turn, and from one without room to the one that has
 * some and the fewest calls.
 */
export class Placement<Process extends Place> {
  readonly #processes: readonly Process[];
  readonly #chance: Random;
  readonly #traffic: Traffic;
  #turn = 0;
  asked = 0;
  refused = 0;

  constructor(processes: readonly Process[], traffic: Traffic, chance: Random) {
    this.#processes = processes;
    this.#traffic = traffic;
    this.#chance = chance;
  }

  get calls(): number {
    return this.#processes.reduce((sum, { calls }) => sum + calls, 0);
  }

  /** Time until a call begins or ends, ms. */
  get untilNextMs(): number {
    return untilNext(this.#chance, 1 / this.#rate);
  }

  /** A call begins or ends. Returns the process that has taken one. */
  step(): Process | undefined {
    const begins = this.#chance.next() * this.#rate < 1 / this.#traffic.everyMs;
    if (begins) return this.#begin();
    let which = this.#chance.int(1, this.calls);
    for (const process of this.#processes) {
      which -= process.calls;
      if (which > 0) continue;
      process.calls--;
      break;
    }
    return undefined;
  }

  get #rate(): number {
    const { everyMs, holdMs } = this.#traffic;
    return 1 / everyMs + this.calls / holdMs;
  }

  #begin(): Process | undefined {
    this.asked++;
    const here = this.#processes[this.#turn++ % this.#processes.length] as Process;
    const taker = here.isFull
      ? this.#processes.filter((one) => !one.isFull).toSorted((a, b) => a.calls - b.calls)[0]
      : here;
    if (taker) taker.calls++;
    else this.refused++;
    return taker;
  }
}

/** How many calls each process has once as many have come and gone as it takes to forget how it began. */
export function settledCalls(
  processes: number,
  calls: number,
  traffic: Traffic,
  chance: Random,
): number[] {
  const places = Array.from({ length: processes }, () => ({
    calls: Math.round(calls / processes),
    isFull: false,
  }));
  const placement = new Placement(places, traffic, chance);
  for (let at = 0; at < FORGOTTEN * traffic.holdMs; at += placement.untilNextMs) placement.step();
  return places.map((place) => place.calls);
}

/** After so many lengths of a call hardly one of the first is left. */
const FORGOTTEN = 5;
