import { contentWords } from '../language/words.ts';
import { CONSTANTS } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { beginFarewell } from '../reply/farewell.ts';
import { startAnswer } from '../reply/generation.ts';
import { beginReply, silence } from '../reply/reply.ts';
import { textOf } from '../reply/segments.ts';
import { answerKind } from './answer-kind.ts';
import { asksToHold, park, unpark } from './caller-hold.ts';
import { continueMessage, recordUser } from './user-message.ts';

/** C3, C8: the caller is done. */
export function commitTurn(mind: Mind): void {
  const { turn, settings } = mind;
  if (!turn) return;
  const text = textOf(turn.segments);
  const kind = answerKind(mind, text);
  closeTurn(mind);
  mind.idlePrompts = 0;
  mind.misheard = 0;
  const messageId = turn.continues
    ? continueMessage(mind, turn.continues, text)
    : recordUser(mind, text, turn.openedAt);
  forgetCutIn(mind);
  mind.committed = {
    turn: turn.turn,
    messageId,
    segments: turn.segments,
    at: mind.now,
    speechEndAt: turn.speechEndAt,
    textAt: turn.textAt,
  };
  mind.emit({ type: 'transcript.live', role: 'user', text, final: true });
  if (mind.screening === 'listening') mind.raise('mind.unscreen');
  if (turn.greeted) return;
  putBackUnheard(mind);
  if (asksToHold(mind, text)) {
    park(mind);
    return;
  }
  unpark(mind);
  const notBefore = mind.now + settings.startSpeaking.waitMs;
  if (kind === 'farewell') {
    beginFarewell(mind, { reason: 'user-said-end-phrase', trigger: 'user' });
  } else if (kind === 'welcome') {
    beginReply(mind, 'welcome', { text: settings.welcome.message, notBefore });
  } else {
    startAnswer(mind, turn.turn, notBefore);
    if (mind.ackDue) mind.arm('ack', notBefore + CONSTANTS.ackWait);
  }
}

/** The open turn is one no more; whoever closes it has what it was. */
export function closeTurn(mind: Mind): void {
  mind.turn = undefined;
  mind.disarm('endpoint', 'predict', 'murmur', 'noText', 'ungate', 'unheeded');
}

// Y1: what was to be said comes before the answer; a prompt or an acknowledgement is no longer wanted.
function putBackUnheard(mind: Mind): void {
  const { reply } = mind;
  if (!reply || reply.startedAt !== undefined) return;
  if (reply.kind === 'say') mind.says.unshift(...reply.utterances.map(({ text }) => text));
  silence(mind, reply);
  mind.reply = undefined;
}

function forgetCutIn(mind: Mind): void {
  mind.cutInTurns = Math.max(0, mind.cutInTurns - 1);
  mind.cutInMs = Math.max(0, mind.cutInMs - CONSTANTS.cutInStep);
}

/** E4: what the caller had said when the call ended belongs to the record. */
export function keepLastWords(mind: Mind): void {
  const { turn } = mind;
  closeTurn(mind);
  const text = turn ? textOf(turn.segments) : '';
  if (!turn || contentWords(text, mind.language, mind.hints).length === 0) return;
  if (turn.continues) continueMessage(mind, turn.continues, text);
  else recordUser(mind, text, turn.openedAt);
}
