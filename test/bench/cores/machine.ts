import { MinHeap } from './min-heap.ts';

/** Called when a piece of work is done. */
type Done = () => void;

/** So many pieces that are done are let go of at once. */
const MANY_DONE = 1000;

/**
 * A machine on virtual time. Threads that have work share its cores evenly, as Linux has them do: each has a core as long as
 * there are enough, more of them each the same share. What it costs to change from one to another is left out. Times are ms.
 */
export class Machine {
  readonly #cores: number;
  readonly #due = new MinHeap<() => void>();
  /** Work under way, by the progress at which it is done. */
  readonly #ends = new MinHeap<Done>();
  #now = 0;
  /** What every thread that had work all the time has done by now. */
  #progress = 0;
  #usedMs = 0;

  constructor(cores: number) {
    this.#cores = cores;
  }

  get now(): number {
    return this.#now;
  }

  /** Time of cores that was used so far. */
  get usedMs(): number {
    return this.#usedMs;
  }

  /** An instant that is over is now. */
  at(instant: number, action: () => void): void {
    this.#due.push(Math.max(instant, this.#now), action);
  }

  /** A burst of work on a thread of its own. */
  run(workMs: number, done: Done): void {
    this.#ends.push(this.#progress + workMs, done);
  }

  runUntil(instant: number): void {
    for (;;) {
      const running = this.#ends.size;
      const rate = running > this.#cores ? this.#cores / running : 1;
      const endsAt = this.#now + Math.max(0, this.#ends.firstKey - this.#progress) / rate;
      const next = Math.min(endsAt, this.#due.firstKey, instant);
      const progressMs = (next - this.#now) * rate;
      this.#progress += progressMs;
      this.#usedMs += progressMs * running;
      this.#now = next;
      if (running > 0 && endsAt <= next) this.#ends.pop()?.();
      else if (this.#due.firstKey <= next && this.#due.size > 0) this.#due.pop()?.();
      else return;
    }
  }
}

/** A thread that does its work in the order in which it came, such as the loop of a process. */
export class Thread {
  readonly #machine: Machine;
  readonly #work: number[] = [];
  readonly #done: (Done | undefined)[] = [];
  #first = 0;
  #isBusy = false;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** Work of 0 ms tells when its turn has come. */
  add(workMs: number, done?: Done): void {
    this.#work.push(workMs);
    this.#done.push(done);
    if (!this.#isBusy) this.#next();
  }

  readonly #next = (): void => {
    if (this.#isBusy) this.#done[this.#first++]?.();
    this.#isBusy = this.#first < this.#work.length;
    if (!this.#isBusy || this.#first > MANY_DONE) {
      this.#work.splice(0, this.#first);
      this.#done.splice(0, this.#first);
      this.#first = 0;
    }
    if (this.#isBusy) this.#machine.run(this.#work[this.#first] as number, this.#next);
  };
}
