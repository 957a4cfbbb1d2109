import type { AssistantState, UserState } from '../../contract/call-journal.ts';
import { VirtualClock } from '../../lib/virtual-clock.ts';
import type { CallSettings } from '../settings/settings.ts';
import type { CallState } from '../state/call-state.ts';
import { CallEffects } from './call-effects.ts';
import type { ChartEvent, EngineEvent } from './chart-events.ts';
import type { StampedCommand } from './commands.ts';
import { DATA_EVENTS } from './data-events.ts';
import type { Chart, Rule } from './effects.ts';
import type { StampedEvent } from './events.ts';
import { callMachine } from './machine.ts';
import { newCallState } from './new-call-state.ts';
import type { Timer } from './timers.ts';

/** Must be raised whenever the same journal may lead to other commands. */
export const ENGINE_VERSION = '30';

// More internal events than this for one event mean an endless loop.
const MAX_INTERNAL_EVENTS = 1000;

const SETTLED = { type: 'internal.settled' } as const;

const RULES: ReadonlyMap<string, Rule<EngineEvent>> = new Map(
  Object.entries(DATA_EVENTS) as [string, Rule<EngineEvent>][],
);

export type CallView = Pick<Chart, 'lifecycle' | 'user' | 'assistant'>;

/** All that the engine knows of a call between two events: plain JSON. */
export interface EngineSnapshot {
  /** Ms since the call was created. */
  readonly now: number;
  readonly state: CallState;
  readonly chart: Chart;
  /** The timers that run, and when each is due, in the order in which they will fire. */
  readonly timers: readonly (readonly [Timer, number])[];
}

/**
 * The engine of one call: an ordered log of events in, commands out. It runs on its own virtual clock, which the
 * session of a live call advances by the wall clock, so a replay gives the same commands.
 */
export class Call {
  readonly #clock: VirtualClock;
  readonly #state: CallState;
  readonly #effects: CallEffects;
  #chart: Chart;
  #seenUser: UserState;
  #seenAssistant: AssistantState;

  /** A new call, or one that goes on from a snapshot, which belongs to it from then on. */
  constructor(init: { readonly settings: CallSettings } | { readonly snapshot: EngineSnapshot }) {
    const snapshot = 'snapshot' in init ? init.snapshot : undefined;
    this.#clock = new VirtualClock(snapshot?.now);
    this.#state = 'settings' in init ? newCallState(init.settings) : init.snapshot.state;
    this.#effects = new CallEffects(this.#clock, () => this.#chart);
    this.#chart = snapshot?.chart ?? callMachine.initial;
    for (const [timer, at] of snapshot?.timers ?? []) this.#effects.arm(timer, at);
    this.#seenUser = snapshot?.chart.user ?? 'silent';
    this.#seenAssistant = snapshot?.chart.assistant ?? 'idle';
  }

  get view(): CallView {
    const { lifecycle, user, assistant } = this.#chart;
    return { lifecycle, user, assistant };
  }

  /** The call as it is; its state goes on changing. */
  get snapshot(): EngineSnapshot {
    const { timers, now } = this.#effects;
    return { now, state: this.#state, chart: this.#chart, timers };
  }

  /**
   * Fires the timers that are due by then, each at its own instant, then handles the event, then fires the timers that
   * it armed for the same instant; a timer of the session would be a millisecond late. Returns all commands in order.
   */
  dispatch(event: StampedEvent): readonly StampedCommand[] {
    this.#advance(event.at);
    if (this.#chart.lifecycle !== 'finished') {
      this.#send(event);
      this.#settle();
      this.#advance(event.at);
    }
    return this.#effects.takeCommands();
  }

  /** Fires the timers that are due by then. Returns their commands. */
  advanceTo(at: number): readonly StampedCommand[] {
    this.#advance(at);
    return this.#effects.takeCommands();
  }

  /** When the next timer is due, in ms since the call was created. */
  nextDueAt(): number | undefined {
    return this.#clock.nextDueAt();
  }

  /** The call's current data: plain JSON. */
  get state(): Readonly<CallState> {
    return this.#state;
  }

  stop(): void {
    this.#effects.disarmAll();
  }

  #advance(at: number): void {
    for (
      let due = this.#clock.nextDueAt();
      due !== undefined && due <= at;
      due = this.#clock.nextDueAt()
    ) {
      this.#clock.advanceTo(due);
      this.#settle();
    }
    this.#clock.advanceTo(at);
  }

  #settle(): void {
    let count = 0;
    for (let next = this.#effects.takeRaised(); next; next = this.#effects.takeRaised()) {
      if (++count > MAX_INTERNAL_EVENTS) throw new Error('the call does not come to rest');
      this.#send(next);
    }
    this.#send(SETTLED);
    this.#showStates();
  }

  #send(event: EngineEvent): void {
    const rule = RULES.get(event.type);
    if (rule) {
      rule(this.#state, this.#effects, event);
      return;
    }
    const given = { state: this.#state, effects: this.#effects, event: event as ChartEvent };
    this.#chart = callMachine.send(this.#chart, given);
  }

  #showStates(): void {
    const { user, assistant, lifecycle } = this.#chart;
    if (user === this.#seenUser && assistant === this.#seenAssistant) return;
    this.#seenUser = user;
    this.#seenAssistant = assistant;
    if (lifecycle !== 'finished') this.#effects.emit({ type: 'state', user, assistant });
  }
}
