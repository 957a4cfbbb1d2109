import type { Effects } from '../machine/effects.ts';
import { addPiece, settleReply } from '../reply/reply.ts';
import { isPaused } from '../reply/reply-phase.ts';
import type { CallState } from '../state/call-state.ts';
import type { Reply } from '../state/reply.ts';
import type { AnswerLine, PendingTool } from '../state/tools.ts';
import { armOverdue, lineAfter } from './tool-lines.ts';

const TIMEOUT = 'tool_timeout';

export interface ToolAnswer {
  readonly toolCallId: string;
  readonly ok: boolean;
  readonly content: string;
  readonly message: string | undefined;
  /** Set if the tool is broken; absent if its answer is merely negative. */
  readonly code?: string | undefined;
}

/** T3-T5, T8: adds the result to the context, even if its turn was interrupted. */
export function toolAnswered(state: CallState, effects: Effects, answer: ToolAnswer): void {
  const isAsked = ({ toolCallId }: PendingTool) => toolCallId === answer.toolCallId;
  const later = state.tools.async.find(isAsked);
  const pending = state.tools.awaited.find(isAsked);
  tellOwner(effects, later ?? pending, answer);
  effects.raise('internal.floor');
  if (later) asyncAnswered(state, effects, later, answer);
  if (!pending) return;
  settleTool(
    state,
    effects,
    answer.toolCallId,
    answer.ok ? answer.content : JSON.stringify({ error: answer.content }),
  );
  const line = lineAfter(state, pending.name, answer);
  if (line.hint !== undefined) state.entries.push({ role: 'system', text: line.hint });
  const { reply } = state.assistant;
  const open = reply && isPaused(reply);
  if (open && reply.messageId === pending.replyId) answerReply(state, effects, reply, line);
  // A1, T6: the answer to a later turn waits for it.
  else if (open && reply.kind === 'answer') continueWhenSettled(state, effects);
  else state.assistant.lateResults.push(line);
}

/** Reports a broken tool to the call's owner. */
function tellOwner(
  effects: Effects,
  tool: PendingTool | undefined,
  { ok, code, content }: ToolAnswer,
) {
  if (!tool || ok || code === undefined) return;
  const error = { code, message: content, provider: tool.name, retryable: false };
  effects.emit({ type: 'webhook', kind: 'error', data: { ...error, type: 'tool' } });
}

function answerReply(
  state: CallState,
  effects: Effects,
  reply: Reply,
  { spoken, endCall }: AnswerLine,
): void {
  if (endCall) state.ending ??= { reason: 'tool-ended-call', trigger: 'assistant' };
  if (spoken === undefined) state.tools.mustTellModel = true;
  else addPiece(state, effects, reply, spoken);
  endToolStep(state, effects, reply);
}

/** When all tools of a step have answered, the model goes on, unless every answer has a line of its own. */
export function endToolStep(state: CallState, effects: Effects, reply: Reply): void {
  if (state.tools.awaited.length > 0) return;
  if (state.tools.mustTellModel) {
    effects.raise('internal.toolsSettled');
    return;
  }
  reply.text = { name: 'complete' };
  settleReply(state, effects);
}

/** T8: an asynchronous tool answered. Its answer is spoken only if the tool has a line for it. */
function asyncAnswered(
  state: CallState,
  effects: Effects,
  pending: PendingTool,
  answer: ToolAnswer,
): void {
  state.tools.async = state.tools.async.filter((tool) => tool !== pending);
  armOverdue(state, effects);
  const said = answer.ok ? 'has answered' : 'has failed';
  state.entries.push({
    role: 'system',
    text: `The tool ${pending.name} ${said}: ${answer.content}`,
  });
  if (!answer.ok) return;
  const line = lineAfter(state, pending.name, answer);
  if (line.hint !== undefined) state.entries.push({ role: 'system', text: line.hint });
  if (line.spoken === undefined) return;
  if (line.endCall) state.assistant.lateResults.push(line);
  else state.assistant.textsToSay.push(line.spoken);
}

/** Adds the result of a tool call to the context. */
export function settleTool(
  state: CallState,
  effects: Effects,
  toolCallId: string,
  content: string,
): void {
  state.tools.awaited = state.tools.awaited.filter((tool) => tool.toolCallId !== toolCallId);
  state.entries.push({ role: 'tool', toolCallId, content });
  if (state.tools.awaited.length === 0) effects.disarm('toolDelay');
  armOverdue(state, effects);
}

function continueWhenSettled(state: CallState, effects: Effects): void {
  if (state.tools.awaited.length === 0) effects.raise('internal.toolsSettled');
}

/** T4: tools that did not answer in time have failed. */
export function toolsOverdue(state: CallState, effects: Effects): void {
  for (const { toolCallId, dueAt } of [...state.tools.awaited, ...state.tools.async]) {
    if (dueAt === undefined || dueAt > effects.now) continue;
    effects.emit({ type: 'tool.cancel', toolCallId });
    const content = 'the tool did not answer in time';
    toolAnswered(state, effects, {
      toolCallId,
      ok: false,
      content,
      message: undefined,
      code: TIMEOUT,
    });
  }
}
