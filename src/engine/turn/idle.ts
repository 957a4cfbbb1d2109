import { CONSTANTS } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { beginFarewell } from '../reply/farewell.ts';
import { beginReply } from '../reply/reply.ts';

/** I1: nobody speaks, nothing is under way. */
function isIdle(mind: Mind): boolean {
  return (
    mind.lifecycle === 'ongoing' &&
    mind.user === 'silent' &&
    mind.assistant === 'idle' &&
    !mind.turn &&
    !mind.reply &&
    !mind.transfer &&
    mind.screening !== 'machine' &&
    mind.tools.size === 0 &&
    mind.says.length === 0 &&
    mind.keys === '' &&
    !mind.mediaLost &&
    !mind.userMuted &&
    !mind.assistantMuted &&
    !mind.deadlines.has('welcome')
  );
}

/** Runs after every event: a full idleTimeout from the moment that all conditions hold. */
export function watchIdle(mind: Mind): void {
  if (!isIdle(mind)) mind.disarm('idle');
  else if (!mind.deadlines.has('idle')) {
    const patience = mind.parked ? CONSTANTS.parkedIdle : 1;
    mind.armIn('idle', mind.settings.idle.timeoutMs * patience);
  }
}

/** I2, I3. */
export function promptIdle(mind: Mind): void {
  const { maxMessages, messages } = mind.settings.idle;
  if (mind.idlePrompts >= maxMessages || messages.length === 0) {
    beginFarewell(mind, { reason: 'idle-timeout', trigger: 'assistant' });
    return;
  }
  const text = messages[mind.idlePrompts % messages.length] as string;
  mind.idlePrompts++;
  beginReply(mind, 'idle', { text });
}
