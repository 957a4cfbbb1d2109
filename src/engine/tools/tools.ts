import { canonicalJson } from '../machine/canonical-json.ts';
import type { Effects } from '../machine/effects.ts';
import { addPiece } from '../reply/reply.ts';
import { changeVolume, VOLUME_TOOL } from '../reply/volume.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallTool } from '../settings/settings.ts';
import type { CallState } from '../state/call-state.ts';
import type { Reply } from '../state/reply.ts';
import type { AskedTool, PendingTool } from '../state/tools.ts';
import { CALL_FORWARD_TOOL } from '../transfer/transfer-leg.ts';
import { NEXT_STEP_TOOL } from '../workflow/workflow.ts';
import { isOffered, takeStep } from '../workflow/workflow-progress.ts';
import { END_CALL_TOOL } from './end-call-tool.ts';
import { endToolStep, settleTool } from './tool-answers.ts';
import { parseToolArguments } from './tool-call.ts';
import { allTools, openGateAt, unstarted } from './tool-gate.ts';
import { armDelayedLine, armOverdue, findTool, linesOf, pickLine } from './tool-lines.ts';

const ACCEPTED = JSON.stringify({ status: 'accepted' });

/** T1: takes the tool calls of one step of the model; a call that cannot run gets its result at once. */
export function invokeTools(
  state: CallState,
  effects: Effects,
  reply: Reply,
  asked: readonly AskedTool[],
): void {
  const calls = withOwnIds(state, asked);
  state.entries.push({
    role: 'tool-calls',
    replyId: reply.messageId,
    text: newWords(state, reply),
    calls: calls.map(({ problem: _, ...call }) => call),
  });
  state.tools.mustTellModel = false;
  for (const call of calls) take(state, effects, reply, call);
  state.tools.since = effects.now;
  state.tools.delayMessages = 0;
  sayStartLine(state, effects, reply);
  if (unstarted(state).length > 0) {
    const committedAt = state.user.committed?.at ?? effects.now;
    openGateAt(state, effects, Math.max(effects.now, committedAt + CONSTANTS.toolGateMs));
  }
  armDelayedLine(state, effects);
  endToolStep(state, effects, reply);
}

function newWords(state: CallState, reply: Reply): string {
  const all = reply.utterances.map(({ text }) => text).join(' ');
  const earlier = state.entries
    .flatMap((entry) =>
      entry.role === 'tool-calls' && entry.replyId === reply.messageId ? [entry.text] : [],
    )
    .filter((text) => text !== '')
    .join(' ');
  return all.startsWith(earlier) ? all.slice(earlier.length).trimStart() : '';
}

const WELL_FORMED = /^[\x21-\x7e]{1,128}$/;

/** Makes the ids of tool calls unique, because a model may omit an id or use it twice. */
export function withOwnIds(state: CallState, asked: readonly AskedTool[]): readonly AskedTool[] {
  const used = new Set(
    state.entries.flatMap((entry) =>
      entry.role === 'tool-calls' ? entry.calls.map(({ id }) => id) : [],
    ),
  );
  return asked.map((call) => {
    let id = call.id;
    for (let n = used.size + 1; used.has(id) || !WELL_FORMED.test(id); n++) id = `call-${n}`;
    used.add(id);
    return { ...call, id };
  });
}

function take(state: CallState, effects: Effects, reply: Reply, call: AskedTool): void {
  const tool = findTool(state, call.name);
  const args = parseToolArguments(call.arguments);
  if (call.name === NEXT_STEP_TOOL && state.progress) {
    const { result, spoken } = takeStep(state, effects, state.progress, reply, args ?? {});
    state.tools.mustTellModel ||= !spoken;
    settleTool(state, effects, call.id, result);
    return;
  }
  if (call.name === VOLUME_TOOL && state.settings.volumeControl) {
    state.tools.mustTellModel = true;
    settleTool(state, effects, call.id, changeVolume(state, effects, args ?? {}));
    return;
  }
  const key = `${call.name} ${canonicalJson(args ?? call.arguments)}`;
  const problem = refusal(state, call, { tool, args, key });
  if (problem !== undefined || !tool || !args) {
    state.tools.mustTellModel = true;
    settleTool(state, effects, call.id, JSON.stringify({ error: problem }));
    return;
  }
  const pending: PendingTool = {
    toolCallId: call.id,
    name: call.name,
    arguments: args,
    key,
    replyId: reply.messageId,
    invoked: false,
    afterUtterance: undefined,
    dueAt: undefined,
  };
  if (tool.async) {
    state.tools.async.push(pending);
    state.entries.push({ role: 'tool', toolCallId: call.id, content: ACCEPTED });
    state.tools.mustTellModel = true;
  } else state.tools.awaited.push(pending);
  if (tool.readOnly) invoke(state, effects, pending);
}

/** T7: why a call cannot run, for the model. */
function refusal(
  state: CallState,
  call: AskedTool,
  { tool, args, key }: { tool: CallTool | undefined; args: unknown; key: string },
): string | undefined {
  if (call.name === END_CALL_TOOL) return 'call it by itself, once the other tools have answered';
  if (call.name === CALL_FORWARD_TOOL) return 'not possible now, or not along with other tools';
  if (!tool || !isOffered(state, call.name)) return `there is no tool named ${call.name}`;
  if (!args) return 'the arguments are not a JSON object';
  if (allTools(state).some((other) => other.key === key)) return 'already running';
  return call.problem;
}

function invoke(state: CallState, effects: Effects, pending: PendingTool): void {
  const { toolCallId, name } = pending;
  pending.invoked = true;
  pending.dueAt = effects.now + (findTool(state, name)?.timeoutMs ?? 0);
  armOverdue(state, effects);
  effects.emit({ type: 'tool.invoke', toolCallId, name, arguments: pending.arguments });
}

/** T1: a start line is said if the reply has no words yet; a blocking one always, and the tools wait for its end. */
function sayStartLine(state: CallState, effects: Effects, reply: Reply): void {
  const silent = reply.utterances.length === 0;
  const lines = [...state.tools.awaited]
    .filter(({ replyId }) => replyId === reply.messageId)
    .flatMap(({ name }) => linesOf(state, name, 'request-start'));
  const blocking = lines.filter((line) => line.blocking);
  const line = pickLine(state, blocking.length > 0 ? blocking : silent ? lines : []);
  if (!line || line.content.trim() === '') return;
  addPiece(state, effects, reply, line.content);
  if (!line.blocking) return;
  const uttId = reply.utterances.at(-1)?.uttId;
  for (const tool of unstarted(state)) tool.afterUtterance = uttId;
}

/** T1: invokes the tools of a turn that was not reopened; while the reply is gated, they wait. */
export function invokeWaiting(state: CallState, effects: Effects): void {
  if (state.assistant.reply?.gated) {
    openGateAt(state, effects, effects.now + CONSTANTS.toolGateMs);
    return;
  }
  for (const tool of unstarted(state)) {
    if (tool.afterUtterance === undefined) invoke(state, effects, tool);
  }
}
