import { wordsOf } from '../language/words.ts';
import { CONSTANTS } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { beginFarewell } from '../reply/farewell.ts';
import { freezeReply, silence } from '../reply/reply.ts';
import { textOf } from '../reply/segments.ts';
import { speakWelcome } from '../reply/welcome.ts';
import { commitTurn } from './commit-turn.ts';
import { ungate } from './user-turn.ts';

/** V1: whether what a called party says, with this text added, is said by machines alone. */
export function soundsLikeMachine(mind: Mind, text: string): boolean {
  const said = mind.turn ? textOf(mind.turn.segments) : '';
  return mind.language.machinePhrases.within([...wordsOf(said), ...wordsOf(text)]);
}

/** V1: the first speech of a called party lasts; what we would say waits. */
export function screenSpeech(mind: Mind): void {
  mind.disarm('welcome', 'ungate');
  mind.armIn('screen', CONSTANTS.screenMax);
}

/** V1: they have paused without having said what machines say. */
export function greetHuman(mind: Mind): void {
  const { turn } = mind;
  const greets =
    mind.settings.welcome.mode !== 'assistant-waits-for-user' && !mind.entries.some(isAssistants);
  if (turn && greets) turn.greeted = true;
  commitTurn(mind);
  mind.disarm('screen');
  mind.raise('mind.unscreen');
  if (!greets) return;
  if (mind.reply) ungate(mind);
  else speakWelcome(mind);
}

const isAssistants = ({ role }: { readonly role: string }) => role === 'assistant';

/** V2: a machine. Nothing is said before it has finished. */
export function awaitBeep(mind: Mind): void {
  const { reply } = mind;
  mind.emit({ type: 'log', note: 'a machine answered' });
  if (reply) {
    silence(mind, reply);
    freezeReply(mind, reply, true);
    mind.raise('mind.replyOver');
  }
  mind.disarm('welcome', 'idle');
  mind.armIn('screen', CONSTANTS.beepMax);
  if (!mind.voiced) mind.armIn('beep', CONSTANTS.beepSilence);
  mind.voiced = false;
  mind.disarm('voiceAlive');
  mind.raise('mind.machine');
}

/** V2: the machine listens now. */
export function leaveMessage(mind: Mind): void {
  beginFarewell(mind, { reason: 'voicemail', trigger: 'assistant' }, mind.settings.lines.voicemail);
}
