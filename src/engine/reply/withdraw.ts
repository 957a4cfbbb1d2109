import type { Mind } from '../machine/mind.ts';
import type { Reply } from './reply.ts';

const NOT_STARTED = JSON.stringify({
  error: 'not started, because the caller went on speaking; call it again if it is still wanted',
});

/** T1, C4, C5: a reply that is taken back takes back what it asked for and nobody has begun. */
export function withdraw(mind: Mind, reply: Reply): void {
  dropUnstarted(mind);
  takeBackStep(mind, reply);
}

function dropUnstarted(mind: Mind): void {
  for (const tools of [mind.tools, mind.asyncTools]) {
    for (const [toolCallId, { invoked }] of tools) {
      if (invoked) continue;
      tools.delete(toolCallId);
      mind.entries.push({ role: 'tool', toolCallId, content: NOT_STARTED });
    }
  }
  mind.disarm('toolGate');
}

// The caller has heard nothing of the step, and what they say now may lead elsewhere.
function takeBackStep(mind: Mind, reply: Reply): void {
  const { progress } = mind;
  const undo = progress?.undo;
  if (!progress || undo?.replyId !== reply.messageId) return;
  progress.undo = undefined;
  if (reply.startedAt !== undefined) return;
  const { node, variables } = undo;
  mind.emit({
    type: 'workflow.step',
    from: progress.node.id,
    to: node.id,
    by: 'taken-back',
    variables: { ...variables },
  });
  progress.node = node;
  progress.variables = variables;
  if (mind.ending?.reason === 'workflow-ended') mind.ending = undefined;
}
