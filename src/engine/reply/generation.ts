import { CONSTANTS } from '../machine/constants.ts';
import type { Failure } from '../machine/events.ts';
import type { Mind } from '../machine/mind.ts';
import { END_CALL_TOOL } from '../tools/end-call-tool.ts';
import type { AskedTool } from '../tools/tool-call.ts';
import { invokeTools, withOwnIds } from '../tools/tools.ts';
import { CALL_FORWARD_TOOL } from '../transfer/transfer-leg.ts';
import { type Draft, draftSaid, dropDraft, takeDraft } from './draft.ts';
import { beginFarewell } from './farewell.ts';
import { modelRequest } from './model-request.ts';
import { addPiece, beginReply, pump, type Reply, settleReply } from './reply.ts';

const MAX_STEPS = 4;
const MAX_FAILURES = 3;

/** C3: the model answers the turn, or has already; A1: a tool that runs may still change its answer. */
export function startAnswer(mind: Mind, turn: number, notBefore: number): void {
  const draft = takeDraft(mind);
  const reply = beginReply(mind, 'answer', { turn, notBefore });
  for (const text of mind.says.splice(0)) addPiece(mind, reply, text);
  if (draft) adopt(mind, reply, draft);
  else if (mind.tools.size > 0) mind.armIn('toolHold', CONSTANTS.toolHold);
  else startGeneration(mind, reply);
}

/** S3: the draft is the reply, as far as it has come. */
function adopt(mind: Mind, reply: Reply, draft: Draft): void {
  const { genId, pieces, utterance } = draft;
  mind.emit({ type: 'llm.adopt', genId });
  forgetTold(mind);
  reply.genId = genId;
  reply.generating = true;
  reply.steps = 1;
  reply.toolCalls = draft.toolCalls;
  reply.firstTextAt = draft.firstTextAt;
  reply.firstAudioAt = draft.firstAudioAt;
  armPatience(mind, reply);
  if (pieces.length > 0) mind.disarm('llmFirst');
  else mind.arm('llmFirst', Math.max(mind.now, draft.startedAt + CONSTANTS.llmFirst));
  if (utterance) reply.utterances.push(utterance);
  for (const text of utterance ? pieces.slice(1) : pieces) addPiece(mind, reply, text);
  pump(mind);
  if (draft.done) modelDone(mind, genId);
}

/** W3: without a welcome message the model opens the call. */
export function startOpening(mind: Mind): void {
  startGeneration(mind, beginReply(mind, 'welcome'));
}

export function startGeneration(mind: Mind, reply: Reply): void {
  const genId = mind.next('gen');
  mind.disarm('toolHold');
  reply.genId = genId;
  reply.generating = true;
  reply.textDone = false;
  reply.toolCalls = [];
  reply.steps++;
  forgetTold(mind);
  mind.emit({
    type: 'llm.start',
    genId,
    turn: reply.turn,
    ...modelRequest(mind),
    toolChoice: reply.steps > MAX_STEPS - 1 ? 'none' : 'auto',
    speculative: false,
  });
  armPatience(mind, reply);
}

// T5: the model that answers now knows of them.
function forgetTold(mind: Mind): void {
  mind.untold = mind.untold.filter(({ endCall }) => endCall);
}

function armPatience(mind: Mind, reply: Reply): void {
  mind.armIn('llmFirst', CONSTANTS.llmFirst);
  // A second attempt does not start the patience of who waits anew.
  if (reply.startedAt !== undefined || mind.deadlines.has('giveUp')) return;
  mind.armIn('hang', CONSTANTS.hang);
  mind.armIn('filler', CONSTANTS.thinkMax);
  mind.armIn('giveUp', CONSTANTS.giveUp);
}

const hasAnswer = (reply: Reply) => reply.utterances.some(({ filler }) => !filler);

function current(mind: Mind, genId: number): Reply | undefined {
  const { reply } = mind;
  return reply?.genId === genId && !reply.textDone && reply.interruptedAt === undefined
    ? reply
    : undefined;
}

const draftOf = (mind: Mind, genId: number) =>
  mind.draft?.genId === genId && !mind.draft.done ? mind.draft : undefined;

/** X4: what it writes is for the operator. */
const isSummary = (mind: Mind, genId: number) => mind.transfer?.summaryGenId === genId;

export function modelSaid(mind: Mind, genId: number, text: string): void {
  if (isSummary(mind, genId)) mind.transfer?.summary.push(text);
  const draft = draftOf(mind, genId);
  if (draft) draftSaid(mind, draft, text);
  const reply = current(mind, genId);
  if (!reply) return;
  mind.disarm('llmFirst');
  mind.modelFailures = 0;
  addPiece(mind, reply, text);
}

export function modelCalled(mind: Mind, genId: number, call: AskedTool): void {
  draftOf(mind, genId)?.toolCalls.push(call);
  const reply = current(mind, genId);
  if (!reply) return;
  mind.disarm('llmFirst');
  reply.toolCalls.push(call);
}

export function modelDone(mind: Mind, genId: number): void {
  if (isSummary(mind, genId)) mind.raise('mind.summed');
  const draft = draftOf(mind, genId);
  if (draft) draft.done = true;
  const reply = current(mind, genId);
  if (!reply) return;
  reply.generating = false;
  mind.disarm('llmFirst');
  mind.modelFailures = 0;
  const calls = reply.toolCalls;
  const ends = calls.some((call) => call.name === END_CALL_TOOL);
  const others = calls.filter((call) => call.name !== END_CALL_TOOL);
  const forward = calls.find((call) => call.name === CALL_FORWARD_TOOL);
  const last = reply.steps >= MAX_STEPS;
  if (ends && (others.length === 0 || last)) {
    mind.ending = { reason: 'assistant-ended-call', trigger: 'assistant' };
    reply.textDone = true;
    settleReply(mind);
  } else if (forward && others.length === 1 && mayTransfer(mind)) {
    const [asked = forward] = withOwnIds(mind, [forward]);
    const { messageId: replyId } = reply;
    mind.entries.push({ role: 'tool-calls', replyId, text: '', calls: [asked] });
    mind.transferDue = { toolCallId: asked.id, messageId: reply.messageId };
    reply.textDone = true;
    settleReply(mind);
  } else if (others.length > 0 && !last) {
    // The pieces said so far belong to the step that asked for the tools.
    mind.disarm('hang', 'filler', 'giveUp');
    invokeTools(mind, reply, calls);
  } else {
    reply.textDone = true;
    if (!hasAnswer(reply)) addPiece(mind, reply, mind.settings.lines.notUnderstood);
    settleReply(mind);
  }
}

// X6: one more try; after that the tool is refused like any that does not exist.
const mayTransfer = ({ settings: { transfer }, transfers }: Mind) =>
  transfer.toolEnabled && transfer.phoneNumber !== '' && transfers < CONSTANTS.maxTransfers;

/** A5: once more, then an apology, and after three in a row the end. */
export function modelFailed(mind: Mind, genId: number, error: Failure): void {
  if (isSummary(mind, genId)) mind.raise('mind.summed');
  if (draftOf(mind, genId)) dropDraft(mind);
  const reply = current(mind, genId);
  if (!reply) return;
  mind.disarm('llmFirst');
  if (!reply.retried && !hasAnswer(reply) && error.retryable !== false) {
    reply.retried = true;
    mind.emit({ type: 'log', note: 'the model failed, once more', data: { ...error } });
    startGeneration(mind, reply);
    return;
  }
  giveUpReply(mind, reply, error);
}

/** Nothing came in time: the same as a failure, for a generation that still runs. */
export function modelSilent(mind: Mind): void {
  const { reply } = mind;
  if (!reply?.genId || reply.textDone) return;
  mind.emit({ type: 'llm.cancel', genId: reply.genId });
  const error = {
    code: 'llm_timeout',
    message: 'the model did not answer in time',
    retryable: true,
  };
  modelFailed(mind, reply.genId, error);
}

/** K3: the reply has taken too long altogether. */
export function replyOverdue(mind: Mind): void {
  const { reply } = mind;
  if (!reply || hasAnswer(reply)) return;
  if (reply.genId !== undefined && !reply.textDone) {
    mind.emit({ type: 'llm.cancel', genId: reply.genId });
  }
  giveUpReply(mind, reply, { code: 'reply_timeout', message: 'no reply came in time' });
}

/** A1: the tool that ran when the caller spoke keeps the answer waiting no longer. */
export function endToolHold(mind: Mind): void {
  const { reply } = mind;
  if (reply && !reply.generating && reply.interruptedAt === undefined) startGeneration(mind, reply);
}

function giveUpReply(mind: Mind, reply: Reply, error: Failure): void {
  mind.modelFailures++;
  mind.emit({ type: 'webhook', kind: 'error', data: { ...error, type: 'llm' } });
  if (mind.modelFailures >= MAX_FAILURES) {
    const failure = { code: error.code, message: error.message };
    const ending = { reason: 'model-failed', trigger: 'assistant', failure } as const;
    beginFarewell(mind, ending, mind.settings.lines.technicalFarewell);
    return;
  }
  reply.textDone = true;
  if (!hasAnswer(reply)) addPiece(mind, reply, mind.settings.lines.apology);
  settleReply(mind);
}

/** K3: tell whoever watches, then the caller, that it takes a while. */
export function replyHangs(mind: Mind): void {
  mind.emit({ type: 'webhook', kind: 'hang', data: { turn: mind.reply?.turn ?? 0 } });
}

export function sayFiller(mind: Mind): void {
  const { reply } = mind;
  if (!reply || reply.startedAt !== undefined || reply.utterances.length > 0 || reply.gated) return;
  addPiece(mind, reply, mind.settings.lines.filler, { filler: true });
}
