import { findUtterance } from '../reply/reply.ts';
import { isInPlayout, wasHeard } from '../reply/reply-phase.ts';
import { welcomesLater } from '../reply/welcome.ts';
import type { CallState } from '../state/call-state.ts';
import { isResultDue } from '../tools/late-results.ts';
import { isDeaf } from '../turn/floor.ts';
import { isNothingUnderWay } from '../turn/idle.ts';
import { keepsReply } from '../turn/mute.ts';
import { turnText } from '../turn/user-turn.ts';
import type { ChartEvent } from './chart-events.ts';
import { isSayDue } from './control.ts';
import type { Chart, Effects } from './effects.ts';

/** What the statechart passes to guards and actions. */
export interface Given {
  readonly state: CallState;
  readonly effects: Effects;
  readonly event: ChartEvent;
}

/** `chart`: the states at that moment; those of `effects` are the ones before the event. */
type Guard = (given: Given, chart: Chart) => boolean;

/** No raised event is waiting, and there is nothing to be said. */
const isSettled = ({ state, effects }: Given) =>
  effects.isSettled && !isSayDue(state) && !isResultDue(state);

const isQuiet: Guard = (given, chart) =>
  isSettled(given) &&
  isNothingUnderWay(given.state) &&
  chart.lifecycle === 'ongoing' &&
  chart.user === 'silent' &&
  chart.assistant === 'idle' &&
  chart.media === 'connected' &&
  chart.screening !== 'machine' &&
  chart.welcome !== 'due';

/** The voice that just started begins a turn of the caller, or continues one. */
const callerBegins: Guard = ({ state, effects }, { user }) =>
  user === 'pausing' || (user === 'silent' && !isDeaf(state, effects));

export const guards = {
  hasText: ({ state }) => turnText(state) !== '',
  mustEnd: ({ state }) => state.ending !== undefined,
  deaf: ({ state, effects }) => isDeaf(state, effects),
  /** V1: the called party's words are being classified. */
  screened: ({ state, effects }) =>
    effects.chart.screening === 'classifying' && turnText(state) !== '',
  transferRequested: ({ state }) =>
    state.transfer.requested !== undefined && !state.assistant.reply,
  /** Events of a leg that was hung up are ignored. */
  sameLeg: ({ state, event }) => 'legId' in event && event.legId === state.transfer.current?.legId,
  /** W1: the caller spoke first, and the welcome message is the answer. */
  greeted: ({ state }) => state.user.turn?.greeted === true && turnText(state) !== '',
  /** The assistant still speaks, or it is not yet known how much was heard. */
  floorTaken: ({ state }) => {
    const { reply } = state.assistant;
    // W4: a protected welcome is said in any case.
    const isDue = reply?.kind === 'welcome' && reply.isProtected;
    return reply !== undefined && (wasHeard(reply) || isDue);
  },
  /** Only an utterance that was sent to playout can be heard. */
  wasSent: ({ state, event }) => {
    const utterance = 'uttId' in event ? findUtterance(state, event.uttId) : undefined;
    return utterance !== undefined && isInPlayout(utterance);
  },
  /** E5: a protected reply may finish, within limits. */
  saysProtected: ({ state }) => state.assistant.reply?.isProtected === true,
  /** B4: the recogniser is too slow to tell an interruption from a noise. */
  hearsSlowly: ({ state }) => state.user.sttDown || state.settings.sttP99Ms > 1000,
  notMuted: ({ state }) => !state.assistant.muted,
  hasNoReply: ({ state }) => state.assistant.reply === undefined,
  welcomesLater: ({ state }) => welcomesLater(state),

  callerSpeaks: (_given, { user }) => user === 'speaking',
  callerBegins,
  screenedPartyBegins: (given, chart) =>
    callerBegins(given, chart) && chart.screening === 'listening',
  sayIsDue: ({ state, effects }, { lifecycle }) =>
    effects.isSettled && isSayDue(state) && lifecycle === 'ongoing',
  resultIsDue: ({ state, effects }, { lifecycle }) =>
    effects.isSettled && isResultDue(state) && lifecycle === 'ongoing',
  isQuiet,
  isNotQuiet: (given, chart) => isSettled(given) && !isQuiet(given, chart),
  keepsMutedReply: (given) => isSettled(given) && keepsReply(given.state),
  keepsNoMutedReply: (given) => isSettled(given) && !keepsReply(given.state),
} satisfies Record<string, Guard>;
