import { arms, disarms } from '../state-timers.ts';

/** E4: the caller's connection. */
export const media = {
  initial: 'connected',
  on: {
    'media.lost': '.lost',
    'process.lost': '.away',
    'media.resumed': '.connected',
  },
  states: {
    connected: {},
    lost: { entry: arms('mediaLost', 'mediaLost'), exit: disarms('mediaLost') },
    // R5: the call is here again only since another process has it, and how long that may take is the service's to say.
    away: {},
  },
} as const;
