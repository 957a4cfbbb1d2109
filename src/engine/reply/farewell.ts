import type { PhoneCallStatus } from '../../contract/call.ts';
import { CONSTANTS } from '../machine/constants.ts';
import type { Ending, Mind } from '../machine/mind.ts';
import { releaseOperator } from '../transfer/transfer-leg.ts';
import { dropDraft } from './draft.ts';
import { beginReply, freezeReply, silence } from './reply.ts';

/** E1: says goodbye, where there is something to say, and hangs up after it. */
export function beginFarewell(
  mind: Mind,
  ending: Ending,
  text = mind.settings.endCall.message,
): void {
  if (mind.lifecycle === 'closing' || mind.lifecycle === 'finished') return;
  if (mind.lifecycle === 'forwarded') {
    mind.raise('mind.finish');
    return;
  }
  mind.ending ??= ending;
  releaseOperator(mind, ending.reason, mind.settings.lines.callerLeft);
  const { reply } = mind;
  if (reply) {
    silence(mind, reply);
    freezeReply(mind, reply, true);
  }
  mind.disarm('idle', 'toolDelay', 'toolGate');
  mind.raise('mind.close');
  if (text.trim() === '') {
    mind.raise('mind.finish');
    return;
  }
  mind.armIn('farewell', CONSTANTS.farewellMax);
  beginReply(mind, 'farewell', { text, isProtected: true });
}

const SAYS_GOODBYE: ReadonlySet<string> = new Set(['assistant-ended-call', 'workflow-ended']);

/** E1, E2: the last reply was heard. Who called the tool still says goodbye; who said it just hangs up. */
export function endAfterReply(mind: Mind): void {
  const { ending } = mind;
  if (mind.reply || !ending) return;
  if (SAYS_GOODBYE.has(ending.reason)) beginFarewell(mind, ending, ending.farewell);
  else mind.raise('mind.finish');
}

/** E4, E5 and every other end: everything is cancelled, what was heard is frozen, the leg is let go. */
export function finishCall(mind: Mind): void {
  const { reply, ending } = mind;
  dropDraft(mind);
  // Who had the caller to talk to has heard them go.
  const say = mind.forwarded ? undefined : mind.settings.lines.callerLeft;
  releaseOperator(mind, ending?.reason ?? 'ended', say);
  mind.tools.clear();
  mind.asyncTools.clear();
  if (reply) {
    silence(mind, reply);
    freezeReply(mind, reply, true);
  }
  mind.disarmAll();
  const phone = mind.settings.callType === 'phone';
  const reason = ending?.reason ?? 'ended';
  const status = mind.forwarded ? 'forwarded' : 'finished';
  mind.emit({
    type: 'status',
    status,
    ...(phone ? { phoneCallStatus: phoneEnd(mind, reason) } : {}),
  });
  mind.emit({ type: 'hangup', reason });
  mind.emit({
    type: 'finish',
    status,
    endReason: reason,
    ...(ending?.trigger ? { trigger: ending.trigger } : {}),
    ...(ending?.failure ? { failure: ending.failure } : {}),
  });
}

function phoneEnd(mind: Mind, reason: string): PhoneCallStatus {
  if (mind.answeredAt !== undefined) return 'completed';
  return reason === 'busy' || reason === 'no-answer' ? reason : 'failed';
}
