import { arms, disarms } from '../state-timers.ts';

/**
 * I, Y1, T5: who has the floor. While nobody has it the assistant says what waits to be said; where nothing does,
 * the caller's silence is timed.
 */
export const floor = {
  initial: 'busy',
  always: [
    { guard: 'sayIsDue', actions: 'sayNext' },
    { guard: 'resultIsDue', actions: 'tellLateResults' },
  ],
  on: { 'timer.callerHold': { target: '.busy', actions: 'endCallerHold' } },
  states: {
    busy: { always: { guard: 'isQuiet', target: 'quiet' } },
    quiet: {
      entry: arms('idle', 'idleTimeout'),
      exit: disarms('idle'),
      always: { guard: 'isNotQuiet', target: 'busy' },
      on: { 'timer.idle': { actions: 'promptIdle' } },
    },
  },
} as const;
