import { vocabularyOf } from '../language/vocabulary.ts';
import { wordsOf } from '../language/words.ts';
import type { Effects } from '../machine/effects.ts';
import { beginFarewell } from '../reply/farewell.ts';
import { freezeReply, silence } from '../reply/reply.ts';
import { textOf } from '../reply/segments.ts';
import { speakWelcome } from '../reply/welcome.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import { commitTurn } from './commit-turn.ts';
import { ungate } from './user-turn.ts';

/** V1: whether the called party's words, with this text, contain a phrase that only machines say. */
export function soundsLikeMachine(state: CallState, text: string): boolean {
  const said = state.user.turn ? textOf(state.user.turn.segments) : '';
  return vocabularyOf(state.settings).language.machinePhrases.within([
    ...wordsOf(said),
    ...wordsOf(text),
  ]);
}

/** V1: the called party paused without a machine's phrase, so a person answered. */
export function greetHuman(state: CallState, effects: Effects): void {
  const { turn } = state.user;
  const greets =
    state.settings.welcome.mode !== 'assistant-waits-for-user' && !state.entries.some(isAssistants);
  if (turn && greets) turn.greeted = true;
  commitTurn(state, effects);
  effects.raise('internal.unscreen');
  if (!greets) return;
  if (state.assistant.reply) ungate(state, effects);
  else speakWelcome(state, effects);
}

const isAssistants = ({ role }: { readonly role: string }) => role === 'assistant';

/** V2: a machine answered. The assistant says nothing before it has finished. */
export function awaitBeep(state: CallState, effects: Effects): void {
  const { reply } = state.assistant;
  effects.emit({ type: 'log', note: 'a machine answered' });
  if (reply) {
    silence(state, effects, reply);
    freezeReply(state, effects, reply, true);
    effects.raise('internal.replyOver');
  }
  if (!state.user.voiced) effects.armIn('beep', CONSTANTS.beepSilenceMs);
  state.user.voiced = false;
  effects.raise('internal.machine');
}

/** V2: the machine records now. */
export function leaveMessage(state: CallState, effects: Effects): void {
  beginFarewell(
    state,
    effects,
    { reason: 'voicemail', trigger: 'assistant' },
    state.settings.lines.voicemail,
  );
}
