import { arms, disarms } from '../state-timers.ts';

/** From the first ring to the end of the call. */
export const lifecycle = {
  initial: 'queued',
  states: {
    queued: {
      on: {
        'leg.answered': 'ongoing',
        'leg.failed': { target: 'finished', actions: 'legFailed' },
        'remote.hangup': { target: 'finished', actions: 'hungUp' },
        'system.end': 'finished',
      },
    },
    ongoing: {
      entry: ['answerCall', arms('maxDuration', 'maxDuration')],
      exit: disarms('maxDuration', 'maxDurationGrace'),
      on: {
        'internal.close': 'closing',
        'internal.finish': 'finished',
        'internal.bridged': 'forwarded',
        'timer.maxDuration': [
          {
            guard: 'saysProtected',
            actions: ['timeUp', arms('maxDurationGrace', 'maxDurationGraceMs')],
          },
          { actions: ['timeUp', 'finish'] },
        ],
        'timer.maxDurationGrace': 'finished',
        'remote.hangup': { target: 'finished', actions: 'hungUp' },
        'timer.mediaLost': { target: 'finished', actions: 'lostForGood' },
        'internal.replyOver': { guard: 'mustEnd', actions: 'endAfterReply' },
        'system.end': { actions: 'systemEnd' },
      },
    },
    closing: {
      entry: [disarms('toolDelay', 'toolGate'), arms('farewell', 'farewellMaxMs')],
      on: {
        'internal.finish': 'finished',
        'internal.replyOver': 'finished',
        'timer.farewell': 'finished',
        'timer.mediaLost': 'finished',
        'remote.hangup': 'finished',
      },
    },
    /** X5: the caller talks with the operator; the assistant is silent. */
    forwarded: {
      entry: ['disarmAll', arms('bridged', 'bridgedMaxMs')],
      on: {
        'internal.finish': 'finished',
        'remote.hangup': 'finished',
        'operator.hungUp': { guard: 'sameLeg', target: 'finished' },
        // R6: the operator's leg is asked for when the caller is back; then it is here again, or cannot be.
        'process.lost': { actions: disarms('operatorBack') },
        'operator.answered': {
          guard: 'sameLeg',
          actions: [disarms('operatorBack'), 'bridgeAgain'],
        },
        'operator.failed': { guard: 'sameLeg', target: 'finished' },
        'timer.operatorBack': 'finished',
        'timer.mediaLost': 'finished',
        'timer.bridged': 'finished',
        'system.end': { actions: 'systemEnd' },
      },
    },
    finished: { entry: ['recordLastWords', 'finishCall', 'disarmAll'] },
  },
} as const;
