import type { Clock, Timer } from '../ports/clock.ts';
import { systemClock } from './system-clock.ts';
import { VirtualClock } from './virtual-clock.ts';

interface PromptTimer {
  usual: Timer;
  prompt: Timer;
}

/**
 * A clock whose timers also ring when somebody calls `ring`, which costs next to nothing: on a busy thread this is
 * sooner. Timers of Node ring at whole ms, up to two late even if the thread wakes many times in between.
 */
export class PromptClock implements Clock {
  readonly #clock: Clock;
  readonly #dues: VirtualClock;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#dues = new VirtualClock(clock.now());
  }

  now(): number {
    return this.#clock.now();
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    const timer: PromptTimer = { usual: undefined, prompt: undefined };
    const ring = () => {
      this.clearTimeout(timer);
      callback();
    };
    timer.usual = this.#clock.setTimeout(ring, Math.max(0, Math.ceil(delayMs)));
    timer.prompt = this.#dues.setTimeout(ring, this.now() + delayMs - this.#dues.now());
    return timer;
  }

  clearTimeout(timer: Timer): void {
    if (timer === undefined) return;
    const { usual, prompt } = timer as PromptTimer;
    this.#clock.clearTimeout(usual);
    this.#dues.clearTimeout(prompt);
  }

  /** Rings the timers that are due. */
  ring(): void {
    this.#dues.advanceTo(this.#clock.now());
  }
}

/** The timers of the calls of this thread; each message of a socket rings them. */
export const callClock = new PromptClock(systemClock);
