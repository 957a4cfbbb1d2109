import { arms, disarms } from '../state-timers.ts';

/** W1, W3: the welcome of a called party waits for their first words, or for silence. */
export const welcome = {
  initial: 'none',
  states: {
    none: { on: { 'leg.answered': { guard: 'welcomesLater', target: 'due' } } },
    due: {
      entry: arms('welcome', 'welcomeDelay'),
      exit: disarms('welcome'),
      on: {
        // The called party speaks, and the welcome waits until they pause.
        'internal.voiceStarted': [
          { guard: 'screenedPartyBegins', actions: arms('welcome', 'screenMaxMs') },
          { guard: 'callerBegins', actions: arms('welcome', 'welcomePauseMs') },
        ],
        'timer.welcome': { target: 'over', actions: 'speakWelcome' },
        'timer.screen': 'over',
        'internal.machine': 'over',
        'internal.transfer': 'over',
        'internal.close': 'over',
        'internal.finish': 'over',
      },
    },
    over: {},
  },
} as const;
