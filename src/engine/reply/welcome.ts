import { CONSTANTS } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { startOpening } from './generation.ts';
import { beginReply } from './reply.ts';

/** W1-W3: the call is answered. */
export function answerCall(mind: Mind): void {
  mind.lifecycle = 'ongoing';
  mind.answeredAt = mind.now;
  mind.arm('maxDuration', mind.now + mind.settings.maxDurationMs);
  const phone = mind.settings.callType === 'phone';
  mind.emit({
    type: 'status',
    status: 'ongoing',
    ...(phone ? { phoneCallStatus: 'in-progress' as const } : {}),
  });
  if (mind.progress?.node.end) {
    mind.ending = { reason: 'workflow-ended', trigger: 'assistant' };
  }
  const { mode } = mind.settings.welcome;
  if (phone && mind.settings.direction === 'outbound') mind.raise('mind.screen');
  if (mode === 'assistant-waits-for-user') return;
  const outbound = phone && mind.settings.direction === 'outbound';
  if (mode === 'automatic' && outbound) mind.armIn('welcome', CONSTANTS.outboundSilence);
  else if (outbound) mind.armIn('welcome', CONSTANTS.outboundWelcome);
  else speakWelcome(mind);
}

/** W1, W4. A caller who speaks before the first frame is let finish, for a moment. */
export function speakWelcome(mind: Mind): void {
  mind.disarm('welcome');
  if (mind.welcomed || mind.reply || mind.lifecycle !== 'ongoing') return;
  mind.welcomed = true;
  const { message, interruptible } = mind.settings.welcome;
  if (message.trim() === '') startOpening(mind);
  else beginReply(mind, 'welcome', { text: message, isProtected: !interruptible });
}
