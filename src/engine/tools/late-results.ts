import type { Effects } from '../machine/effects.ts';
import { startGeneration } from '../reply/generation.ts';
import { addPiece, beginReply, settleReply } from '../reply/reply.ts';
import type { CallState } from '../state/call-state.ts';
import { isFloorFree } from '../turn/floor.ts';

/** T5: there is a result that the caller has not been told, and the floor is free. */
export const isResultDue = (state: CallState) =>
  state.assistant.lateResults.length > 0 &&
  !state.ending &&
  !state.transfer.current &&
  isFloorFree(state) &&
  state.tools.awaited.length === 0 &&
  state.assistant.textsToSay.length === 0;

/** T5: tells the results of tools whose reply was over when they answered. */
export function tellLateResults(state: CallState, effects: Effects): void {
  const results = state.assistant.lateResults.splice(0);
  const reply = beginReply(state, effects, 'result');
  for (const { spoken } of results) addPiece(state, effects, reply, spoken ?? '');
  if (results.some(({ endCall }) => endCall)) {
    state.ending = { reason: 'tool-ended-call', trigger: 'assistant' };
  }
  if (results.some(({ spoken }) => spoken === undefined)) {
    startGeneration(state, effects, reply);
    return;
  }
  reply.text = { name: 'complete' };
  settleReply(state, effects);
}
