import { beginsWithStopPhrase, contentWords } from '../language/words.ts';
import { CONSTANTS } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { startGeneration } from '../reply/generation.ts';
import { modelRequest } from '../reply/model-request.ts';
import { beginReply, freezeReply, silence } from '../reply/reply.ts';
import { briefingSettings, summaryPrompt } from './briefing.ts';
import { releaseOperator, type TransferFailure } from './transfer-leg.ts';

interface Wanted {
  readonly to?: string;
  readonly toolCallId?: string;
  /** The assistant has said that it will. */
  readonly announced?: boolean;
}

/** X1: from now on the caller is only told things, until the operator has them or they are back. */
export function beginTransfer(mind: Mind, { to, toolCallId, announced = false }: Wanted): void {
  const { transfer: settings, lines } = mind.settings;
  const own = to === undefined || to === settings.phoneNumber;
  mind.transfer = {
    legId: mind.next('leg'),
    to: to ?? settings.phoneNumber,
    name: own ? settings.name : '',
    extension: own ? settings.extension : '',
    mode: settings.mode,
    toolCallId,
    dialled: false,
    answered: false,
    briefed: false,
    summaryGenId: undefined,
    summary: [],
    remarks: 0,
    offered: false,
  };
  mind.transfers++;
  mind.voiced = false;
  mind.keys = '';
  mind.disarm('voiceAlive', 'keys', 'welcome', 'idle', 'toolDelay');
  const { reply } = mind;
  if (reply) {
    silence(mind, reply);
    freezeReply(mind, reply, true);
  }
  mind.raise('mind.transfer');
  mind.armIn('transfer', CONSTANTS.farewellMax);
  if (announced) mind.raise('mind.announced');
  else beginReply(mind, 'transfer', { text: lines.transferring, isProtected: true });
}

/** X1: the reply in which the model asked for it has been said. */
export function beginDueTransfer(mind: Mind): void {
  const { transferDue } = mind;
  mind.transferDue = undefined;
  if (!transferDue) return;
  const { toolCallId, messageId } = transferDue;
  const announced = mind.entries.some(
    (entry) => entry.role === 'assistant' && entry.messageId === messageId,
  );
  beginTransfer(mind, { toolCallId, announced });
}

/** X2, X3: the operator's telephone rings, and the caller gets music. */
export function dialOperator(mind: Mind): void {
  const { transfer, settings } = mind;
  if (!transfer) return;
  const { timeoutMs, holdMusicUrl, recordAfter } = settings.transfer;
  const { legId, to, name, mode, extension } = transfer;
  transfer.dialled = true;
  // Nobody keys an extension for a caller who is gone.
  const keepLegs = recordAfter || extension !== '';
  mind.emit({
    type: 'hold.music',
    on: true,
    ...(holdMusicUrl === '' ? {} : { url: holdMusicUrl }),
  });
  mind.emit({ type: 'leg.dial', legId, to, name, mode, timeoutMs, keepLegs });
  mind.armIn('transfer', timeoutMs);
  if (mode === 'blind') return;
  const genId = mind.next('gen');
  const { messages } = modelRequest(mind);
  const prompt = { role: 'system', content: summaryPrompt(name, mode) } as const;
  transfer.summaryGenId = genId;
  mind.emit({
    type: 'llm.start',
    genId,
    turn: mind.committed?.turn ?? 0,
    messages: [...messages, prompt],
    tools: [],
    toolChoice: 'none',
    speculative: false,
  });
}

/** X2, X4. */
export function operatorAnswered(mind: Mind): void {
  const { transfer } = mind;
  if (!transfer) return;
  const { legId, extension, mode } = transfer;
  transfer.answered = true;
  if (extension !== '') mind.emit({ type: 'leg.dtmf', legId, digits: extension });
  if (mode === 'blind') {
    mind.raise('mind.bridge');
    return;
  }
  mind.armIn('transfer', CONSTANTS.briefingMax);
  if (transfer.summaryGenId === undefined) briefOperator(mind);
  else mind.armIn('briefing', CONSTANTS.summaryWait);
}

/** The generation that sums up is over, well or not. */
export function summaryDone(mind: Mind): void {
  const { transfer } = mind;
  if (!transfer) return;
  transfer.summaryGenId = undefined;
  if (transfer.answered) briefOperator(mind);
}

/** X4: with what is known by now. */
export function briefOperator(mind: Mind): void {
  const { transfer, settings } = mind;
  mind.disarm('briefing');
  if (!transfer || transfer.briefed) return;
  transfer.briefed = true;
  if (transfer.summaryGenId !== undefined) {
    mind.emit({ type: 'llm.cancel', genId: transfer.summaryGenId });
    transfer.summaryGenId = undefined;
  }
  const summary = transfer.summary.join(' ').trim() || settings.lines.callerWaiting;
  const { legId } = transfer;
  mind.emit({ type: 'leg.brief', legId, settings: briefingSettings(settings, summary) });
}

/** X5: the operator has the caller; this call is theirs. */
export function bridgeOperator(mind: Mind, handedOver: boolean): void {
  const { transfer, settings, reply } = mind;
  if (!transfer) return;
  mind.forwarded = true;
  if (reply) {
    silence(mind, reply);
    freezeReply(mind, reply, true);
  }
  if (transfer.toolCallId !== undefined) {
    const content = JSON.stringify({ status: 'transferred' });
    mind.entries.push({ role: 'tool', toolCallId: transfer.toolCallId, content });
  }
  mind.emit({ type: 'hold.music', on: false });
  if (!handedOver) {
    const { legId } = transfer;
    mind.emit({ type: 'leg.bridge', legId, record: settings.transfer.recordAfter });
  }
  mind.disarmAll();
  mind.emit({
    type: 'status',
    status: 'forwarded',
    ...(settings.callType === 'phone' ? { phoneCallStatus: 'in-progress' } : {}),
  });
  mind.ending = { reason: 'transferred', trigger: undefined };
  if (handedOver) {
    mind.transfer = undefined;
    mind.raise('mind.finish');
    return;
  }
  mind.armIn('transfer', CONSTANTS.bridgedMax);
  mind.raise('mind.bridged');
  mind.raise('mind.replyOver');
}

/** X6: the caller is back with the assistant, and hears why. */
export function failTransfer(mind: Mind, failure: TransferFailure): void {
  const { transfer, settings } = mind;
  if (!transfer) return;
  releaseOperator(mind, failure, failure === 'timeout' ? settings.lines.callerLeft : undefined);
  if (transfer.toolCallId === undefined) {
    const who = transfer.name === '' ? transfer.to : transfer.name;
    const text = `The caller could not be put through to ${who}: ${failure}. Tell them and go on helping.`;
    mind.entries.push({ role: 'system', text });
  } else {
    const content = JSON.stringify({ error: `the transfer failed: ${failure}` });
    mind.entries.push({ role: 'tool', toolCallId: transfer.toolCallId, content });
  }
  const { reply } = mind;
  if (reply) {
    silence(mind, reply);
    freezeReply(mind, reply, true);
  }
  mind.raise('mind.transferOver');
  startGeneration(mind, beginReply(mind, 'answer'));
  // Silence after music is alarming: a word comes at once if the model has none.
  mind.armIn('filler', CONSTANTS.backFromHold);
}

/** X8: who talks while on hold is told once that they need not wait, and after that is believed. */
export function heardOnHold(mind: Mind, text: string): void {
  const { transfer, language } = mind;
  if (!transfer) return;
  mind.emit({ type: 'log', note: 'on hold', data: { text } });
  if (transfer.offered) {
    if (beginsWithStopPhrase(text, language)) failTransfer(mind, 'caller-stopped-waiting');
    return;
  }
  if (contentWords(text, language, mind.hints).length < CONSTANTS.holdRemarkWords) return;
  transfer.remarks++;
  if (transfer.remarks < CONSTANTS.holdRemarks || mind.reply) return;
  transfer.offered = true;
  beginReply(mind, 'stock', { text: mind.settings.lines.stopWaiting, isProtected: true });
}
