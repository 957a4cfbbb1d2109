import type { CallCommand } from '../machine/commands.ts';
import type { CallEvent } from '../machine/events.ts';
import type { CallSettings, CallTool, TransferMode } from '../settings/settings.ts';

const LONGEST_MS = 120_000;
const SILENCE_MS = 30_000;

const ACCEPT = 'accept';
const DECLINE = 'decline';
const VOICEMAIL = 'voicemail';
/** What the model of a conversation with an operator is given to report their decision by. */
export const BRIEFING_TOOLS: readonly string[] = [ACCEPT, DECLINE, VOICEMAIL];

const decision = (name: string, description: string): CallTool => ({
  definition: {
    name,
    description,
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
  },
  async: false,
  // It only reports a decision, so it may run before the turn is settled.
  readOnly: true,
  timeoutMs: 5000,
  lines: [],
});

const DECISIONS: readonly CallTool[] = [
  decision(ACCEPT, 'The person takes the call: puts the caller through now.'),
  decision(DECLINE, 'The person cannot or will not take the call.'),
  decision(VOICEMAIL, 'A machine answered: a mailbox, a recording or a menu.'),
];

function instructions(summary: string, name: string): string {
  const who = name === '' ? 'a colleague' : name;
  return [
    `You are an assistant who has just telephoned ${who} because a caller waits on hold to be put through.`,
    'You speak with the colleague, who cannot hear the caller. Be brief and answer what they ask.',
    `As soon as they take the call, use "${ACCEPT}"; if they cannot, "${DECLINE}"; if no person answers but a machine, "${VOICEMAIL}".`,
    `What is known of the call: ${summary}`,
  ].join('\n');
}

/** X4: the prompt for the model's summary of the call. */
export function summaryPrompt(name: string, mode: TransferMode): string {
  const who = name === '' ? 'the colleague' : name;
  return [
    `The caller is being put through to ${who}, who has just answered the telephone and cannot hear the caller.`,
    `Write what you say to ${who} now, in the language of the conversation: two or three short spoken sentences on who is calling, what they want and what was done so far.`,
    mode === 'conversational' ? 'End by asking whether they can take the call now.' : '',
    'Write nothing but what is said.',
  ]
    .join(' ')
    .trim();
}

/**
 * X4: the settings of the engine that briefs an operator. Every field is listed, so that nothing of the caller's
 * assistant (workflow, tools, volume) applies to the operator by accident.
 */
export function briefingSettings(caller: CallSettings, summary: string): CallSettings {
  const { mode, name } = caller.transfer;
  const converses = mode === 'conversational';
  return {
    callType: 'phone',
    direction: 'outbound',
    systemPrompt: converses ? instructions(summary, name) : '',
    languages: caller.languages,
    hints: caller.hints,
    expected: [],
    welcome: { message: summary, mode: 'assistant-speaks-first', interruptible: converses },
    startSpeaking: caller.startSpeaking,
    stopSpeaking: caller.stopSpeaking,
    interruptionAck: { ...caller.interruptionAck, enabled: false },
    backchanneling: false,
    drafts: false,
    predictor: caller.predictor,
    dtmfInput: false,
    // An announced transfer is bridged as soon as the announcement was said.
    idle: { timeoutMs: converses ? SILENCE_MS : 0, maxMessages: 0, messages: [] },
    maxDurationMs: LONGEST_MS,
    responseSplitter: caller.responseSplitter,
    endCall: { enabled: false, message: '', phrases: [], toolDescription: '' },
    maxConsecutiveTtsFailures: caller.maxConsecutiveTtsFailures,
    tools: converses ? DECISIONS : [],
    volumeControl: false,
    transfer: { ...caller.transfer, toolEnabled: false, phoneNumber: '' },
    sttP99Ms: caller.sttP99Ms,
    sttTurnAware: caller.sttTurnAware,
    ...(caller.sttSparseInterims ? { sttSparseInterims: true } : {}),
    lines: caller.lines,
    seed: caller.seed,
  };
}

/** X7: the settings of the engine that only tells an operator that the caller has left. */
export function farewellSettings(caller: CallSettings, text: string): CallSettings {
  return briefingSettings({ ...caller, transfer: { ...caller.transfer, mode: 'announced' } }, text);
}

/** Maps a command of the operator's engine to an event of the waiting call, if it means one. */
export function briefingEvent(
  legId: number,
  settings: CallSettings,
  command: CallCommand,
): CallEvent | undefined {
  if (command.type === 'tool.invoke') {
    if (command.name === ACCEPT) return { type: 'operator.accepted', legId };
    const reason = command.name === VOICEMAIL ? 'voicemail' : 'declined';
    return { type: 'operator.declined', legId, reason };
  }
  if (command.type !== 'finish') return undefined;
  const { endReason } = command;
  if (endReason === 'user-hung-up' || endReason === 'connection-lost') {
    return { type: 'operator.hungUp', legId };
  }
  // V2: it was a mailbox, which now holds a message.
  if (endReason === 'voicemail') return { type: 'operator.declined', legId, reason: 'voicemail' };
  return settings.tools.length === 0
    ? { type: 'operator.accepted', legId }
    : { type: 'operator.declined', legId, reason: 'timeout' };
}
