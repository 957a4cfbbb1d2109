import { vocabularyOf } from '../language/vocabulary.ts';
import { contentWords } from '../language/words.ts';
import type { Effects } from '../machine/effects.ts';
import { beginFarewell } from '../reply/farewell.ts';
import { startAnswer } from '../reply/generation.ts';
import { beginReply, silence } from '../reply/reply.ts';
import { wasHeard } from '../reply/reply-phase.ts';
import { textOf } from '../reply/segments.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import type { OpenTurn } from '../state/user-turn.ts';
import { answerKind } from './answer-kind.ts';
import { asksToHold, beginCallerHold, endCallerHold } from './caller-hold.ts';
import { forgetCutIn } from './cut-ins.ts';
import { judgePause } from './turn-end.ts';
import { continueMessage, recordUser } from './user-message.ts';

/** C3, C8: the caller has finished, so the turn is recorded and answered. */
export function commitTurn(state: CallState, effects: Effects): void {
  const { turn } = state.user;
  const { settings } = state;
  if (!turn) return;
  const text = textOf(turn.segments);
  const kind = answerKind(state, text);
  const { p } = judgePause(state, text);
  closeTurn(state);
  state.assistant.idlePrompts = 0;
  state.user.misheard = 0;
  const messageId = turn.continues
    ? continueMessage(state, effects, turn.continues, text)
    : recordUser(state, effects, text, turn.openedAt);
  forgetCutIn(state);
  state.user.committed = {
    turn: turn.turn,
    messageId,
    segments: turn.segments,
    at: effects.now,
    speechEndAt: turn.speechEndAt,
    textAt: turn.textAt,
  };
  effects.emit({ type: 'transcript.live', role: 'user', text, final: true });
  if (effects.chart.screening === 'listening') effects.raise('internal.unscreen');
  // Y5: the person who has taken over answers.
  if (turn.greeted || state.assistant.supervisor) return;
  putBackUnheard(state, effects);
  if (asksToHold(state, text)) {
    beginCallerHold(state, effects);
    return;
  }
  endCallerHold(state, effects);
  const notBefore = Math.max(
    audioFloorAt(effects, turn, p, settings.startSpeaking.waitMs),
    // C10: the caller may just be going on.
    state.user.heard.maybeAt + CONSTANTS.putOffMs,
  );
  if (kind === 'farewell') {
    beginFarewell(state, effects, { reason: 'user-said-end-phrase', trigger: 'user' });
  } else if (kind === 'welcome') {
    beginReply(state, effects, 'welcome', { text: settings.welcome.message, notBefore });
  } else {
    startAnswer(state, effects, turn.turn, notBefore);
    if (state.assistant.ackDue) effects.arm('ack', notBefore + CONSTANTS.ackWaitMs);
  }
}

// A3: the wait counts from the end of speech if the turn is surely over; else the doubt keeps it after the commit, but
// not beyond a silence that is as long as that between the groups of a number. Without a prediction, as the owner has set.
function audioFloorAt(
  { now }: Effects,
  { keyed, speechEndAt }: OpenTurn,
  p: number | undefined,
  waitMs: number,
): number {
  if (keyed || p === undefined) return now + waitMs;
  const longest = p < CONSTANTS.surelyOverProbability ? 0 : CONSTANTS.dictationHoldMs;
  return Math.max(now, speechEndAt + waitMs, Math.min(now + waitMs, speechEndAt + longest));
}

/** Closes the open turn. */
export function closeTurn(state: CallState): void {
  state.user.turn = undefined;
}

// Y1: texts to say come before the answer; an unheard prompt or acknowledgement is dropped.
function putBackUnheard(state: CallState, effects: Effects): void {
  const { reply } = state.assistant;
  if (!reply || wasHeard(reply)) return;
  if (reply.kind === 'say')
    state.assistant.textsToSay.unshift(...reply.utterances.map(({ text }) => text));
  silence(state, effects, reply);
  state.assistant.reply = undefined;
}

/** E4: records what the caller had said when the call ended. */
export function recordLastWords(state: CallState, effects: Effects): void {
  const { turn } = state.user;
  closeTurn(state);
  const text = turn ? textOf(turn.segments) : '';
  if (
    !turn ||
    contentWords(text, vocabularyOf(state.settings).language, vocabularyOf(state.settings).hints)
      .length === 0
  )
    return;
  if (turn.continues) continueMessage(state, effects, turn.continues, text);
  else recordUser(state, effects, text, turn.openedAt);
}
