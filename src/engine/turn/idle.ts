import type { Effects } from '../machine/effects.ts';
import { beginFarewell } from '../reply/farewell.ts';
import { beginReply } from '../reply/reply.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';

/** I1: nothing is under way, as far as the data tell; the statechart knows the rest. */
export const isNothingUnderWay = ({ user, assistant, tools, transfer }: CallState) =>
  !user.turn &&
  !assistant.reply &&
  !transfer.current &&
  tools.awaited.length === 0 &&
  assistant.textsToSay.length === 0 &&
  user.keys === '' &&
  !user.muted &&
  !assistant.muted &&
  !assistant.supervisor;

/** I1: how long a silence may last. It is longer while the caller has put the assistant on hold. */
export const idleTimeoutMs = ({ settings, user }: CallState) =>
  settings.idle.timeoutMs * (user.onHold ? CONSTANTS.callerHoldIdleFactor : 1);

/** I2, I3: says an idle message, or ends the call after the last one. */
export function promptIdle(state: CallState, effects: Effects): void {
  const { maxMessages, messages } = state.settings.idle;
  if (state.assistant.idlePrompts >= maxMessages || messages.length === 0) {
    beginFarewell(state, effects, { reason: 'idle-timeout', trigger: 'assistant' });
    return;
  }
  const text = messages[state.assistant.idlePrompts % messages.length] as string;
  state.assistant.idlePrompts++;
  beginReply(state, effects, 'idle', { text });
}
