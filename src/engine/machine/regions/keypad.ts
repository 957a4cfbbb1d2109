import { arms, disarms } from '../state-timers.ts';

/** D: collects the keys that the caller presses, until none has come for a while. */
export const keypad = {
  initial: 'idle',
  states: {
    idle: { on: { 'internal.key': 'collecting' } },
    collecting: {
      entry: arms('keys', 'dtmfGapMs'),
      exit: disarms('keys'),
      on: {
        'internal.key': { target: 'collecting', reenter: true },
        'internal.keysTaken': 'idle',
        'internal.transfer': 'idle',
        'timer.keys': { target: 'idle', actions: 'flushKeys' },
      },
    },
  },
} as const;
