import { arms, disarms } from '../state-timers.ts';

/** C, N, K2: the caller's turn. */
export const user = {
  initial: 'silent',
  on: {
    'internal.close': { target: '.silent', actions: 'recordLastWords' },
    'internal.transfer': { target: '.silent', actions: 'recordLastWords' },
    'internal.machine': { target: '.silent', actions: 'recordLastWords' },
    'internal.finish': '.silent',
    'internal.keyed': { target: '.pausing', actions: 'armEndpoint' },
  },
  states: {
    silent: {
      entry: disarms('contentExpiry', 'ungate', 'draft'),
      on: {
        'internal.voiceStarted': [
          { guard: 'deaf' },
          { target: 'speaking', actions: 'voiceStarted' },
        ],
        'internal.turnOpened': { target: 'pausing', actions: 'armEndpoint' },
      },
    },
    speaking: {
      entry: arms('voiceAlive', 'voiceSilenceMs'),
      exit: disarms('voiceAlive'),
      on: {
        'internal.voiceStopped': { target: 'pausing', actions: ['voiceStopped', 'armEndpoint'] },
        'timer.voiceAlive': { target: 'pausing', actions: ['voiceVanished', 'armEndpoint'] },
      },
    },
    pausing: {
      exit: disarms('endpoint', 'predict', 'noText', 'backchannel'),
      on: {
        'internal.voiceStarted': { target: 'speaking', actions: 'voiceStarted' },
        'timer.backchannel': { actions: 'giveBackchannel' },
        'timer.endpoint': [
          { guard: 'screened', target: 'silent', actions: 'greetHuman' },
          { guard: 'greeted', target: 'silent', actions: 'commitTurn' },
          { guard: 'floorTaken', actions: 'waitForFloor' },
          { guard: 'hasText', target: 'silent', actions: 'commitTurn' },
          { target: 'silent', actions: 'dropTurn' },
        ],
        'timer.predict': { actions: ['askAgain', 'armEndpoint'] },
        'timer.noText': { target: 'silent', actions: 'dropTurn' },
        'timer.contentExpiry': { target: 'silent', actions: 'dropTurn' },
        'internal.keyed': { actions: 'armEndpoint' },
        'internal.replyOver': { guard: 'hasText', actions: 'armEndpoint' },
      },
    },
  },
} as const;
