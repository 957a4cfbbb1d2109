import type { VirtualClock } from '../../lib/virtual-clock.ts';
import type { Timer as ClockTimer } from '../../ports/clock.ts';
import type { CallCommand, StampedCommand } from './commands.ts';
import type { Chart, Effects } from './effects.ts';
import type { InternalEvent, InternalEventType } from './internal-events.ts';
import type { Timer } from './timers.ts';

interface Armed {
  readonly at: number;
  readonly timer: ClockTimer;
}

/** Collects commands and raised events of the rules, and keeps timers on the call's own clock. */
export class CallEffects implements Effects {
  readonly #clock: VirtualClock;
  readonly #chart: () => Chart;
  readonly #armed = new Map<Timer, Armed>();
  readonly #inbox: InternalEvent[] = [];
  #commands: StampedCommand[] = [];

  constructor(clock: VirtualClock, chart: () => Chart) {
    this.#clock = clock;
    this.#chart = chart;
  }

  get now(): number {
    return this.#clock.now();
  }

  get chart(): Chart {
    return this.#chart();
  }

  get isSettled(): boolean {
    return this.#inbox.length === 0;
  }

  emit(command: CallCommand): void {
    this.#commands.push({ ...command, at: this.now });
  }

  raise(type: InternalEventType): void {
    this.#inbox.push({ type });
  }

  arm(timer: Timer, at: number): void {
    if (this.#armed.get(timer)?.at === at) return;
    this.disarm(timer);
    const due = () => {
      this.#armed.delete(timer);
      this.#inbox.push({ type: `timer.${timer}` });
    };
    this.#armed.set(timer, { at, timer: this.#clock.setTimeout(due, at - this.now) });
  }

  armIn(timer: Timer, delayMs: number): void {
    this.arm(timer, this.now + delayMs);
  }

  disarm(...timers: readonly Timer[]): void {
    for (const name of timers) {
      const armed = this.#armed.get(name);
      if (!armed) continue;
      this.#clock.clearTimeout(armed.timer);
      this.#armed.delete(name);
    }
  }

  disarmAll(): void {
    this.disarm(...this.#armed.keys());
  }

  /** The timers that run, and when each is due, in the order in which they will fire. */
  get timers(): readonly (readonly [Timer, number])[] {
    // The clock fires those of one instant in the order in which they were armed, as the map holds them.
    return [...this.#armed]
      .map(([timer, { at }]) => [timer, at] as const)
      .sort(([, a], [, b]) => a - b);
  }

  /** The next raised event, in order. */
  takeRaised(): InternalEvent | undefined {
    return this.#inbox.shift();
  }

  /** The commands since the last time. */
  takeCommands(): readonly StampedCommand[] {
    const commands = this.#commands;
    this.#commands = [];
    return commands;
  }
}
