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
import type { Effects } from './effects.ts';

/** What the statechart passes to guards and actions. */
export interface Given {
  readonly context: CallContext;
  readonly event: ChartEvent;
}

export interface CallContext {
  readonly state: CallState;
  readonly effects: Effects;
}

export const guards = {
  hasText: ({ context: { state } }: Given) => turnText(state) !== '',
  mustEnd: ({ context: { state } }: Given) => state.ending !== undefined,
  deaf: ({ context: { state, effects } }: Given) => isDeaf(state, effects),
  /** V1: the called party's words are being classified. */
  screened: ({ context: { state, effects } }: Given) =>
    effects.chart.screening === 'classifying' && turnText(state) !== '',
  transferRequested: ({ context: { state } }: Given) =>
    state.transfer.requested !== undefined && !state.assistant.reply,
  /** Events of a leg that was hung up are ignored. */
  sameLeg: ({ context: { state }, event }: Given) =>
    'legId' in event && event.legId === state.transfer.current?.legId,
  /** W1: the caller spoke first, and the welcome message is the answer. */
  greeted: ({ context: { state } }: Given) =>
    state.user.turn?.greeted === true && turnText(state) !== '',
  /** The assistant still speaks, or it is not yet known how much was heard. */
  floorTaken: ({ context: { state } }: Given) => {
    const { reply } = state.assistant;
    // W4: a protected welcome is said in any case.
    const isDue = reply?.kind === 'welcome' && reply.isProtected;
    return reply !== undefined && (wasHeard(reply) || isDue);
  },
  /** Only an utterance that was sent to playout can be heard. */
  wasSent: ({ context: { state }, event }: Given) => {
    const utterance = 'uttId' in event ? findUtterance(state, event.uttId) : undefined;
    return utterance !== undefined && isInPlayout(utterance);
  },
  /** E5: a protected reply may finish, within limits. */
  saysProtected: ({ context: { state } }: Given) => state.assistant.reply?.isProtected === true,
  /** B4: the recogniser is too slow to tell an interruption from a noise. */
  hearsSlowly: ({ context: { state } }: Given) =>
    state.user.sttDown || state.settings.sttP99Ms > 1000,
  notMuted: ({ context: { state } }: Given) => !state.assistant.muted,
  hasNoReply: ({ context: { state } }: Given) => state.assistant.reply === undefined,
  welcomesLater: ({ context: { state } }: Given) => welcomesLater(state),

  sayWaits: ({ context: { state, effects } }: Given) => effects.isSettled && isSayDue(state),
  resultWaits: ({ context: { state, effects } }: Given) => effects.isSettled && isResultDue(state),
  /** No raised event is waiting, and there is nothing to be said. */
  settled: ({ context: { state, effects } }: Given) =>
    effects.isSettled && !isSayDue(state) && !isResultDue(state),
  nothingUnderWay: ({ context: { state } }: Given) => isNothingUnderWay(state),
  mutedReply: ({ context: { state } }: Given) => keepsReply(state),
};
