import type { Clock, Timer } from '../ports/clock.ts';

interface Entry {
  readonly due: number;
  readonly id: number;
  readonly callback: () => void;
  cancelled: boolean;
}

/**
 * A clock that advances only when told to, and stops at each timer's due time on the way. Timers fire in the order of
 * (due time, id), and a timer set while advancing starts from the current due time; this makes a replay equal to the
 * original run.
 */
export class VirtualClock implements Clock {
  #now: number;
  #nextId = 1;
  // Binary min-heap by (due time, id). Cancelled entries stay until they reach the top.
  readonly #heap: Entry[] = [];

  constructor(startMs = 0) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    const entry: Entry = {
      due: this.#now + Math.max(0, delayMs),
      id: this.#nextId++,
      callback,
      cancelled: false,
    };
    this.#push(entry);
    return entry;
  }

  clearTimeout(timer: Timer): void {
    if (timer) (timer as Entry).cancelled = true;
  }

  /** Due time of the next timer; undefined if there is none. */
  nextDueAt(): number | undefined {
    this.#dropCancelled();
    return this.#heap[0]?.due;
  }

  /** Fires the timers due up to and including `toMs`, each at its due time, then sets the time to `toMs`. */
  advanceTo(toMs: number): void {
    for (let due = this.nextDueAt(); due !== undefined && due <= toMs; due = this.nextDueAt()) {
      const entry = this.#pop() as Entry;
      this.#now = Math.max(this.#now, entry.due);
      entry.callback();
    }
    this.#now = Math.max(this.#now, toMs);
  }

  #dropCancelled(): void {
    while (this.#heap[0]?.cancelled) this.#pop();
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let i = heap.push(entry) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!before(entry, heap[parent] as Entry)) break;
      heap[i] = heap[parent] as Entry;
      i = parent;
    }
    heap[i] = entry;
  }

  #pop(): Entry | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return top;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1] as Entry, heap[child] as Entry))
        child++;
      if (!before(heap[child] as Entry, last)) break;
      heap[i] = heap[child] as Entry;
      i = child;
    }
    heap[i] = last;
    return top;
  }
}

function before(a: Entry, b: Entry): boolean {
  return a.due < b.due || (a.due === b.due && a.id < b.id);
}
