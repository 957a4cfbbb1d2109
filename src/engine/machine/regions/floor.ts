import { arms, disarms } from '../state-timers.ts';

/**
 * I, Y1, T5: the floor. While it is free, the assistant says what is waiting to be said. If nothing is, the idle timer
 * runs.
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
