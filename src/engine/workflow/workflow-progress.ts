import type { Effects } from '../machine/effects.ts';
import { addPiece } from '../reply/reply.ts';
import { renderTemplate } from '../settings/render-template.ts';
import type { CallState } from '../state/call-state.ts';
import type { Reply } from '../state/reply.ts';
import type { Progress } from '../state/workflow.ts';
import { choose, enter } from './workflow.ts';

/** The prompt of the current node, filled in. */
export function nodePrompt({ node, variables }: Progress): string {
  return renderTemplate(node.prompt, variables);
}

/** Follows the model's choice: enters nodes, says their messages and ends the call at an end node. */
export function takeStep(
  state: CallState,
  effects: Effects,
  progress: Progress,
  reply: Reply,
  args: Readonly<Record<string, unknown>>,
): { readonly result: string; readonly spoken: boolean } {
  const chosen = choose(progress.workflow, progress.node, args, progress.variables);
  if ('problem' in chosen) {
    return { result: JSON.stringify({ error: chosen.problem }), spoken: false };
  }
  if (progress.undo?.replyId !== reply.messageId) {
    const { node, variables } = progress;
    progress.undo = { replyId: reply.messageId, node, variables };
  }
  const entered = enter(progress.workflow, chosen.to, chosen.variables);
  progress.variables = chosen.variables;
  let spoken = false;
  for (const [index, node] of entered.entries()) {
    effects.emit({
      type: 'workflow.step',
      from: progress.node.id,
      to: node.id,
      by: index === 0 && args.step === node.id ? 'model' : 'variables',
      variables: { ...progress.variables },
    });
    progress.node = node;
    spoken = sayMessage(state, effects, progress, reply);
  }
  return { result: JSON.stringify({ status: 'done', step: progress.node.id }), spoken };
}

/** Says the node's message. Returns whether there was one, so that the model need not speak. */
function sayMessage(
  state: CallState,
  effects: Effects,
  { node, variables }: Progress,
  reply: Reply,
): boolean {
  const text = renderTemplate(node.message, variables).trim();
  const speaks = text !== '';
  if (node.end) {
    state.ending ??= {
      reason: 'workflow-ended',
      trigger: 'assistant',
      ...(speaks ? { farewell: text } : {}),
    };
    // Without a prompt the model has nothing to say at the end.
    return speaks || node.prompt.trim() === '';
  }
  if (speaks) addPiece(state, effects, reply, text);
  return speaks;
}

/** Whether the model may use this tool in the current node. */
export function isOffered({ progress, settings }: CallState, name: string): boolean {
  const scoped = settings.workflow?.nodeTools ?? [];
  return !scoped.includes(name) || (progress?.node.tools.includes(name) ?? false);
}
