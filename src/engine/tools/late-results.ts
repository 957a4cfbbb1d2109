import type { Mind } from '../machine/mind.ts';
import { startGeneration } from '../reply/generation.ts';
import { addPiece, beginReply, settleReply } from '../reply/reply.ts';

/**
 * Runs after every event: what a tool answered after its own reply was over, and no model has been told
 * since, is told as soon as the floor is free.
 */
export function tellLateResults(mind: Mind): void {
  if (mind.untold.length === 0 || mind.lifecycle !== 'ongoing' || mind.ending) return;
  if (mind.transfer || mind.reply || mind.turn || mind.voiced) return;
  if (mind.tools.size > 0 || mind.says.length > 0) return;
  const results = mind.untold.splice(0);
  const reply = beginReply(mind, 'result');
  for (const { spoken } of results) addPiece(mind, reply, spoken ?? '');
  if (results.some(({ endCall }) => endCall)) {
    mind.ending = { reason: 'tool-ended-call', trigger: 'assistant' };
  }
  if (results.some(({ spoken }) => spoken === undefined)) {
    startGeneration(mind, reply);
    return;
  }
  reply.textDone = true;
  settleReply(mind);
}
