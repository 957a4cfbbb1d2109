import type { Failure } from '../../contract/call-journal.ts';
import type { Effects } from '../machine/effects.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import type { Draft, Reply } from '../state/reply.ts';
import type { AskedTool } from '../state/tools.ts';
import type { Entry } from '../state/transcript.ts';
import { END_CALL_TOOL } from '../tools/end-call-tool.ts';
import { invokeTools, withOwnIds } from '../tools/tools.ts';
import { CALL_FORWARD_TOOL } from '../transfer/transfer-leg.ts';
import { readVerdict, takeAsMeant } from '../turn/addressee.ts';
import { draftSaid, dropDraft, takeDraft } from './draft.ts';
import { beginFarewell } from './farewell.ts';
import { modelRequest } from './model-request.ts';
import { nextId } from './next-id.ts';
import { endPatience, startPatience } from './patience.ts';
import { addPiece, beginReply, pump, settleReply } from './reply.ts';
import { isPaused, openGenId, wasHeard } from './reply-phase.ts';

const MAX_STEPS = 4;
const MAX_FAILURES = 3;

/** C3: answers the turn by the draft or by the model. A1: a running tool may delay that: it may change the answer. */
export function startAnswer(
  state: CallState,
  effects: Effects,
  turn: number,
  notBefore: number,
): void {
  const draft = takeDraft(state, effects);
  const reply = beginReply(state, effects, 'answer', { turn, notBefore });
  for (const text of state.assistant.textsToSay.splice(0)) addPiece(state, effects, reply, text);
  if (draft) adopt(state, effects, reply, draft);
  else if (state.tools.awaited.length > 0) effects.armIn('toolHold', CONSTANTS.toolHoldMs);
  else startGeneration(state, effects, reply);
}

/** S3: makes the draft the reply, with what it has so far. */
function adopt(state: CallState, effects: Effects, reply: Reply, draft: Draft): void {
  const { genId, pieces, utterance } = draft;
  effects.emit({ type: 'llm.adopt', genId });
  forgetTold(state);
  reply.text = { name: 'writing', genId, calls: draft.toolCalls };
  reply.steps = 1;
  reply.firstTextAt = draft.firstTextAt;
  reply.firstAudioAt = draft.firstAudioAt;
  if (pieces.length > 0) effects.disarm('llmFirst');
  else expectText(effects, draft.startedAt);
  startPatience(state, effects, reply);
  if (utterance) reply.utterances.push(utterance);
  for (const text of utterance ? pieces.slice(1) : pieces) addPiece(state, effects, reply, text);
  pump(state, effects);
  if (draft.done) modelDone(state, effects, genId);
}

/** W3: without a welcome message the model opens the call. */
export function startOpening(state: CallState, effects: Effects): void {
  startGeneration(state, effects, beginReply(state, effects, 'welcome'));
}

export function startGeneration(
  state: CallState,
  effects: Effects,
  reply: Reply,
  entries: readonly Entry[] = state.entries,
): void {
  const genId = nextId(state, 'gen');
  effects.disarm('toolHold');
  reply.text = { name: 'writing', genId, calls: [] };
  reply.steps++;
  forgetTold(state);
  effects.emit({
    type: 'llm.start',
    genId,
    turn: reply.turn,
    ...modelRequest(state, entries),
    toolChoice: reply.steps > MAX_STEPS - 1 ? 'none' : 'auto',
    speculative: false,
  });
  expectText(effects, effects.now);
  startPatience(state, effects, reply);
}

/** A5: limits the wait for the model's first text. */
const expectText = (effects: Effects, askedAt: number) =>
  effects.arm('llmFirst', Math.max(effects.now, askedAt + CONSTANTS.llmFirstMs));

// T5: the model's context contains these results now.
function forgetTold(state: CallState): void {
  state.assistant.lateResults = state.assistant.lateResults.filter(({ endCall }) => endCall);
}

const hasAnswer = (reply: Reply) => reply.utterances.some(({ filler }) => !filler);

/** The model answered. Returns the reply that this generation writes, unless it was cancelled. */
function answeredBy(state: CallState, effects: Effects, genId: number) {
  const { reply } = state.assistant;
  if (!reply || reply.text.name === 'complete' || reply.phase.name === 'cut') return undefined;
  if (reply.text.genId !== genId) return undefined;
  effects.disarm('llmFirst');
  return { reply, text: reply.text };
}

const draftOf = (state: CallState, genId: number) =>
  state.assistant.draft?.genId === genId && !state.assistant.draft.done
    ? state.assistant.draft
    : undefined;

/** X4: the generation summarises the call for the operator. */
const isSummary = (state: CallState, genId: number) =>
  state.transfer.current?.summaryGenId === genId;

export function modelSaid(state: CallState, effects: Effects, genId: number, text: string): void {
  if (isSummary(state, genId)) state.transfer.current?.summary.push(text);
  const draft = draftOf(state, genId);
  if (draft) {
    draftSaid(effects, draft, text);
    readVerdict(state, effects, draft);
  }
  const current = answeredBy(state, effects, genId);
  if (!current) return;
  state.assistant.modelFailures = 0;
  addPiece(state, effects, current.reply, text);
}

export function modelCalled(
  state: CallState,
  effects: Effects,
  genId: number,
  call: AskedTool,
): void {
  const draft = draftOf(state, genId);
  if (draft) {
    draft.toolCalls.push(call);
    readVerdict(state, effects, draft);
  }
  const current = answeredBy(state, effects, genId);
  if (!current) return;
  current.text.calls.push(call);
}

export function modelDone(state: CallState, effects: Effects, genId: number): void {
  if (isSummary(state, genId)) effects.raise('internal.summed');
  const draft = draftOf(state, genId);
  if (draft) {
    draft.done = true;
    readVerdict(state, effects, draft);
  }
  const current = answeredBy(state, effects, genId);
  if (!current) return;
  const { reply } = current;
  const { calls } = current.text;
  reply.text = { name: 'paused', genId, calls };
  state.assistant.modelFailures = 0;
  const ends = calls.some((call) => call.name === END_CALL_TOOL);
  const others = calls.filter((call) => call.name !== END_CALL_TOOL);
  const forward = calls.find((call) => call.name === CALL_FORWARD_TOOL);
  const last = reply.steps >= MAX_STEPS;
  if (ends && (others.length === 0 || last)) {
    state.ending = { reason: 'assistant-ended-call', trigger: 'assistant' };
    reply.text = { name: 'complete' };
    settleReply(state, effects);
  } else if (forward && others.length === 1 && mayTransfer(state)) {
    const [asked = forward] = withOwnIds(state, [forward]);
    const { messageId: replyId } = reply;
    state.entries.push({ role: 'tool-calls', replyId, text: '', calls: [asked] });
    state.transfer.requested = { toolCallId: asked.id, messageId: reply.messageId };
    reply.text = { name: 'complete' };
    settleReply(state, effects);
  } else if (others.length > 0 && !last) {
    // The model has answered; from now on the tools' own lines bridge the wait.
    endPatience(state, effects);
    invokeTools(state, effects, reply, calls);
  } else {
    reply.text = { name: 'complete' };
    if (!hasAnswer(reply)) addPiece(state, effects, reply, state.settings.lines.notUnderstood);
    settleReply(state, effects);
  }
}

// X6: after the second attempt, the tool is refused.
const mayTransfer = ({ settings, transfer }: CallState) =>
  settings.transfer.toolEnabled &&
  settings.transfer.phoneNumber !== '' &&
  transfer.count < CONSTANTS.maxTransfers;

/** A5: asks the model once more, then apologises; after three failures in a row the call ends. */
export function modelFailed(
  state: CallState,
  effects: Effects,
  genId: number,
  error: Failure,
): void {
  if (isSummary(state, genId)) effects.raise('internal.summed');
  if (draftOf(state, genId)) {
    if (state.assistant.draft?.judges) takeAsMeant(state, effects);
    dropDraft(state, effects);
  }
  const current = answeredBy(state, effects, genId);
  if (!current) return;
  const { reply } = current;
  if (!reply.retried && !hasAnswer(reply) && error.retryable !== false) {
    reply.retried = true;
    effects.emit({ type: 'log', note: 'the model failed, once more', data: { ...error } });
    startGeneration(state, effects, reply);
    return;
  }
  giveUpReply(state, effects, reply, error);
}

/** A5: the model said nothing in time, which counts as a failure. */
export function modelSilent(state: CallState, effects: Effects): void {
  const { reply } = state.assistant;
  const genId = reply && openGenId(reply);
  if (genId === undefined) return;
  effects.emit({ type: 'llm.cancel', genId });
  const error = {
    code: 'llm_timeout',
    message: 'the model did not answer in time',
    retryable: true,
  };
  modelFailed(state, effects, genId, error);
}

/** K3: gives up a reply that takes too long. */
export function replyOverdue(state: CallState, effects: Effects): void {
  state.assistant.isAwaited = false;
  const { reply } = state.assistant;
  if (!reply || hasAnswer(reply)) return;
  const genId = openGenId(reply);
  if (genId !== undefined) effects.emit({ type: 'llm.cancel', genId });
  giveUpReply(state, effects, reply, { code: 'reply_timeout', message: 'no reply came in time' });
}

/** A1: the answer waits no longer for the tool that ran when the caller spoke. */
export function endToolHold(state: CallState, effects: Effects): void {
  const { reply } = state.assistant;
  if (reply && isPaused(reply)) startGeneration(state, effects, reply);
}

function giveUpReply(state: CallState, effects: Effects, reply: Reply, error: Failure): void {
  state.assistant.modelFailures++;
  effects.emit({ type: 'webhook', kind: 'error', data: { ...error, type: 'llm' } });
  if (state.assistant.modelFailures >= MAX_FAILURES) {
    const failure = { code: error.code, message: error.message };
    const ending = { reason: 'model-failed', trigger: 'assistant', failure } as const;
    beginFarewell(state, effects, ending, state.settings.lines.technicalFarewell);
    return;
  }
  reply.text = { name: 'complete' };
  if (!hasAnswer(reply)) addPiece(state, effects, reply, state.settings.lines.apology);
  settleReply(state, effects);
}

/** K3: tells the call's owner that the answer takes long. */
export function replyHangs(state: CallState, effects: Effects): void {
  effects.emit({ type: 'webhook', kind: 'hang', data: { turn: state.assistant.reply?.turn ?? 0 } });
}

export function sayFiller(state: CallState, effects: Effects): void {
  const { reply } = state.assistant;
  if (!reply || wasHeard(reply) || reply.utterances.length > 0 || reply.gated) return;
  addPiece(state, effects, reply, state.settings.lines.filler, { filler: true });
}
