import type { Effects } from '../machine/effects.ts';
import { beginFarewell } from '../reply/farewell.ts';
import { beginReply } from '../reply/reply.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';

/** I1: nothing is under way that is not the statechart's to know. */
export const isNothingUnderWay = ({ user, assistant, tools, transfer }: CallState) =>
  !user.turn &&
  !assistant.reply &&
  !transfer.current &&
  tools.waited.length === 0 &&
  assistant.says.length === 0 &&
  user.keys === '' &&
  !user.muted &&
  !assistant.muted;

/** I1: how long a silence may last; a caller who has put the assistant on hold gets more time. */
export const idleTimeoutMs = ({ settings, user }: CallState) =>
  settings.idle.timeoutMs * (user.onHold ? CONSTANTS.callerHoldIdleFactor : 1);

/** I2, I3. */
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
