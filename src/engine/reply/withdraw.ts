import type { Effects } from '../machine/effects.ts';
import { wasHeard } from '../reply/reply-phase.ts';
import type { CallState } from '../state/call-state.ts';
import type { Reply } from '../state/reply.ts';

const NOT_STARTED = JSON.stringify({
  error: 'not started, because the caller went on speaking; call it again if it is still wanted',
});

/** T1, C4, C5: with a reply, the tool calls that have not started are taken back. */
export function withdraw(state: CallState, effects: Effects, reply: Reply): void {
  dropUnstarted(state, effects);
  takeBackStep(state, effects, reply);
}

function dropUnstarted(state: CallState, effects: Effects): void {
  const { waited, async } = state.tools;
  for (const { toolCallId, invoked } of [...waited, ...async]) {
    if (!invoked) state.entries.push({ role: 'tool', toolCallId, content: NOT_STARTED });
  }
  state.tools.waited = waited.filter(({ invoked }) => invoked);
  state.tools.async = async.filter(({ invoked }) => invoked);
  effects.disarm('toolGate');
}

// The caller has heard nothing of the step, and what they say now may lead elsewhere.
function takeBackStep(state: CallState, effects: Effects, reply: Reply): void {
  const { progress } = state;
  const undo = progress?.undo;
  if (!progress || undo?.replyId !== reply.messageId) return;
  progress.undo = undefined;
  if (wasHeard(reply)) return;
  const { node, variables } = undo;
  effects.emit({
    type: 'workflow.step',
    from: progress.node.id,
    to: node.id,
    by: 'taken-back',
    variables: { ...variables },
  });
  progress.node = node;
  progress.variables = variables;
  if (state.ending?.reason === 'workflow-ended') state.ending = undefined;
}
