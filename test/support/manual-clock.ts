import { setImmediate as nextTurn } from 'node:timers/promises';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';

/** Virtual time for asynchronous code: promises settle between one due timer and the next. */
export class ManualClock extends VirtualClock {
  /** Steps through everything due in the next `ms`. */
  async advance(ms: number): Promise<void> {
    const end = this.now() + ms;
    await nextTurn();
    for (let due = this.nextDueAt(); due !== undefined && due <= end; due = this.nextDueAt()) {
      this.advanceTo(due);
      await nextTurn();
    }
    this.advanceTo(end);
    await nextTurn();
  }
}
