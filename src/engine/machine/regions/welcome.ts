import { disarms } from '../timers.ts';

/** W1, W3: a welcome that waits for the called party's first words, or for silence. */
export const welcome = {
  initial: 'none',
  states: {
    none: { on: { 'leg.answered': { guard: 'welcomesLater', target: 'due' } } },
    due: {
      entry: 'armWelcome',
      exit: disarms('welcome'),
      on: {
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
