import type { Random } from '../turns/random.ts';
import { type Machine, Thread } from './machine.ts';
import { type Place, untilNext } from './placement.ts';
import type { Recording } from './recording.ts';
import type { WorkModel } from './work-model.ts';

/** How a process is simulated. */
export interface ProcessOptions {
  /** Most calls; none are taken beside others while the typical lag of the loop is higher than `maxLagMs`. */
  readonly maxCalls: number;
  readonly maxLagMs: number;
  /** Everything takes so many times as long as recorded. */
  readonly slowness: number;
  /** The process's other threads run on the same cores. */
  readonly hasHelpers: boolean;
  /** The most calls that it is likely to have: where its work is drawn from. */
  readonly calls: number;
}

/** Whatever runs beside the thread of the calls runs in bursts of this length, ms: an assumption. */
export const BURST_MS = 1;
/** A call begins with so many pieces of work, one after the other's answer. */
const START_PIECES = 4;
const START_EVERY_MS = 5;
/** As in the service's own measure of its lag (src/session/loop-lag.ts). */
const LAG_EVERY_MS = 50;
const LAG_SAMPLES = 20;
/** Timers of Node are due at whole milliseconds. */
const TIMER_MS = 1;

/** So many more calls than were recorded, of these, are more work each time rather than work more often. */
const MORE_CALLS = 0.1;

/** A process of the service: calls whose work comes to one thread, and what runs beside it. */
export class SimulatedProcess implements Place {
  calls = 0;
  readonly #machine: Machine;
  readonly #thread: Thread;
  readonly #model: WorkModel;
  readonly #chance: Random;
  readonly #options: ProcessOptions;
  readonly #lags: number[] = [];
  #isLate = false;
  #usedMs = 0;

  constructor(machine: Machine, model: WorkModel, options: ProcessOptions, chance: Random) {
    this.#machine = machine;
    this.#thread = new Thread(machine);
    this.#model = model;
    this.#options = options;
    this.#chance = chance;
  }

  get isFull(): boolean {
    return this.calls > 0 && (this.calls >= this.#options.maxCalls || this.#isLate);
  }

  /** What its thread was given to do so far, ms. */
  get usedMs(): number {
    return this.#usedMs;
  }

  /** Begins to work for the calls that it has, and will have. */
  begin(): void {
    const { calls, hasHelpers, maxLagMs } = this.#options;
    const base = this.#model.below(calls);
    const copies = Math.max(1, Math.ceil(calls / base.calls - MORE_CALLS));
    for (let n = 0; n < copies; n++) this.#repeat(base, copies * base.calls);
    const collected = this.#model.nearest(calls);
    this.#collect(collected);
    if (hasHelpers) this.#help(collected);
    if (Number.isFinite(maxLagMs)) this.#watchLag();
  }

  /** What a call that begins takes, piece by piece. */
  beginCall(): void {
    const { startMs } = this.#model.nearest(this.#options.calls);
    for (let n = 0; n < START_PIECES; n++)
      this.#machine.at(this.#machine.now + n * START_EVERY_MS, () =>
        this.#work(startMs / START_PIECES),
      );
  }

  /** Has something wait for its turn on the thread. */
  wait(done: (waitedMs: number) => void): void {
    const from = this.#machine.now;
    this.#thread.add(0, () => done(this.#machine.now - from));
  }

  #work(ms: number): void {
    const workMs = ms * this.#options.slowness;
    this.#usedMs += workMs;
    this.#thread.add(workMs);
  }

  /** The recorded work, from a random instant on, again and again: of it the share of the calls that are there. */
  #repeat({ workAt, workMs, seconds, calls: recorded }: Recording, calls: number): void {
    const lengthMs = seconds * 1000;
    const model = this.#model;
    const startAt = this.#chance.between(0, lengthMs);
    let n = workAt.findIndex((at) => at >= startAt);
    if (n < 0) n = 0;
    let from = this.#machine.now - (workAt[n] as number);
    const costs = model.threadMs(recorded);
    const come = () => {
      const share = this.calls / calls;
      if (this.#chance.next() < share)
        this.#work(
          (workMs[n] as number) * (model.threadMs(this.calls) / costs) * Math.max(1, share),
        );
      n++;
      if (n === workAt.length) {
        n = 0;
        from += lengthMs;
      }
      this.#machine.at(from + (workAt[n] as number), come);
    };
    this.#machine.at(this.#machine.now, come);
  }

  #collect({ collectionsMs, calls, seconds }: Recording): void {
    const everyMs = (seconds * 1000 * calls) / collectionsMs.length;
    if (collectionsMs.length === 0) return;
    this.#atRandom(everyMs, () => this.#work(this.#chance.pick(collectionsMs)));
  }

  #help({ helpersMsPerCallSecond }: Recording): void {
    const { slowness } = this.#options;
    this.#atRandom((1000 * BURST_MS) / helpersMsPerCallSecond, () =>
      this.#machine.run(this.#chance.between(0, 2 * BURST_MS) * slowness, () => {}),
    );
  }

  /** Does something at random instants, for each call as often. */
  #atRandom(everyMs: number, act: () => void): void {
    const again = () => {
      const wait = untilNext(this.#chance, everyMs / Math.max(1, this.calls));
      this.#machine.at(this.#machine.now + wait, () => {
        if (this.calls > 0) act();
        again();
      });
    };
    again();
  }

  #watchLag(): void {
    this.#machine.at(this.#machine.now + LAG_EVERY_MS, () =>
      this.wait((waitedMs) => {
        this.#lags.push(waitedMs + this.#chance.between(0, TIMER_MS));
        if (this.#lags.length > LAG_SAMPLES) this.#lags.shift();
        const typical = this.#lags.toSorted((a, b) => a - b)[LAG_SAMPLES / 2] ?? 0;
        const { maxLagMs } = this.#options;
        this.#isLate = typical > (this.#isLate ? maxLagMs / 2 : maxLagMs);
        this.#watchLag();
      }),
    );
  }
}
