import { arms, disarms } from '../state-timers.ts';

/** E4: the caller's connection. */
export const media = {
  initial: 'connected',
  on: {
    'media.lost': '.lost',
    'media.resumed': '.connected',
  },
  states: {
    connected: {},
    lost: { entry: arms('mediaLost', 'mediaLost'), exit: disarms('mediaLost') },
  },
} as const;
