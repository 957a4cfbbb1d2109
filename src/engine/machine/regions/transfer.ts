import { arms, disarms } from '../state-timers.ts';

/** X: the progress of a transfer. */
export const transfer = {
  initial: 'none',
  on: {
    'internal.transferOver': '.none',
    'internal.bridged': '.none',
    'internal.close': '.none',
    'internal.finish': '.none',
    'internal.summed': { actions: 'summaryDone' },
  },
  states: {
    none: {
      on: {
        'internal.transfer': 'announcing',
        'internal.replyOver': { guard: 'transferRequested', actions: 'beginRequestedTransfer' },
      },
    },
    announcing: {
      entry: [disarms('toolDelay'), arms('transfer', 'farewellMaxMs')],
      exit: disarms('transfer'),
      on: {
        'internal.announced': 'dialing',
        'internal.replyOver': { guard: 'hasNoReply', target: 'dialing' },
        'timer.transfer': 'dialing',
      },
    },
    dialing: {
      entry: ['dialOperator', arms('transfer', 'transferTimeout')],
      exit: disarms('transfer'),
      on: {
        'operator.answered': { guard: 'sameLeg', target: 'briefing', actions: 'operatorAnswered' },
        'operator.accepted': { guard: 'sameLeg', actions: 'handOver' },
        'operator.failed': { guard: 'sameLeg', actions: 'operatorFailed' },
        'operator.hungUp': { guard: 'sameLeg', actions: 'lineFailed' },
        'timer.transfer': { actions: 'transferTimedOut' },
      },
    },
    briefing: {
      entry: [arms('transfer', 'briefingMaxMs'), arms('briefing', 'summaryWaitMs')],
      exit: disarms('transfer', 'briefing'),
      on: {
        'internal.bridge': { actions: 'bridgeOperator' },
        'operator.accepted': { guard: 'sameLeg', actions: 'bridgeOperator' },
        'operator.declined': { guard: 'sameLeg', actions: 'operatorDeclined' },
        'operator.failed': { guard: 'sameLeg', actions: 'lineFailed' },
        'operator.hungUp': { guard: 'sameLeg', actions: 'operatorLeft' },
        'timer.briefing': { actions: 'briefOperator' },
        'timer.transfer': { actions: 'transferTimedOut' },
      },
    },
  },
} as const;
