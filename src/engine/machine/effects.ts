import type { AssistantState, UserState } from '../../contract/call-journal.ts';
import type { CallState } from '../state/call-state.ts';
import type { CallCommand } from './commands.ts';
import type { InternalEventType } from './internal-events.ts';
import type { Timer } from './timers.ts';

/** The current states of the statechart's regions. */
export interface Chart {
  readonly lifecycle: 'queued' | 'ongoing' | 'closing' | 'forwarded' | 'finished';
  readonly user: UserState;
  readonly assistant: AssistantState;
  readonly screening: 'off' | 'listening' | 'classifying' | 'machine';
  readonly welcome: 'none' | 'due' | 'over';
  readonly transfer: 'none' | 'announcing' | 'dialing' | 'briefing';
  readonly media: 'connected' | 'lost' | 'away';
  readonly keypad: 'idle' | 'collecting';
  readonly floor: 'busy' | 'quiet';
  readonly output: 'free' | 'keeping';
}

/** What a rule may do besides changing the call's data. Instants are ms since the call was created. */
export interface Effects {
  readonly now: number;
  /** The states before the current event. */
  readonly chart: Chart;
  /** No raised event is waiting to be handled. */
  readonly isSettled: boolean;
  emit(command: CallCommand): void;
  /** Raises an event, which is handled after the current one. */
  raise(type: InternalEventType): void;
  /** Arms a timer, or moves it; when it is due, `timer.<name>` is raised. */
  arm(timer: Timer, at: number): void;
  armIn(timer: Timer, delayMs: number): void;
  disarm(...timers: readonly Timer[]): void;
  disarmAll(): void;
}

/** Handles an event: changes the call's data and has effects. */
export type Rule<Event> = (state: CallState, effects: Effects, event: Event) => void;
