import type { Clock, Timer } from '../ports/clock.ts';

interface Entry {
  readonly due: number;
  readonly id: number;
  readonly callback: () => void;
  /** Its index in the heap; -1 once it has fired or was cleared. */
  place: number;
}

/**
 * A clock that advances only when told to, and stops at each timer's due time on the way. Timers fire in the order of
 * (due time, id), and a timer set while advancing starts from the current due time; this makes a replay equal to the
 * original run.
 */
export class VirtualClock implements Clock {
  #now: number;
  #nextId = 1;
  // Binary min-heap by (due time, id).
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
      place: this.#heap.length,
    };
    this.#heap.push(entry);
    this.#rise(entry);
    return entry;
  }

  clearTimeout(timer: Timer): void {
    if (timer && (timer as Entry).place >= 0) this.#remove(timer as Entry);
  }

  /** Due time of the next timer; undefined if there is none. */
  nextDueAt(): number | undefined {
    return this.#heap[0]?.due;
  }

  /** Fires the timers due up to and including `toMs`, each at its due time, then sets the time to `toMs`. */
  advanceTo(toMs: number): void {
    for (let next = this.#heap[0]; next && next.due <= toMs; next = this.#heap[0]) {
      this.#remove(next);
      this.#now = Math.max(this.#now, next.due);
      next.callback();
    }
    this.#now = Math.max(this.#now, toMs);
  }

  #remove(entry: Entry): void {
    const last = this.#heap.pop() as Entry;
    if (last !== entry) {
      last.place = entry.place;
      this.#rise(last);
      this.#sink(last);
    }
    entry.place = -1;
  }

  /** Moves the entry from its place towards the top, while it is before its parent. */
  #rise(entry: Entry): void {
    const heap = this.#heap;
    let { place } = entry;
    while (place > 0) {
      const parent = heap[(place - 1) >> 1] as Entry;
      if (!before(entry, parent)) break;
      const upper = parent.place;
      this.#put(parent, place);
      place = upper;
    }
    this.#put(entry, place);
  }

  /** Moves the entry from its place towards the bottom, while a child is before it. */
  #sink(entry: Entry): void {
    const heap = this.#heap;
    let { place } = entry;
    for (;;) {
      const left = heap[2 * place + 1];
      const right = heap[2 * place + 2];
      const child = left && right && before(right, left) ? right : left;
      if (!child || !before(child, entry)) break;
      const lower = child.place;
      this.#put(child, place);
      place = lower;
    }
    this.#put(entry, place);
  }

  #put(entry: Entry, place: number): void {
    this.#heap[place] = entry;
    entry.place = place;
  }
}

function before(a: Entry, b: Entry): boolean {
  return a.due < b.due || (a.due === b.due && a.id < b.id);
}
