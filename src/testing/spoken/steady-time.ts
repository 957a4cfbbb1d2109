import { setImmediate as nextTurn } from 'node:timers/promises';
import { VirtualClock } from '../../lib/virtual-clock.ts';

/**
 * Virtual time for a call whose parts compute on threads. It stands still until they have answered, and whoever asked
 * first is answered first: how long they take changes nothing.
 */
export class SteadyTime {
  readonly clock: VirtualClock;
  readonly #asked: (() => Promise<void>)[] = [];

  constructor(startMs: number) {
    this.clock = new VirtualClock(startMs);
  }

  /** The answer of something outside, in its turn. */
  outside<T>(answer: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // Either may be left without anyone who waits for it.
    answer.catch(() => undefined);
    promise.catch(() => undefined);
    this.#asked.push(() => answer.then(resolve, reject));
    return promise;
  }

  delay(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.setTimeout(resolve, ms);
    });
  }

  /** Lets time pass until this has happened. Rejects with it, with the signal, or if nothing is due any more. */
  async runUntil<T>(happens: Promise<T>, signal: AbortSignal): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    happens.then(over, over);
    for (;;) {
      await this.#settle();
      signal.throwIfAborted();
      if (isOver) return happens;
      const due = this.clock.nextDueAt();
      if (due === undefined) throw new Error('nothing happens any more in a call that goes on');
      this.clock.advanceTo(due);
    }
  }

  async #settle(): Promise<void> {
    // Whatever follows from the last instant, and then from each answer, is done before the next.
    await nextTurn();
    for (let next = this.#asked.shift(); next; next = this.#asked.shift()) {
      await next();
      await nextTurn();
    }
  }
}
