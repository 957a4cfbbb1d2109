import { arms, disarms } from '../state-timers.ts';

/** Y4: a reply that a mute keeps back is kept for a while only. */
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
