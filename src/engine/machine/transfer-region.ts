/** X: where a transfer stands, as a region of the statechart. */
export const transferRegion = {
  initial: 'none',
  on: {
    'mind.transferOver': '.none',
    'mind.bridged': '.none',
    'mind.close': '.none',
    'mind.finish': '.none',
    'mind.summed': { actions: 'summaryDone' },
  },
  states: {
    none: {
      on: {
        'mind.transfer': 'announcing',
        'mind.replyOver': { guard: 'transferDue', actions: 'beginDueTransfer' },
      },
    },
    announcing: {
      on: {
        'mind.announced': 'dialing',
        'mind.replyOver': { guard: 'hasNoReply', target: 'dialing' },
        'due.transfer': 'dialing',
      },
    },
    dialing: {
      entry: 'dialOperator',
      on: {
        'operator.answered': {
          guard: 'sameLeg',
          target: 'briefing',
          actions: 'operatorAnswered',
        },
        'operator.accepted': { guard: 'sameLeg', actions: 'handOver' },
        'operator.failed': { guard: 'sameLeg', actions: 'operatorFailed' },
        'operator.hungUp': { guard: 'sameLeg', actions: 'lineFailed' },
        'due.transfer': { actions: 'transferTimedOut' },
        'stt.final': { actions: 'heardOnHold' },
      },
    },
    briefing: {
      on: {
        'mind.bridge': { actions: 'bridgeOperator' },
        'operator.accepted': { guard: 'sameLeg', actions: 'bridgeOperator' },
        'operator.declined': { guard: 'sameLeg', actions: 'operatorDeclined' },
        'operator.failed': { guard: 'sameLeg', actions: 'lineFailed' },
        'operator.hungUp': { guard: 'sameLeg', actions: 'operatorLeft' },
        'due.briefing': { actions: 'briefOperator' },
        'due.transfer': { actions: 'transferTimedOut' },
        'stt.final': { actions: 'heardOnHold' },
      },
    },
  },
} as const;
