import { arms, disarms } from '../state-timers.ts';

/** Y4: a muted assistant keeps its reply for a limited time. */
export const output = {
  initial: 'free',
  states: {
    free: { always: { guard: 'keepsMutedReply', target: 'keeping' } },
    keeping: {
      entry: arms('muted', 'mutedMaxMs'),
      exit: disarms('muted'),
      always: { guard: 'keepsNoMutedReply', target: 'free' },
      on: { 'timer.muted': { target: 'free', actions: 'dropMuted' } },
    },
  },
} as const;
