import { and, not, or, setup, stateIn } from 'xstate';
import { actions } from './actions.ts';
import type { ChartEvent } from './chart-events.ts';
import { type CallContext, guards } from './guards.ts';
import { assistant } from './regions/assistant.ts';
import { floor } from './regions/floor.ts';
import { keypad } from './regions/keypad.ts';
import { lifecycle } from './regions/lifecycle.ts';
import { media } from './regions/media.ts';
import { output } from './regions/output.ts';
import { screening } from './regions/screening.ts';
import { transfer } from './regions/transfer.ts';
import { user } from './regions/user.ts';
import { welcome } from './regions/welcome.ts';

/** The statechart of one call. It says what may happen when; the rules, in files of their own, say what is done. */
export const callMachine = setup({
  types: {} as { context: CallContext; input: CallContext; events: ChartEvent },
  guards: {
    ...guards,
    sayIsDue: and(['sayWaits', stateIn({ lifecycle: 'ongoing' })]),
    resultIsDue: and(['resultWaits', stateIn({ lifecycle: 'ongoing' })]),
    isQuiet: and([
      'settled',
      'nothingUnderWay',
      stateIn({ lifecycle: 'ongoing', user: 'silent', assistant: 'idle', media: 'connected' }),
      not(stateIn({ screening: 'machine' })),
      not(stateIn({ welcome: 'due' })),
    ]),
    isNotQuiet: and(['settled', not('isQuiet')]),
    callerSpeaks: stateIn({ user: 'speaking' }),
    /** The voice that just started begins a turn of the caller, or continues one. */
    callerBegins: or([
      stateIn({ user: 'pausing' }),
      and([stateIn({ user: 'silent' }), not('deaf')]),
    ]),
    screenedPartyBegins: and(['callerBegins', stateIn({ screening: 'listening' })]),
    keepsMutedReply: and(['settled', 'mutedReply']),
    keepsNoMutedReply: and(['settled', not('mutedReply')]),
  },
  actions,
}).createMachine({
  id: 'call',
  context: ({ input }) => input,
  type: 'parallel',
  // Regions act in this order, which decides which of two timers of the same instant fires first.
  states: {
    lifecycle,
    screening,
    welcome,
    user,
    keypad,
    assistant,
    floor,
    transfer,
    media,
    output,
  },
});
