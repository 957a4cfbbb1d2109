import type { Mind, PendingTool } from '../machine/mind.ts';
import { addPiece, type Reply, settleReply } from '../reply/reply.ts';
import { type AnswerLine, lineAfter } from './tool-lines.ts';
import { armOverdue } from './tool-overdue.ts';

const TIMEOUT = 'tool_timeout';

export interface ToolAnswer {
  readonly toolCallId: string;
  readonly ok: boolean;
  readonly content: string;
  readonly message: string | undefined;
  /** What is broken, where it is the tool and not its answer. */
  readonly code?: string | undefined;
}

/** T3-T5, T8: a result always enters the context, whether or not its turn still stands. */
export function toolAnswered(mind: Mind, answer: ToolAnswer): void {
  const later = mind.asyncTools.get(answer.toolCallId);
  const pending = mind.tools.get(answer.toolCallId);
  tellOwner(mind, later ?? pending, answer);
  if (later) asyncAnswered(mind, later, answer);
  if (!pending) return;
  settleTool(
    mind,
    answer.toolCallId,
    answer.ok ? answer.content : JSON.stringify({ error: answer.content }),
  );
  const line = lineAfter(mind, pending.name, answer);
  if (line.hint !== undefined) mind.entries.push({ role: 'system', text: line.hint });
  const { reply } = mind;
  const open = reply && reply.interruptedAt === undefined && !reply.textDone && !reply.generating;
  if (open && reply.messageId === pending.replyId) answerReply(mind, reply, line);
  // A1, T6: the answer to a later turn has waited for it.
  else if (open && reply.kind === 'answer') continueWhenSettled(mind);
  else mind.untold.push(line);
}

/** The `error` webhook: a broken tool is its owner's to mend. */
function tellOwner(mind: Mind, tool: PendingTool | undefined, { ok, code, content }: ToolAnswer) {
  if (!tool || ok || code === undefined) return;
  const error = { code, message: content, provider: tool.name, retryable: false };
  mind.emit({ type: 'webhook', kind: 'error', data: { ...error, type: 'tool' } });
}

function answerReply(mind: Mind, reply: Reply, { spoken, endCall }: AnswerLine): void {
  if (endCall) mind.ending ??= { reason: 'tool-ended-call', trigger: 'assistant' };
  if (spoken === undefined) mind.toolsToTell = true;
  else addPiece(mind, reply, spoken);
  endToolStep(mind, reply);
}

/** Once all of a step's tools have answered: the model goes on, unless words were there for every answer. */
export function endToolStep(mind: Mind, reply: Reply): void {
  if (mind.tools.size > 0) return;
  if (mind.toolsToTell) {
    mind.raise('mind.toolsSettled');
    return;
  }
  reply.textDone = true;
  settleReply(mind);
}

/** T8: an answer that nobody waited for; spoken only where words were given for it. */
function asyncAnswered(mind: Mind, pending: PendingTool, answer: ToolAnswer): void {
  mind.asyncTools.delete(pending.toolCallId);
  armOverdue(mind);
  const said = answer.ok ? 'has answered' : 'has failed';
  mind.entries.push({
    role: 'system',
    text: `The tool ${pending.name} ${said}: ${answer.content}`,
  });
  if (!answer.ok) return;
  const line = lineAfter(mind, pending.name, answer);
  if (line.hint !== undefined) mind.entries.push({ role: 'system', text: line.hint });
  if (line.spoken === undefined) return;
  if (line.endCall) mind.untold.push(line);
  else mind.says.push(line.spoken);
}

/** Gives the model what came of a tool call; the last one does away with what waits for tools. */
export function settleTool(mind: Mind, toolCallId: string, content: string): void {
  mind.tools.delete(toolCallId);
  mind.entries.push({ role: 'tool', toolCallId, content });
  if (mind.tools.size === 0) mind.disarm('toolDelay');
  armOverdue(mind);
}

function continueWhenSettled(mind: Mind): void {
  if (mind.tools.size === 0) mind.raise('mind.toolsSettled');
}

/** T4: a tool that did not answer in its own time has failed. */
export function toolsOverdue(mind: Mind): void {
  for (const { toolCallId, dueAt } of [...mind.tools.values(), ...mind.asyncTools.values()]) {
    if (dueAt === undefined || dueAt > mind.now) continue;
    mind.emit({ type: 'tool.cancel', toolCallId });
    const content = 'the tool did not answer in time';
    toolAnswered(mind, { toolCallId, ok: false, content, message: undefined, code: TIMEOUT });
  }
  armOverdue(mind);
}
