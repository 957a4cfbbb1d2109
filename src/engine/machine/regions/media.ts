import { disarms } from '../timers.ts';

/** E4: the caller's connection. */
export const media = {
  initial: 'connected',
  on: {
    'media.lost': '.lost',
    'media.resumed': { target: '.connected', actions: 'mediaResumed' },
  },
  states: {
    connected: {},
    lost: {
      entry: ['armMediaLost', disarms('stall')],
      exit: disarms('mediaLost'),
    },
  },
} as const;
