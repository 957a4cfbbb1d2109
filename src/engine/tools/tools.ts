import { canonicalJson } from '../machine/canonical-json.ts';
import { CONSTANTS } from '../machine/constants.ts';
import type { Mind, PendingTool } from '../machine/mind.ts';
import { addPiece, type Reply } from '../reply/reply.ts';
import { changeVolume, VOLUME_TOOL } from '../reply/volume.ts';
import type { CallTool } from '../settings/settings.ts';
import { CALL_FORWARD_TOOL } from '../transfer/transfer-leg.ts';
import { NEXT_STEP_TOOL } from '../workflow/workflow.ts';
import { isOffered, takeStep } from '../workflow/workflow-progress.ts';
import { END_CALL_TOOL } from './end-call-tool.ts';
import { endToolStep, settleTool } from './tool-answers.ts';
import { type AskedTool, parseToolArguments } from './tool-call.ts';
import { armDelayedLine } from './tool-delay.ts';
import { findTool, linesOf, pickLine } from './tool-lines.ts';
import { armOverdue } from './tool-overdue.ts';

const ACCEPTED = JSON.stringify({ status: 'accepted' });

/** T1: the model's tool calls of one step. What can't run is answered to the model at once. */
export function invokeTools(mind: Mind, reply: Reply, asked: readonly AskedTool[]): void {
  const calls = withOwnIds(mind, asked);
  mind.entries.push({
    role: 'tool-calls',
    replyId: reply.messageId,
    text: newWords(mind, reply),
    calls: calls.map(({ problem: _, ...call }) => call),
  });
  mind.toolsToTell = false;
  for (const call of calls) take(mind, reply, call);
  mind.toolsSince = mind.now;
  mind.toolExcuses = 0;
  sayStartLine(mind, reply);
  if (unstarted(mind).length > 0) {
    const committedAt = mind.committed?.at ?? mind.now;
    mind.arm('toolGate', Math.max(mind.now, committedAt + CONSTANTS.toolGate));
  }
  armDelayedLine(mind);
  endToolStep(mind, reply);
}

function newWords(mind: Mind, reply: Reply): string {
  const all = reply.utterances.map(({ text }) => text).join(' ');
  const earlier = mind.entries
    .flatMap((entry) =>
      entry.role === 'tool-calls' && entry.replyId === reply.messageId ? [entry.text] : [],
    )
    .filter((text) => text !== '')
    .join(' ');
  return all.startsWith(earlier) ? all.slice(earlier.length).trimStart() : '';
}

const WELL_FORMED = /^[\x21-\x7e]{1,128}$/;

/** A model may use an id twice, or none: whatever is kept by it, here and at the tool's server, needs its own. */
export function withOwnIds(mind: Mind, asked: readonly AskedTool[]): readonly AskedTool[] {
  const used = new Set(
    mind.entries.flatMap((entry) =>
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

function take(mind: Mind, reply: Reply, call: AskedTool): void {
  const tool = findTool(mind, call.name);
  const args = parseToolArguments(call.arguments);
  if (call.name === NEXT_STEP_TOOL && mind.progress) {
    const { result, spoken } = takeStep(mind, mind.progress, reply, args ?? {});
    mind.toolsToTell ||= !spoken;
    settleTool(mind, call.id, result);
    return;
  }
  if (call.name === VOLUME_TOOL && mind.settings.volumeControl) {
    mind.toolsToTell = true;
    settleTool(mind, call.id, changeVolume(mind, args ?? {}));
    return;
  }
  const key = `${call.name} ${canonicalJson(args ?? call.arguments)}`;
  const problem = refusal(mind, call, { tool, args, key });
  if (problem !== undefined || !tool || !args) {
    mind.toolsToTell = true;
    settleTool(mind, call.id, JSON.stringify({ error: problem }));
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
    mind.asyncTools.set(call.id, pending);
    mind.entries.push({ role: 'tool', toolCallId: call.id, content: ACCEPTED });
    mind.toolsToTell = true;
  } else mind.tools.set(call.id, pending);
  if (tool.readOnly) invoke(mind, pending);
}

/** T7, and calls that nobody can run. */
function refusal(
  mind: Mind,
  call: AskedTool,
  { tool, args, key }: { tool: CallTool | undefined; args: unknown; key: string },
): string | undefined {
  if (call.name === END_CALL_TOOL) return 'call it by itself, once the other tools have answered';
  if (call.name === CALL_FORWARD_TOOL) return 'not possible now, or not along with other tools';
  if (!tool || !isOffered(mind, call.name)) return `there is no tool named ${call.name}`;
  if (!args) return 'the arguments are not a JSON object';
  if (allTools(mind).some((other) => other.key === key)) return 'already running';
  return call.problem;
}

const allTools = (mind: Mind) => [...mind.tools.values(), ...mind.asyncTools.values()];

const unstarted = (mind: Mind) => allTools(mind).filter(({ invoked }) => !invoked);

function invoke(mind: Mind, pending: PendingTool): void {
  const { toolCallId, name } = pending;
  pending.invoked = true;
  pending.dueAt = mind.now + (findTool(mind, name)?.timeoutMs ?? 0);
  armOverdue(mind);
  mind.emit({ type: 'tool.invoke', toolCallId, name, arguments: pending.arguments });
}

/** T1: said if the reply has said nothing yet; a blocking one always, and its tools wait for its end. */
function sayStartLine(mind: Mind, reply: Reply): void {
  const silent = reply.utterances.length === 0;
  const lines = [...mind.tools.values()]
    .filter(({ replyId }) => replyId === reply.messageId)
    .flatMap(({ name }) => linesOf(mind, name, 'request-start'));
  const blocking = lines.filter((line) => line.blocking);
  const line = pickLine(mind, blocking.length > 0 ? blocking : silent ? lines : []);
  if (!line || line.content.trim() === '') return;
  addPiece(mind, reply, line.content);
  if (!line.blocking) return;
  const uttId = reply.utterances.at(-1)?.uttId;
  for (const tool of unstarted(mind)) tool.afterUtterance = uttId;
}

/** T1: the tools whose turn has stood for long enough; while sound holds the reply back they wait on. */
export function invokeWaiting(mind: Mind): void {
  if (mind.reply?.gated) {
    mind.armIn('toolGate', CONSTANTS.toolGate);
    return;
  }
  for (const tool of unstarted(mind)) {
    if (tool.afterUtterance === undefined) invoke(mind, tool);
  }
}

/** Runs after every event: a blocking line that was said, or that no voice could say, blocks no longer. */
export function watchBlocked(mind: Mind): void {
  const blocked = unstarted(mind).filter(({ afterUtterance }) => afterUtterance !== undefined);
  for (const tool of blocked) {
    const line = mind.reply?.utterances.find(({ uttId }) => uttId === tool.afterUtterance);
    if (line && line.state !== 'done' && line.state !== 'failed') continue;
    tool.afterUtterance = undefined;
    if (!mind.deadlines.has('toolGate')) mind.arm('toolGate', mind.now);
  }
}
