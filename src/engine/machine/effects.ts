import type { AssistantState, UserState } from '../../contract/call-journal.ts';
import type { CallState } from '../state/call-state.ts';
import type { CallCommand } from './commands.ts';
import type { InternalEventType } from './internal-events.ts';
import type { Timer } from './timers.ts';

/** Where the statechart stands. */
export interface Chart {
  readonly lifecycle: 'queued' | 'ongoing' | 'closing' | 'forwarded' | 'finished';
  readonly user: UserState;
  readonly assistant: AssistantState;
  readonly screening: 'off' | 'listening' | 'classifying' | 'machine';
  readonly welcome: 'none' | 'due' | 'over';
  readonly transfer: 'none' | 'announcing' | 'dialing' | 'briefing';
  readonly media: 'connected' | 'lost';
}

/** What a rule may do beside changing the call's data. Instants are ms since the call was created. */
export interface Effects {
  readonly now: number;
  /** As it stood before the event that is being handled. */
  readonly chart: Chart;
  /** Nothing was raised that the statechart does not know yet. */
  readonly isSettled: boolean;
  emit(command: CallCommand): void;
  /** Tells the statechart something, once the event that is being handled is done. */
  raise(type: InternalEventType): void;
  /** (Re-)arms a timer; it comes back as `timer.<name>`. */
  arm(timer: Timer, at: number): void;
  armIn(timer: Timer, delayMs: number): void;
  disarm(...timers: readonly Timer[]): void;
  disarmAll(): void;
}

/** What follows from an event: changes of the call's data, and effects. */
export type Rule<Event> = (state: CallState, effects: Effects, event: Event) => void;
