import { vocabularyOf } from '../language/vocabulary.ts';
import { beginsWithStopPhrase, contentWords } from '../language/words.ts';
import type { Effects } from '../machine/effects.ts';
import { startGeneration } from '../reply/generation.ts';
import { modelRequest } from '../reply/model-request.ts';
import { nextId } from '../reply/next-id.ts';
import { beginReply, freezeReply, silence } from '../reply/reply.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import type { TransferFailure } from '../state/transfer.ts';
import { briefingSettings, summaryPrompt } from './briefing.ts';
import { releaseOperator } from './transfer-leg.ts';

interface Wanted {
  readonly to?: string;
  readonly toolCallId?: string;
  /** The assistant has already announced it. */
  readonly announced?: boolean;
}

/** X1: begins a transfer. Until it ends, the caller's words begin no turn. */
export function beginTransfer(
  state: CallState,
  effects: Effects,
  { to, toolCallId, announced = false }: Wanted,
): void {
  const { transfer: settings, lines } = state.settings;
  const own = to === undefined || to === settings.phoneNumber;
  state.transfer.current = {
    legId: nextId(state, 'leg'),
    to: to ?? settings.phoneNumber,
    name: own ? settings.name : '',
    extension: own ? settings.extension : '',
    mode: settings.mode,
    toolCallId,
    leg: 'none',
    summaryGenId: undefined,
    summary: [],
    remarks: 0,
    offered: false,
  };
  state.transfer.count++;
  state.user.voiced = false;
  state.user.keys = '';
  const { reply } = state.assistant;
  if (reply) {
    silence(state, effects, reply);
    freezeReply(state, effects, reply, true);
  }
  effects.raise('internal.transfer');
  if (announced) effects.raise('internal.announced');
  else beginReply(state, effects, 'transfer', { text: lines.transferring, isProtected: true });
}

/** X1: begins the transfer that the model asked for in a reply, which is now over. */
export function beginRequestedTransfer(state: CallState, effects: Effects): void {
  const { requested: transferDue } = state.transfer;
  state.transfer.requested = undefined;
  if (!transferDue) return;
  const { toolCallId, messageId } = transferDue;
  const announced = state.entries.some(
    (entry) => entry.role === 'assistant' && entry.messageId === messageId,
  );
  beginTransfer(state, effects, { toolCallId, announced });
}

/** X2, X3: dials the operator, while the caller hears music. */
export function dialOperator(state: CallState, effects: Effects): void {
  const { current: transfer } = state.transfer;
  const { settings } = state;
  if (!transfer) return;
  const { timeoutMs, holdMusicUrl, recordAfter } = settings.transfer;
  const { legId, to, name, mode, extension } = transfer;
  transfer.leg = 'ringing';
  // The extension is dialled after the answer, so the call must keep the legs.
  const keepLegs = recordAfter || extension !== '';
  effects.emit({
    type: 'hold.music',
    on: true,
    ...(holdMusicUrl === '' ? {} : { url: holdMusicUrl }),
  });
  effects.emit({ type: 'leg.dial', legId, to, name, mode, timeoutMs, keepLegs });
  if (mode === 'blind') return;
  const genId = nextId(state, 'gen');
  const { messages } = modelRequest(state);
  const prompt = { role: 'system', content: summaryPrompt(name, mode) } as const;
  transfer.summaryGenId = genId;
  effects.emit({
    type: 'llm.start',
    genId,
    turn: state.user.committed?.turn ?? 0,
    messages: [...messages, prompt],
    tools: [],
    toolChoice: 'none',
    speculative: false,
  });
}

/** X2, X4: bridges a blind transfer, and briefs the operator in any other. */
export function operatorAnswered(state: CallState, effects: Effects): void {
  const { current: transfer } = state.transfer;
  if (!transfer) return;
  const { legId, extension, mode } = transfer;
  transfer.leg = 'answered';
  if (extension !== '') effects.emit({ type: 'leg.dtmf', legId, digits: extension });
  if (mode === 'blind') {
    effects.raise('internal.bridge');
    return;
  }
  if (transfer.summaryGenId === undefined) briefOperator(state, effects);
}

/** X4: the generation of the summary is over, whether it succeeded or not. */
export function summaryDone(state: CallState, effects: Effects): void {
  const { current: transfer } = state.transfer;
  if (!transfer) return;
  transfer.summaryGenId = undefined;
  if (transfer.leg === 'answered') briefOperator(state, effects);
}

/** X4: briefs the operator with the summary so far. */
export function briefOperator(state: CallState, effects: Effects): void {
  const { current: transfer } = state.transfer;
  const { settings } = state;
  if (!transfer || transfer.leg === 'briefed') return;
  transfer.leg = 'briefed';
  if (transfer.summaryGenId !== undefined) {
    effects.emit({ type: 'llm.cancel', genId: transfer.summaryGenId });
    transfer.summaryGenId = undefined;
  }
  const summary = transfer.summary.join(' ').trim() || settings.lines.callerWaiting;
  const { legId } = transfer;
  effects.emit({ type: 'leg.brief', legId, settings: briefingSettings(settings, summary) });
}

/** X5: connects the caller to the operator. */
export function bridgeOperator(state: CallState, effects: Effects, handedOver: boolean): void {
  const { current: transfer } = state.transfer;
  const { settings } = state;
  const { reply } = state.assistant;
  if (!transfer) return;
  if (reply) {
    silence(state, effects, reply);
    freezeReply(state, effects, reply, true);
  }
  if (transfer.toolCallId !== undefined) {
    const content = JSON.stringify({ status: 'transferred' });
    state.entries.push({ role: 'tool', toolCallId: transfer.toolCallId, content });
  }
  effects.emit({ type: 'hold.music', on: false });
  if (!handedOver) {
    const { legId } = transfer;
    effects.emit({ type: 'leg.bridge', legId, record: settings.transfer.recordAfter });
  }
  effects.emit({
    type: 'status',
    status: 'forwarded',
    ...(settings.callType === 'phone' ? { phoneCallStatus: 'in-progress' } : {}),
  });
  state.ending = { reason: 'transferred', trigger: undefined };
  if (handedOver) {
    state.transfer.current = undefined;
    effects.raise('internal.finish');
    return;
  }
  effects.raise('internal.bridged');
  effects.raise('internal.replyOver');
}

/** R6: another process has a call whose caller and operator talk; the assistant stays silent. */
export function resumeOperator(state: CallState, effects: Effects): void {
  const { current: transfer } = state.transfer;
  if (!transfer) return;
  const { recordAfter: record } = state.settings.transfer;
  effects.emit({ type: 'leg.resume', legId: transfer.legId, record });
  effects.armIn('operatorBack', CONSTANTS.operatorBackMs);
}

/** R6: both are connected again. */
export function bridgeAgain(state: CallState, effects: Effects): void {
  const { current: transfer } = state.transfer;
  if (!transfer) return;
  const { recordAfter: record } = state.settings.transfer;
  effects.emit({ type: 'leg.bridge', legId: transfer.legId, record });
}

/** X6: brings the caller back to the assistant, which tells them why. */
export function failTransfer(state: CallState, effects: Effects, failure: TransferFailure): void {
  const { current: transfer } = state.transfer;
  const { settings } = state;
  if (!transfer) return;
  releaseOperator(
    state,
    effects,
    failure,
    failure === 'timeout' ? settings.lines.callerLeft : undefined,
  );
  if (transfer.toolCallId === undefined) {
    const who = transfer.name === '' ? transfer.to : transfer.name;
    const text = `The caller could not be put through to ${who}: ${failure}. Tell them and go on helping.`;
    state.entries.push({ role: 'system', text });
  } else {
    const content = JSON.stringify({ error: `the transfer failed: ${failure}` });
    state.entries.push({ role: 'tool', toolCallId: transfer.toolCallId, content });
  }
  const { reply } = state.assistant;
  if (reply) {
    silence(state, effects, reply);
    freezeReply(state, effects, reply, true);
  }
  effects.raise('internal.transferOver');
  const answer = beginReply(state, effects, 'answer');
  // Silence after music is alarming, so a filler comes at once if the model is slow.
  answer.fillerAfterMs = CONSTANTS.backFromHoldMs;
  startGeneration(state, effects, answer);
}

/** X8: offers once to stop waiting to a caller who talks on hold; a stop phrase then ends the transfer. */
export function heardOnHold(state: CallState, effects: Effects, text: string): void {
  const { current: transfer } = state.transfer;
  const { language } = vocabularyOf(state.settings);
  if (!transfer) return;
  effects.emit({ type: 'log', note: 'on hold', data: { text } });
  if (transfer.offered) {
    if (beginsWithStopPhrase(text, language))
      failTransfer(state, effects, 'caller-stopped-waiting');
    return;
  }
  if (
    contentWords(text, language, vocabularyOf(state.settings).hints).length <
    CONSTANTS.holdRemarkMinWords
  )
    return;
  transfer.remarks++;
  if (transfer.remarks < CONSTANTS.holdRemarks || state.assistant.reply) return;
  transfer.offered = true;
  beginReply(state, effects, 'stock', {
    text: state.settings.lines.stopWaiting,
    isProtected: true,
  });
}
