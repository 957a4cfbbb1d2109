import type { LlmTool, LlmToolCall } from '../ports/llm.ts';
import { CONSTANTS } from './constants.ts';
import type { Mind, PendingTool } from './mind.ts';
import { addPiece, type Reply, settleReply } from './reply.ts';
import type { CallTool, ToolLine } from './settings.ts';

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

const findTool = (mind: Mind, name: string): CallTool | undefined =>
  mind.settings.tools.find((tool) => tool.definition.name === name);

/** T1: the model's tool calls of one step. What can't run is answered to the model at once. */
export function invokeTools(mind: Mind, reply: Reply, calls: readonly LlmToolCall[]): void {
  const text = reply.utterances.map((utterance) => utterance.text).join(' ');
  mind.entries.push({ role: 'tool-calls', text, calls });
  for (const call of calls) {
    const problem = refusal(mind, call);
    if (problem !== undefined) {
      settleTool(mind, call.id, JSON.stringify({ error: problem }));
      continue;
    }
    const pending = { toolCallId: call.id, name: call.name, turn: reply.turn, invoked: false };
    mind.tools.set(call.id, pending);
    if (findTool(mind, call.name)?.readOnly) invoke(mind, pending, call);
  }
  sayStartLine(mind, reply, calls);
  if ([...mind.tools.values()].some((tool) => !tool.invoked)) {
    const committedAt = mind.committed?.at ?? mind.now;
    mind.arm('toolGate', Math.max(mind.now, committedAt + CONSTANTS.toolGate));
  }
  armDelayedLine(mind);
  continueWhenSettled(mind);
}

/** T7, and calls that nobody can run. */
function refusal(mind: Mind, call: LlmToolCall): string | undefined {
  if (!findTool(mind, call.name)) return `there is no tool named ${call.name}`;
  const running = mind.entries.flatMap((entry) =>
    entry.role === 'tool-calls' ? entry.calls.filter(({ id }) => mind.tools.has(id)) : [],
  );
  const same = running.some(
    (other) =>
      other.id !== call.id && other.name === call.name && other.arguments === call.arguments,
  );
  if (same) return 'already running';
  return parseArguments(call) ? undefined : 'the arguments are not a JSON object';
}

function parseArguments(call: LlmToolCall): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(call.arguments === '' ? '{}' : call.arguments);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function invoke(mind: Mind, pending: PendingTool, call: LlmToolCall): void {
  pending.invoked = true;
  mind.emit({
    type: 'tool.invoke',
    toolCallId: call.id,
    name: call.name,
    arguments: parseArguments(call) ?? {},
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
      const pending = mind.tools.get(call.id);
      if (pending && !pending.invoked) invoke(mind, pending, call);
    }
  }
}

function sayStartLine(mind: Mind, reply: Reply, calls: readonly LlmToolCall[]): void {
  if (reply.utterances.length > 0) return;
  const lines = calls.flatMap((call) => linesOf(mind, call.name, 'request-start'));
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

function armDelayedLine(mind: Mind): void {
  const timings = [...mind.tools.values()]
    .flatMap((tool) => linesOf(mind, tool.name, 'request-response-delayed'))
    .map((line) => line.timingMs ?? CONSTANTS.toolDelay);
  if (timings.length > 0) mind.armIn('toolDelay', Math.min(...timings));
}

/** T2: the tool takes its time. */
export function sayDelayed(mind: Mind): void {
  const { reply } = mind;
  const waiting = [...mind.tools.values()][0];
  if (!reply || !waiting) return;
  const line = pick(mind, linesOf(mind, waiting.name, 'request-response-delayed'));
  const quiet = reply.utterances.every(({ state }) => state === 'done' || state === 'failed');
  if (line && quiet && mind.user === 'silent') addPiece(mind, reply, line.content);
}

export interface ToolAnswer {
  readonly toolCallId: string;
  readonly ok: boolean;
  readonly content: string;
  readonly message: string | undefined;
}

/** T3-T5: a result always enters the context, whether or not its turn still stands. */
export function toolAnswered(mind: Mind, answer: ToolAnswer): void {
  const pending = mind.tools.get(answer.toolCallId);
  if (!pending) return;
  const content = answer.ok ? answer.content : JSON.stringify({ error: answer.content });
  settleTool(mind, answer.toolCallId, content);
  const { reply } = mind;
  if (!reply || reply.turn !== pending.turn || reply.interruptedAt !== undefined) return;
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
  if (mind.tools.size === 0) mind.disarm('toolDelay', 'toolGate');
}

function continueWhenSettled(mind: Mind): void {
  if (mind.tools.size === 0) mind.raise('mind.toolsSettled');
}
