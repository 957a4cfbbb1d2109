import type { PhoneCallStatus } from '../../contract/call.ts';
import type { Effects } from '../machine/effects.ts';
import type { CallState, Ending } from '../state/call-state.ts';
import { isForwarded, releaseOperator } from '../transfer/transfer-leg.ts';
import { giveBack } from '../turn/supervise.ts';
import { dropDraft } from './draft.ts';
import { beginReply, freezeReply, normalise, silence } from './reply.ts';

/** E1: says the farewell, if there is one, and then hangs up. */
export function beginFarewell(
  state: CallState,
  effects: Effects,
  ending: Ending,
  text = state.settings.endCall.message,
): void {
  if (effects.chart.lifecycle === 'closing' || effects.chart.lifecycle === 'finished') return;
  if (effects.chart.lifecycle === 'forwarded') {
    effects.raise('internal.finish');
    return;
  }
  state.ending ??= ending;
  giveBack(state, effects);
  releaseOperator(state, effects, ending.reason, state.settings.lines.callerLeft);
  const { reply } = state.assistant;
  if (reply) {
    silence(state, effects, reply);
    freezeReply(state, effects, reply, true);
  }
  effects.raise('internal.close');
  if (text.trim() === '') {
    effects.raise('internal.finish');
    return;
  }
  beginReply(state, effects, 'farewell', { text, isProtected: true });
}

const SAYS_GOODBYE: ReadonlySet<string> = new Set([
  'assistant-ended-call',
  'assistant-said-end-phrase',
  'workflow-ended',
]);

/** E1, E2: the last reply is over. The farewell follows, unless the reply has just said the same. */
export function endAfterReply(state: CallState, effects: Effects): void {
  const { ending } = state;
  if (state.assistant.reply || !ending) return;
  const farewell = ending.farewell ?? state.settings.endCall.message;
  const said = endsWithWords(normalise(state.assistant.lastHeard), normalise(farewell));
  if (SAYS_GOODBYE.has(ending.reason) && !said) beginFarewell(state, effects, ending, farewell);
  else effects.raise('internal.finish');
}

// "Goodbye" is not "bye".
const endsWithWords = (text: string, last: string) =>
  last === '' || ` ${text}`.endsWith(` ${last}`);

/** E4, E5 and every other end: cancels everything, records what was heard and hangs up. */
export function finishCall(state: CallState, effects: Effects): void {
  const { reply } = state.assistant;
  const { ending } = state;
  dropDraft(state, effects);
  giveBack(state, effects);
  // A bridged operator knows that the caller has left.
  const say = isForwarded(state) ? undefined : state.settings.lines.callerLeft;
  releaseOperator(state, effects, ending?.reason ?? 'ended', say);
  if (reply) {
    silence(state, effects, reply);
    freezeReply(state, effects, reply, true);
  }
  const phone = state.settings.callType === 'phone';
  const reason = ending?.reason ?? 'ended';
  const status = isForwarded(state) ? 'forwarded' : 'finished';
  effects.emit({
    type: 'status',
    status,
    ...(phone ? { phoneCallStatus: phoneEnd(state, reason) } : {}),
  });
  effects.emit({ type: 'hangup', reason });
  effects.emit({
    type: 'finish',
    status,
    endReason: reason,
    ...(ending?.trigger ? { trigger: ending.trigger } : {}),
    ...(ending?.failure ? { failure: ending.failure } : {}),
  });
}

function phoneEnd(state: CallState, reason: string): PhoneCallStatus {
  if (state.answeredAt !== undefined) return 'completed';
  return reason === 'busy' || reason === 'no-answer' ? reason : 'failed';
}
