import type { Effects } from '../machine/effects.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import { startOpening } from './generation.ts';
import { beginReply } from './reply.ts';

/** W1-W3: the call was answered. */
export function answerCall(state: CallState, effects: Effects): void {
  state.answeredAt = effects.now;
  const phone = state.settings.callType === 'phone';
  effects.emit({
    type: 'status',
    status: 'ongoing',
    ...(phone ? { phoneCallStatus: 'in-progress' as const } : {}),
  });
  if (state.progress?.node.end) {
    state.ending = { reason: 'workflow-ended', trigger: 'assistant' };
  }
  if (isOutbound(state)) effects.raise('internal.screen');
  else if (welcomesFirst(state)) speakWelcome(state, effects);
}

const isOutbound = ({ settings }: CallState) =>
  settings.callType === 'phone' && settings.direction === 'outbound';

const welcomesFirst = ({ settings }: CallState) =>
  settings.welcome.mode !== 'assistant-waits-for-user';

/** W1, W3: a called party is welcomed after a moment or after their first words. */
export const welcomesLater = (state: CallState) => isOutbound(state) && welcomesFirst(state);

export const welcomeDelayMs = ({ settings }: CallState) =>
  settings.welcome.mode === 'automatic' ? CONSTANTS.outboundSilenceMs : CONSTANTS.outboundWelcomeMs;

/** W1, W4: says the welcome message, or has the model write one. */
export function speakWelcome(state: CallState, effects: Effects): void {
  if (state.assistant.welcomed || state.assistant.reply) return;
  state.assistant.welcomed = true;
  const { message, interruptible } = state.settings.welcome;
  if (message.trim() === '') startOpening(state, effects);
  else beginReply(state, effects, 'welcome', { text: message, isProtected: !interruptible });
}
