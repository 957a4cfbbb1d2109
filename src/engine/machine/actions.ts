import type { EndReason } from '../../contract/failures.ts';
import { beginFarewell, endAfterReply, finishCall } from '../reply/farewell.ts';
import { playbackStalled, playStarted, resumePlayback } from '../reply/playback.ts';
import { answerCall, speakWelcome } from '../reply/welcome.ts';
import type { CallState } from '../state/call-state.ts';
import { tellLateResults } from '../tools/late-results.ts';
import * as transfer from '../transfer/transfer.ts';
import { askPredictor } from '../turn/ask-predictor.ts';
import { awaitBackchannel, giveBackchannel } from '../turn/backchannel.ts';
import * as bargeIn from '../turn/barge-in.ts';
import { endCallerHold } from '../turn/caller-hold.ts';
import { commitTurn, recordLastWords } from '../turn/commit-turn.ts';
import { promptIdle } from '../turn/idle.ts';
import { flushKeys } from '../turn/keypad.ts';
import { dropMuted } from '../turn/mute.ts';
import { awaitWords } from '../turn/near-voice.ts';
import * as screening from '../turn/screening.ts';
import { armEndpoint } from '../turn/turn-end.ts';
import * as userTurn from '../turn/user-turn.ts';
import type { ChartEvent, EventOf } from './chart-events.ts';
import { sayNext } from './control.ts';
import type { Effects } from './effects.ts';
import type { Given } from './guards.ts';
import { type ArmParams, type DisarmParams, delayMs } from './state-timers.ts';

/** A rule as an action of the statechart, for any event. */
const act =
  (rule: (state: CallState, effects: Effects) => void) =>
  ({ state, effects }: Given) =>
    rule(state, effects);

/** A rule as an action for one type of event; the statechart may use it at that event alone. */
const on =
  <Type extends ChartEvent['type']>(
    rule: (state: CallState, effects: Effects, event: EventOf<Type>) => void,
  ) =>
  ({ state, effects, event }: Given) =>
    rule(state, effects, event as EventOf<Type>);

const ends = (reason: EndReason, trigger: 'user' | 'assistant' | undefined) =>
  act((state) => {
    state.ending ??= { reason, trigger };
  });

/** The actions of the statechart, by name. */
export const actions = {
  // Timers.
  arm: (given: Given, { timer, delay }: ArmParams) =>
    given.effects.armIn(timer, delayMs(delay, given)),
  disarm: ({ effects }: Given, { timers }: DisarmParams) => effects.disarm(...timers),
  disarmAll: act((_state, effects) => effects.disarmAll()),

  // The call.
  answerCall: act(answerCall),
  speakWelcome: act(speakWelcome),
  systemEnd: on<'system.end'>((state, effects, { reason, text }) =>
    beginFarewell(state, effects, { reason, trigger: undefined }, text ?? ''),
  ),
  legFailed: on<'leg.failed'>((state, _effects, { reason }) => {
    state.ending = { reason, trigger: undefined };
  }),
  hungUp: ends('user-hung-up', 'user'),
  lostForGood: ends('connection-lost', undefined),
  timeUp: ends('max-duration', 'assistant'),
  finish: act((_state, effects) => effects.raise('internal.finish')),
  /** E1, E2: the last reply is over. */
  endAfterReply: act(endAfterReply),
  recordLastWords: act(recordLastWords),
  finishCall: act(finishCall),

  // The caller's turn.
  voiceStarted: act((state, effects) => {
    const { onsetAt } = state.user.heard;
    userTurn.voiceStarted(state, effects, onsetAt);
    bargeIn.voiceOverReply(state, effects, onsetAt);
    awaitWords(state, effects);
  }),
  voiceStopped: act((state, effects) => {
    const speechEndAt = state.user.heard.endAt;
    userTurn.voiceStopped(state, effects, speechEndAt);
    bargeIn.voiceLeftReply(state, effects, speechEndAt);
    awaitBackchannel(state, effects);
    if (effects.chart.welcome === 'due') effects.arm('welcome', effects.now);
  }),
  voiceVanished: act((state, effects) => userTurn.voiceStopped(state, effects, effects.now)),
  askAgain: act((state, effects) => askPredictor(state, effects, true)),
  armEndpoint: act(armEndpoint),
  commitTurn: act(commitTurn),
  dropTurn: act(userTurn.dropTurn),
  waitForFloor: act(userTurn.waitForFloor),
  giveBackchannel: act(giveBackchannel),
  flushKeys: act(flushKeys),

  // The reply.
  resumePlayback: act(resumePlayback),
  playStarted: on<'play.started'>((state, effects, { uttId }) =>
    playStarted(state, effects, uttId),
  ),
  decideHold: act(bargeIn.decideHold),
  resume: act(bargeIn.resumeReply),
  release: act(bargeIn.releaseReply),
  endHold: act(bargeIn.endHold),
  interrupt: act(bargeIn.interruptReply),
  interruptIfVoiced: act((state, effects) => {
    if (state.user.voiced) effects.raise('internal.interrupt');
  }),
  settleCut: on<'play.cleared'>(bargeIn.settleCut),
  settleCutBlind: act((state, effects) => bargeIn.settleCut(state, effects)),
  playbackStalled: act(playbackStalled),
  dropMuted: act(dropMuted),

  // The floor.
  sayNext: act(sayNext),
  tellLateResults: act(tellLateResults),
  promptIdle: act(promptIdle),
  endCallerHold: act(endCallerHold),

  // Screening.
  greetHuman: act(screening.greetHuman),
  awaitBeep: act(screening.awaitBeep),
  leaveMessage: act(screening.leaveMessage),

  // Transfer.
  beginRequestedTransfer: act(transfer.beginRequestedTransfer),
  dialOperator: act(transfer.dialOperator),
  operatorAnswered: act(transfer.operatorAnswered),
  summaryDone: act(transfer.summaryDone),
  briefOperator: act(transfer.briefOperator),
  bridgeOperator: act((state, effects) => transfer.bridgeOperator(state, effects, false)),
  bridgeAgain: act(transfer.bridgeAgain),
  handOver: act((state, effects) => transfer.bridgeOperator(state, effects, true)),
  operatorFailed: on<'operator.failed'>((state, effects, { reason }) =>
    transfer.failTransfer(state, effects, reason),
  ),
  operatorDeclined: on<'operator.declined'>((state, effects, { reason }) =>
    transfer.failTransfer(state, effects, reason),
  ),
  operatorLeft: act((state, effects) => transfer.failTransfer(state, effects, 'operator-left')),
  lineFailed: act((state, effects) => transfer.failTransfer(state, effects, 'line-error')),
  transferTimedOut: act((state, effects) => transfer.failTransfer(state, effects, 'timeout')),
};
