import { vocabularyOf } from '../language/vocabulary.ts';
import { contentWords, sameWords } from '../language/words.ts';
import type { Effects } from '../machine/effects.ts';
import { SILENCE } from '../reply/addressee-prompt.ts';
import { heardPartOf } from '../reply/heard-reply.ts';
import { normalise } from '../reply/reply.ts';
import { textOf } from '../reply/segments.ts';
import { CONSTANTS, sttGraceMs } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import type { Draft } from '../state/reply.ts';
import type { OpenTurn } from '../state/user-turn.ts';
import { isQuestion } from './sentence-end.ts';
import { isAboutThis } from './topic.ts';
import { passOver, repeatsPassedOver } from './unlisted-backchannel.ts';

/**
 * B17: words over an answer that name nothing of this conversation may be for somebody else in the room. The model, which
 * would answer them anyway, can judge that while the reply is held.
 */
export function mayBeForOthers(state: CallState, effects: Effects): boolean {
  const { turn } = state.user;
  const { reply } = state.assistant;
  if (!turn || !reply || !mayAskModel(state, effects)) return false;
  const text = textOf(turn.segments);
  const { language, hints } = vocabularyOf(state.settings);
  const words = contentWords(text, language, hints);
  if (words.some((word) => hints.has(word))) return false;
  return !repeatsPassedOver(state, turn, text) && !isAboutThis(words, state, reply);
}

/** B17: over an answer that asked nothing, where nothing but the words themselves is under way. */
export function mayAskModel(state: CallState, effects: Effects): boolean {
  const { settings, assistant, tools, user, transfer } = state;
  const { turn } = user;
  const { reply } = assistant;
  if (!settings.drafts || settings.stopSpeaking.numberOfWords > 0) return false;
  if (reply?.phase.name !== 'heard' || (reply.kind !== 'answer' && reply.kind !== 'result'))
    return false;
  if (turn) {
    if (turn.overlap !== 'none' || turn.keyed || turn.addressee.name === 'meant') return false;
    if (turn.drafts >= CONSTANTS.draftMaxTries) return false;
    // B14: the caller was not done.
    if (turn.openedAt < reply.phase.startedAt + CONSTANTS.earlyWordsMs) return false;
  }
  if (effects.chart.lifecycle !== 'ongoing' || state.ending || transfer.current) return false;
  if (tools.awaited.length > 0 || assistant.textsToSay.length > 0 || user.keys !== '') return false;
  if (assistant.modelFailures > 0) return false;
  return !isQuestion(heardPartOf(reply), vocabularyOf(settings).language);
}

/** B17: only the model can tell whether words this soft are meant; their content decides whether it is asked. */
export function noticeSoftWords(turn: OpenTurn): void {
  turn.addressee =
    turn.addressee.name === 'asked' ? { name: 'asked', soft: true } : { name: 'soft' };
}

export const isSoft = ({ addressee }: OpenTurn) =>
  addressee.name === 'soft' || (addressee.name === 'asked' && addressee.soft);

/** B17: the reply is held, and the draft that these words will get tells whether they were meant. */
export function askModel(state: CallState, effects: Effects, turn: OpenTurn): void {
  turn.addressee = { name: 'asked', soft: isSoft(turn) };
  effects.disarm('resume');
  if (!state.user.voiced) awaitVerdict(effects, turn);
}

/** B17: the recogniser has taken back the words that the model was asked about. */
export function stopAsking(effects: Effects, turn: OpenTurn): void {
  turn.addressee = isSoft(turn) ? { name: 'soft' } : { name: 'assistant' };
  effects.disarm('addressee');
}

/** B17: words without a verdict in time count as meant. */
export const awaitVerdict = (effects: Effects, { speechEndAt }: OpenTurn) =>
  effects.arm('addressee', Math.max(effects.now, speechEndAt + CONSTANTS.addresseeMaxMs));

/** Whether these words of the turn were judged not to be meant. */
export function isForOthers({ user, settings }: CallState): boolean {
  const { turn } = user;
  if (turn?.addressee.name !== 'others') return false;
  const { fillers } = vocabularyOf(settings).language;
  return sameWords(textOf(turn.segments), turn.addressee.text, fillers);
}

/** B17: reads the verdict from what the model has said so far. */
export function readVerdict(state: CallState, effects: Effects, draft: Draft): void {
  const { turn } = state.user;
  if (!draft.judges || turn?.addressee.name !== 'asked' || turn.turn !== draft.turn) return;
  const said = normalise(draft.pieces.join(' '));
  const calls = draft.toolCalls.length > 0;
  if (said === '' && !calls && !draft.done) return;
  if (calls || (said !== '' && said !== SILENCE)) takeAsMeant(state, effects);
  else takeAsOthers(state, effects, turn);
}

/** B17: the words are meant, or nobody can tell. */
export function takeAsMeant(state: CallState, effects: Effects): void {
  const { turn } = state.user;
  if (turn?.addressee.name !== 'asked') return;
  turn.addressee = { name: 'meant' };
  if (state.assistant.draft) state.assistant.draft.judges = false;
  effects.disarm('addressee');
  effects.raise('internal.interrupt');
}

// A voice that goes on may still say something else: then its end, or its words, decide.
function takeAsOthers(state: CallState, effects: Effects, turn: OpenTurn): void {
  const text = textOf(turn.segments);
  turn.addressee = { name: 'others', text };
  effects.disarm('addressee');
  effects.emit({ type: 'log', note: 'not meant for the assistant', data: { text } });
  passOver(state, effects, turn);
  if (state.user.voiced) return;
  effects.raise('internal.release');
  // A final text that is still to come belongs to these words.
  const isFinal = turn.segments.every(({ final }) => final);
  effects.armIn('contentExpiry', isFinal ? 0 : sttGraceMs(state.settings.sttP99Ms));
}
