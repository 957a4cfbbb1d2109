import type { LlmTool, LlmToolCall } from '../ports/llm.ts';
import { CONSTANTS } from './constants.ts';
import type { Mind, PendingTool } from './mind.ts';
import { addPiece, type Reply, settleReply } from './reply.ts';
import type { CallTool, ToolLine } from './settings.ts';
import { type AskedTool, parseToolArguments } from './tool-call.ts';

export const END_CALL_TOOL = 'endCall';

/** What the model is told of the predefined `endCall` tool. */
export function endCallTool(description: string): LlmTool {
  return {
    name: END_CALL_TOOL,
    description:
      description ||
      'Ends the call. Use it when the caller says goodbye or clearly wants nothing more.',
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
  };
}

const ACCEPTED = JSON.stringify({ status: 'accepted' });
const FLOOR_CHECK_MS = 500;

const findTool = (mind: Mind, name: string): CallTool | undefined =>
  mind.settings.tools.find((tool) => tool.definition.name === name);

/** T1: the model's tool calls of one step. What can't run is answered to the model at once. */
export function invokeTools(mind: Mind, reply: Reply, calls: readonly AskedTool[]): void {
  const text = reply.utterances.map((utterance) => utterance.text).join(' ');
  const asked = calls.map(({ problem: _, ...call }) => call);
  mind.entries.push({ role: 'tool-calls', text, calls: asked });
  for (const call of calls) {
    const problem = refusal(mind, call);
    if (problem !== undefined) {
      settleTool(mind, call.id, JSON.stringify({ error: problem }));
      continue;
    }
    const tool = findTool(mind, call.name) as CallTool;
    const pending: PendingTool = {
      toolCallId: call.id,
      name: call.name,
      turn: reply.turn,
      invoked: false,
      dueAt: undefined,
      async: tool.async,
    };
    if (tool.async) {
      mind.asyncTools.set(call.id, pending);
      mind.entries.push({ role: 'tool', toolCallId: call.id, content: ACCEPTED });
    } else mind.tools.set(call.id, pending);
    if (tool.readOnly) invoke(mind, pending, call);
  }
  mind.toolsSince = mind.now;
  mind.toolExcuses = 0;
  sayStartLine(mind, reply, calls);
  if ([...allTools(mind)].some((tool) => !tool.invoked)) {
    const committedAt = mind.committed?.at ?? mind.now;
    mind.arm('toolGate', Math.max(mind.now, committedAt + CONSTANTS.toolGate));
  }
  armDelayedLine(mind);
  continueWhenSettled(mind);
}

/** T7, and calls that nobody can run. */
function refusal(mind: Mind, call: AskedTool): string | undefined {
  if (!findTool(mind, call.name)) return `there is no tool named ${call.name}`;
  const running = mind.entries.flatMap((entry) =>
    entry.role === 'tool-calls'
      ? entry.calls.filter(({ id }) => mind.tools.has(id) || mind.asyncTools.has(id))
      : [],
  );
  const same = running.some(
    (other) =>
      other.id !== call.id && other.name === call.name && other.arguments === call.arguments,
  );
  if (same) return 'already running';
  if (!parseToolArguments(call.arguments)) return 'the arguments are not a JSON object';
  return call.problem;
}

function invoke(mind: Mind, pending: PendingTool, call: LlmToolCall): void {
  pending.invoked = true;
  pending.dueAt = mind.now + (findTool(mind, call.name)?.timeoutMs ?? 0);
  armOverdue(mind);
  mind.emit({
    type: 'tool.invoke',
    toolCallId: call.id,
    name: call.name,
    arguments: parseToolArguments(call.arguments) ?? {},
  });
}

/** T1: the tools whose turn has stood for long enough; while sound holds the reply back they wait on. */
export function invokeWaiting(mind: Mind): void {
  if (mind.reply?.gated) {
    mind.armIn('toolGate', CONSTANTS.toolGate);
    return;
  }
  for (const entry of mind.entries) {
    if (entry.role !== 'tool-calls') continue;
    for (const call of entry.calls) {
      const pending = mind.tools.get(call.id) ?? mind.asyncTools.get(call.id);
      if (pending && !pending.invoked) invoke(mind, pending, call);
    }
  }
}

function sayStartLine(mind: Mind, reply: Reply, calls: readonly LlmToolCall[]): void {
  if (reply.utterances.length > 0) return;
  const waited = calls.filter(({ id }) => mind.tools.has(id));
  const lines = waited.flatMap((call) => linesOf(mind, call.name, 'request-start'));
  const line = pick(mind, lines);
  if (line) addPiece(mind, reply, line.content);
}

function linesOf(mind: Mind, name: string, type: ToolLine['type']): readonly ToolLine[] {
  return findTool(mind, name)?.lines.filter((line) => line.type === type) ?? [];
}

// Several lines of a kind are variants: the seed and the number of messages so far choose.
function pick(mind: Mind, lines: readonly ToolLine[]): ToolLine | undefined {
  return lines[(mind.settings.seed + mind.entries.length) % Math.max(1, lines.length)];
}

/** The excuses for the tools that are waited for, by the wait after which they are due. */
function excuses(mind: Mind): readonly (readonly [number, readonly ToolLine[]])[] {
  const lines = [...mind.tools.values()].flatMap((tool) =>
    linesOf(mind, tool.name, 'request-response-delayed'),
  );
  const stages = Map.groupBy(lines, (line) => line.timingMs ?? CONSTANTS.toolDelay);
  return [...stages].sort(([a], [b]) => a - b);
}

function armDelayedLine(mind: Mind): void {
  const next = excuses(mind)[mind.toolExcuses];
  if (next) mind.arm('toolDelay', Math.max(mind.now, mind.toolsSince + next[0]));
}

/** T2: the tool takes its time. */
export function sayDelayed(mind: Mind): void {
  const { reply } = mind;
  const stage = excuses(mind)[mind.toolExcuses];
  if (!reply || !stage || reply.interruptedAt !== undefined) return;
  const quiet = reply.utterances.every(({ state }) => state === 'done' || state === 'failed');
  if (!quiet || mind.user !== 'silent') {
    mind.armIn('toolDelay', FLOOR_CHECK_MS);
    return;
  }
  mind.toolExcuses++;
  const line = pick(mind, stage[1]);
  if (line) addPiece(mind, reply, line.content);
  armDelayedLine(mind);
}

function allTools(mind: Mind): readonly PendingTool[] {
  return [...mind.tools.values(), ...mind.asyncTools.values()];
}

function armOverdue(mind: Mind): void {
  const dues = allTools(mind).flatMap(({ dueAt }) => dueAt ?? []);
  if (dues.length === 0) mind.disarm('toolOverdue');
  else mind.arm('toolOverdue', Math.max(mind.now, Math.min(...dues)));
}

/** T4: a tool that did not answer in its own time has failed. */
export function toolsOverdue(mind: Mind): void {
  for (const { toolCallId, dueAt } of allTools(mind)) {
    if (dueAt === undefined || dueAt > mind.now) continue;
    mind.emit({ type: 'tool.cancel', toolCallId });
    const content = 'the tool did not answer in time';
    toolAnswered(mind, { toolCallId, ok: false, content, message: undefined });
  }
  armOverdue(mind);
}

export interface ToolAnswer {
  readonly toolCallId: string;
  readonly ok: boolean;
  readonly content: string;
  readonly message: string | undefined;
}

/** T8: an answer that nobody waited for; spoken only where a line was written for it. */
function asyncAnswered(mind: Mind, pending: PendingTool, answer: ToolAnswer): void {
  mind.asyncTools.delete(pending.toolCallId);
  const said = answer.ok ? 'has answered' : 'has failed';
  mind.entries.push({
    role: 'system',
    text: `The tool ${pending.name} ${said}: ${answer.content}`,
  });
  const line = answer.ok ? pick(mind, linesOf(mind, pending.name, 'request-complete')) : undefined;
  const spoken = answer.ok ? (answer.message ?? line?.content) : undefined;
  if (spoken !== undefined) mind.says.push(spoken);
  armOverdue(mind);
}

/** T3-T5: a result always enters the context, whether or not its turn still stands. */
export function toolAnswered(mind: Mind, answer: ToolAnswer): void {
  const other = mind.asyncTools.get(answer.toolCallId);
  if (other) asyncAnswered(mind, other, answer);
  const pending = mind.tools.get(answer.toolCallId);
  if (!pending) return;
  const content = answer.ok ? answer.content : JSON.stringify({ error: answer.content });
  settleTool(mind, answer.toolCallId, content);
  const { reply } = mind;
  if (!reply || reply.turn !== pending.turn || reply.interruptedAt !== undefined) {
    // A1: a later turn may have waited for it.
    continueWhenSettled(mind);
    return;
  }
  const line = pick(
    mind,
    linesOf(mind, pending.name, answer.ok ? 'request-complete' : 'request-failed'),
  );
  const spoken = answer.message ?? (line?.role === 'assistant' ? line.content : undefined);
  if (line?.role === 'system') mind.entries.push({ role: 'system', text: line.content });
  if (spoken !== undefined) {
    addPiece(mind, reply, spoken);
    if (line?.endCall) mind.ending = { reason: 'tool-ended-call', trigger: 'assistant' };
    if (mind.tools.size === 0) {
      reply.textDone = true;
      settleReply(mind);
    }
    return;
  }
  continueWhenSettled(mind);
}

function settleTool(mind: Mind, toolCallId: string, content: string): void {
  mind.tools.delete(toolCallId);
  mind.entries.push({ role: 'tool', toolCallId, content });
  if (mind.tools.size === 0) mind.disarm('toolDelay');
  if (allTools(mind).every(({ invoked }) => invoked)) mind.disarm('toolGate');
  armOverdue(mind);
}

function continueWhenSettled(mind: Mind): void {
  if (mind.tools.size === 0) mind.raise('mind.toolsSettled');
}
