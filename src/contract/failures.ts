/** End reasons that are not failures. */
export const ORDINARY_ENDS = [
  'user-hung-up',
  'user-said-end-phrase',
  'assistant-said-end-phrase',
  'assistant-ended-call',
  'tool-ended-call',
  'workflow-ended',
  'ended-by-control',
  'transferred',
  'voicemail',
  'idle-timeout',
  'max-duration',
  'ended',
] as const;

/** Parts of a call that can fail; the `type` of an `error` webhook. */
export const FAILING_PARTS = ['call', 'llm', 'stt', 'tts', 'tool', 'playback', 'transfer'] as const;

export type FailingPart = (typeof FAILING_PARTS)[number];

interface FailureRow {
  readonly part: FailingPart;
  /** `not-begun`, `ended`: the code is the call's `endReason`. `went-on`: the call continues. */
  readonly effect: 'not-begun' | 'ended' | 'went-on';
  /** True if it causes an `error` webhook; a busy line is an outcome, not an error. */
  readonly isError: boolean;
  /** For the assistant's owner, without a full stop, since the cause may follow after a colon. */
  readonly sentence: string;
  /** What the owner can do about it. */
  readonly help: string;
}

/** All failures of calls. API, webhooks, console, event log and the service's log use these sentences. */
export const FAILURES = {
  'vendor-not-ready': {
    part: 'call',
    effect: 'not-begun',
    isError: true,
    sentence: 'The call could not begin because a vendor of its assistant cannot be used',
    help: 'Set what the sentence names in the service’s environment, or choose another vendor in the assistant.',
  },
  'over-limit': {
    part: 'call',
    effect: 'not-begun',
    isError: true,
    sentence: 'The call was refused because the team has reached a limit',
    help: 'The limit is in the sentence. Whoever runs the service can raise it.',
  },
  'dialling-failed': {
    part: 'call',
    effect: 'not-begun',
    isError: true,
    sentence: 'The number could not be dialled',
    help: 'The carrier’s own reason is in the sentence: check the account, its credentials and the number dialled.',
  },
  busy: {
    part: 'call',
    effect: 'not-begun',
    isError: false,
    sentence: 'The line was busy',
    help: 'Call again later.',
  },
  'no-answer': {
    part: 'call',
    effect: 'not-begun',
    isError: false,
    sentence: 'Nobody answered',
    help: 'Call again later.',
  },
  failed: {
    part: 'call',
    effect: 'not-begun',
    isError: true,
    sentence: 'The carrier could not connect the call',
    help: 'Check that the number exists and that the carrier’s account may call it.',
  },
  'never-connected': {
    part: 'call',
    effect: 'not-begun',
    isError: true,
    sentence: 'The audio connection of the call was never opened',
    help: 'Check that the media socket can be reached from outside: PUBLIC_URL, and a proxy that passes WebSockets.',
  },
  'no-media': {
    part: 'call',
    effect: 'not-begun',
    isError: true,
    sentence: 'The carrier could not give the call its audio',
    help: 'The carrier’s own reason is in the service’s log under the call’s id.',
  },
  'connection-lost': {
    part: 'call',
    effect: 'ended',
    isError: true,
    sentence: 'The connection to the caller was lost and did not come back in time',
    help: 'Usually the caller’s network. If it happens often, check proxies and firewalls for idle timeouts.',
  },
  'model-failed': {
    part: 'llm',
    effect: 'ended',
    isError: true,
    sentence: 'The call was ended because the language model failed several times in a row',
    help: 'The vendor’s reason is in the sentence: check the key, the account’s limits and the model’s name.',
  },
  'recogniser-failed': {
    part: 'stt',
    effect: 'ended',
    isError: true,
    sentence: 'The call was ended because speech could not be transcribed any more',
    help: 'Check the vendor’s key and limits, or switch on sttFallback.',
  },
  'voice-failed': {
    part: 'tts',
    effect: 'ended',
    isError: true,
    sentence: 'The call was ended because no voice could speak for several turns in a row',
    help: 'Check the vendor’s key, limits and voice id, or add a second voice to ttsData.',
  },
  'internal-error': {
    part: 'call',
    effect: 'ended',
    isError: true,
    sentence: 'The call was ended because of a fault in the service itself',
    help: 'The cause is in the service’s log under the call’s id. Please report it.',
  },
  'team-suspended': {
    part: 'call',
    effect: 'ended',
    isError: true,
    sentence: 'The call was ended because the team is suspended',
    help: 'Ask whoever runs the service.',
  },
  'service-stopped': {
    part: 'call',
    effect: 'ended',
    isError: true,
    sentence: 'The call was ended because the service was stopped',
    help: 'With more time, calls end first by themselves: see DRAIN_SECONDS.',
  },
  'service-restarted': {
    part: 'call',
    effect: 'ended',
    isError: true,
    sentence: 'The call was cut off because the service stopped without warning',
    help: 'See the service’s log and the machine’s memory around the end of the call.',
  },
  'model-error': {
    part: 'llm',
    effect: 'went-on',
    isError: true,
    sentence: 'The language model gave no answer, and the caller heard an apology',
    help: 'The vendor’s reason is in the sentence. After three in a row the call ends as model-failed.',
  },
  'recogniser-error': {
    part: 'stt',
    effect: 'went-on',
    isError: true,
    sentence: 'Speech could not be transcribed for a while',
    help: 'It is tried again by itself. If it happens often, switch on sttFallback.',
  },
  'voice-error': {
    part: 'tts',
    effect: 'went-on',
    isError: true,
    sentence: 'A part of an answer could not be spoken',
    help: 'After maxConsecutiveTtsFailures turns without a voice the call ends as voice-failed.',
  },
  'vendor-replaced': {
    part: 'call',
    effect: 'went-on',
    isError: true,
    sentence: 'A vendor failed and another one took its place',
    help: 'Nothing is needed for this call. If it happens often, check the vendor or list another one first.',
  },
  'tool-error': {
    part: 'tool',
    effect: 'went-on',
    isError: true,
    sentence: 'A tool failed',
    help: 'Try it with POST /assistants/v1/tools/{id}/test, which shows the server’s whole answer.',
  },
  'playback-stalled': {
    part: 'playback',
    effect: 'went-on',
    isError: true,
    sentence: 'The caller’s side stopped playing what was said, and the answer was cut off',
    help: 'Usually the caller’s network or a suspended browser tab.',
  },
  'transfer-failed': {
    part: 'transfer',
    effect: 'went-on',
    isError: true,
    sentence: 'The caller could not be put through and came back to the assistant',
    help: 'Check the number in callForwardData and warmTransferTimeout.',
  },
} as const satisfies Record<string, FailureRow>;

export type FailureCode = keyof typeof FAILURES;

/** The failures that prevent or end a call; each is an `endReason`. */
export type FailedEnd = {
  [Code in FailureCode]: (typeof FAILURES)[Code]['effect'] extends 'went-on' ? never : Code;
}[FailureCode];

export type EndReason = (typeof ORDINARY_ENDS)[number] | FailedEnd;

/** The cause as reported by a vendor, carrier or tool. */
export interface FailureCause {
  readonly code: string;
  readonly message: string;
  readonly provider?: string | undefined;
}

/** A failure as shown to the assistant's owner. */
export interface DescribedFailure {
  readonly code: FailureCode;
  readonly message: string;
  readonly cause?: FailureCause;
}

/** Describes a failure by the sentence of the table, followed by the cause. */
export function describeFailure(code: FailureCode, cause?: FailureCause): DescribedFailure {
  const { sentence } = FAILURES[code];
  const why = cause?.message.trim().replace(/(?<!\.)\.+$/, '') ?? '';
  if (!cause || why === '') return { code, message: `${sentence}.` };
  const { provider } = cause;
  return {
    code,
    message: `${sentence}: ${why}.`,
    cause: { code: cause.code, message: cause.message, ...(provider ? { provider } : {}) },
  };
}

const codes = Object.keys(FAILURES) as FailureCode[];

export const FAILED_ENDS: readonly FailedEnd[] = codes.filter(isFailedEnd);

export function isFailedEnd(code: string): code is FailedEnd {
  return code in FAILURES && FAILURES[code as FailureCode].effect !== 'went-on';
}

/** Describes why a call failed, by its end reason; undefined if it has not failed. */
export function failureOfEnd(
  endReason: string | null | undefined,
  cause?: FailureCause | null,
): DescribedFailure | undefined {
  if (!endReason || !isFailedEnd(endReason)) return undefined;
  return describeFailure(endReason, cause ?? undefined);
}

/** The details of an `error` webhook; `part` overrides the part of the failure's code. */
export function errorDetails(
  { code, message, cause }: DescribedFailure,
  {
    retryable,
    part = FAILURES[code].part,
  }: { readonly retryable: boolean; readonly part?: FailingPart },
) {
  const provider = cause?.provider ?? '';
  return { type: part, code, message, provider, retryable, ...(cause ? { cause } : {}) };
}

const SURVIVED: Readonly<Partial<Record<FailingPart, FailureCode>>> = Object.fromEntries(
  codes
    .filter((code) => FAILURES[code].effect === 'went-on')
    .map((code) => [FAILURES[code].part, code]),
);

/** A failure of one part, after which the call continued. */
export interface PartFailure extends FailureCause {
  readonly type: FailingPart;
  readonly retryable?: boolean;
  /** The vendor that took over. */
  readonly successor?: string;
}

/** Describes a failure after which the call continued. */
export function survivedFailure({ type, successor, ...cause }: PartFailure): DescribedFailure {
  const replaced = successor !== undefined;
  const code = replaced ? 'vendor-replaced' : (SURVIVED[type] ?? 'internal-error');
  return describeFailure(code, cause);
}

/** Reasons why a transfer failed. A caller who did not want to wait is not a failure. */
const TRANSFER_FAULTS: ReadonlyMap<string, string> = new Map([
  ['busy', 'the line was busy'],
  ['no-answer', 'nobody answered'],
  ['declined', 'the call was declined'],
  ['voicemail', 'a mailbox answered'],
  ['timeout', 'nobody answered in time'],
  ['line-error', 'the carrier could not connect the call'],
  ['operator-left', 'the other side hung up'],
]);

/** The failure of a transfer; undefined if the operator’s leg was hung up for another reason. */
export function failedTransfer(reason: string): PartFailure | undefined {
  const message = TRANSFER_FAULTS.get(reason);
  return message === undefined ? undefined : { type: 'transfer', code: reason, message };
}
