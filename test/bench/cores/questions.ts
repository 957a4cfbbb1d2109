import type { Recording, Tail } from './recording.ts';
import { type Outcome, simulate } from './simulate.ts';
import { WorkModel } from './work-model.ts';

/** How long calls last on average, and how many of them there are for each that begins, ms. */
const HOLD_MS = 180_000;
const UNLIMITED = { maxCalls: Number.POSITIVE_INFINITY, maxLagMs: Number.POSITIVE_INFINITY };
const ALONE = { cores: 1, processes: 1, hasHelpers: false, ...UNLIMITED } as const;
const SECONDS_OF_ONE_CORE = 40;
const FITTINGS = 4;

export interface Curve {
  readonly calls: number;
  /** Of this many calls, if they were recorded. */
  readonly measured?: Recording['measured'];
  readonly simulated: Tail;
  /** From recordings with fewer calls alone. */
  readonly foretold?: Tail;
  /** On a host on which everything takes twice as long. */
  readonly onSlowHost: Tail;
}

/**
 * What a reply takes where nothing is in its way, ms: such that the smallest number of recorded calls has the median reply that
 * was measured. The only figure that is fitted.
 */
export function fitReply(model: WorkModel, seed: number): number {
  const { calls, measured } = model.smallest;
  let replyMs = 0;
  // What a reply takes also sets how far its waits lie apart.
  for (let n = 0; n < FITTINGS; n++) {
    const scenario = { ...ALONE, calls, replyMs, slowness: 1, seconds: SECONDS_OF_ONE_CORE, seed };
    const { p50 } = simulate(model, scenario).replyMs;
    replyMs = Math.max(0, replyMs + measured.replyOwnMs.p50 - p50);
  }
  return replyMs;
}

/** Replies by the number of calls of one process with a core of its own. */
export function curveOf(
  recordings: readonly Recording[],
  wanted: readonly number[],
  { replyMs, seed }: { readonly replyMs: number; readonly seed: number },
): Curve[] {
  const scenario = { ...ALONE, replyMs, seconds: SECONDS_OF_ONE_CORE, seed };
  const model = new WorkModel(recordings);
  return wanted.map((calls) => {
    const measured = recordings.find((one) => one.calls === calls)?.measured;
    const fewer = recordings.filter((one) => one.calls < calls);
    const by = (of: WorkModel, slowness: number) =>
      simulate(of, { ...scenario, calls, slowness }).replyMs;
    return {
      calls,
      ...(measured ? { measured } : {}),
      simulated: by(model, 1),
      ...(measured && fewer.length > 0 ? { foretold: by(new WorkModel(fewer), 1) } : {}),
      onSlowHost: by(model, 2),
    };
  });
}

export interface Room extends Outcome {
  readonly cores: number;
  readonly goalMs: number;
}

/** Calls of a process are found to within these. */
const STEP = 5;
const MOST = 400;

/** How many calls a machine holds with a process for each core, so that replies keep to each goal in 99 of 100; 0: none. */
export function roomsOf(
  model: WorkModel,
  cores: number,
  goalsMs: readonly number[],
  { replyMs, seed }: { readonly replyMs: number; readonly seed: number },
): Room[] {
  // The more processes, the more replies a second.
  const seconds = Math.max(8, Math.round((2 * SECONDS_OF_ONE_CORE) / cores));
  const known = new Map<number, Outcome>();
  const at = (steps: number): Outcome => {
    const calls = steps * STEP * cores;
    const traffic = { everyMs: HOLD_MS / calls, holdMs: HOLD_MS };
    const machine = { cores, processes: cores, hasHelpers: true, ...UNLIMITED };
    const load = { calls, traffic, replyMs, slowness: 1, seconds, seed };
    const outcome = known.get(steps) ?? simulate(model, { ...machine, ...load });
    known.set(steps, outcome);
    return outcome;
  };
  return goalsMs.map((goalMs) => {
    let low = 0;
    let high = MOST / STEP;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (at(middle).replyMs.p99 <= goalMs) low = middle;
      else high = middle;
    }
    return { ...at(Math.max(1, low)), calls: low * STEP * cores, cores, goalMs };
  });
}

export interface Refusals {
  readonly maxLagMs: number;
  readonly asIs: Outcome;
  readonly onSlowHost: Outcome;
}

const OVERLOAD = 1.5;
const OVERLOADED_SECONDS = 60;
const FILLING_SECONDS = 240;

/** Half as many calls again as a core has time for: how many are taken, and how those fare, by the lag from which on none are. */
export function refusalsOf(
  model: WorkModel,
  limitsMs: readonly number[],
  { replyMs, seed }: { readonly replyMs: number; readonly seed: number },
): Refusals[] {
  const under = (maxLagMs: number, slowness: number): Outcome => {
    const most = 1000 / (model.threadMs(MOST) * slowness);
    const traffic = { everyMs: HOLD_MS / (OVERLOAD * most), holdMs: HOLD_MS };
    return simulate(model, {
      ...ALONE,
      ...{ maxLagMs, slowness, traffic, calls: most, startCalls: most / 2, replyMs, seed },
      seconds: OVERLOADED_SECONDS,
      settleSeconds: FILLING_SECONDS,
    });
  };
  return limitsMs.map((maxLagMs) => ({
    maxLagMs,
    asIs: under(maxLagMs, 1),
    onSlowHost: under(maxLagMs, 2),
  }));
}
