import type { FieldFault } from './validation.ts';

/** Kinds of errors and their HTTP status. */
const PROBLEM_STATUS = {
  malformed: 400,
  invalid: 400,
  unauthorized: 401,
  /** The sender's role does not allow it, or the team is suspended. */
  forbidden: 403,
  missing: 404,
  'too-slow': 408,
  conflict: 409,
  /** The file is attached to knowledge bases. */
  attached: 409,
  /** The number may not be called now; `code` says why. */
  'not-callable': 409,
  /** The assistant is published only when its tests pass. */
  untested: 409,
  /** The state of the call does not allow the control request. */
  'not-live': 409,
  /** The resource has changed since the client read it. */
  changed: 412,
  'too-large': 413,
  'unsupported-media-type': 415,
  'too-many': 429,
  /** A limit of the team; `code` says which. */
  'over-limit': 429,
  internal: 500,
  vendor: 502,
  unavailable: 503,
  /** The disk has no space for the upload. */
  'no-space': 507,
} as const;

export type ProblemKind = keyof typeof PROBLEM_STATUS;

/**
 * The part of the API. Knowledge bases return `detail`, and 422 where others return 400. What pages of other sites may do
 * returns a code with every error.
 */
export type Area = 'kb' | 'public' | 'other';

export function areaOf(path: string): Area {
  if (path.startsWith('/kb/v1/')) return 'kb';
  return path.startsWith('/public/v1/') ? 'public' : 'other';
}

export function problemStatus(kind: ProblemKind, area: Area): number {
  return kind === 'invalid' && area === 'kb' ? 422 : PROBLEM_STATUS[kind];
}

export const INTERNAL_ERROR = 'INTERNAL_ERROR';
export const UNFORESEEN = 'Something went wrong!';

export interface ProblemOptions {
  readonly kind: ProblemKind;
  /** For people; sent to the client. */
  readonly message: string;
  readonly faults?: readonly FieldFault[];
  /** Replaces the message as `detail` in the area `kb`. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** Sent beside the message. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
  /** Stable name of the reason, sent as `error`. */
  readonly code?: string;
  readonly cause?: unknown;
}

/** A request cannot be served; the client is told why. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly kind: ProblemKind;
  readonly faults: readonly FieldFault[];
  readonly detail: Readonly<Record<string, unknown>> | undefined;
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly code: string | undefined;

  constructor(options: ProblemOptions) {
    super(options.message, { cause: options.cause });
    this.kind = options.kind;
    this.faults = options.faults ?? [];
    this.detail = options.detail;
    this.data = options.data;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.code = options.code;
  }
}

/** The contract's texts for missing resources. */
export const MISSING = {
  assistant: 'Assistant not found!',
  assistantVersion: 'The assistant has no such version!',
  tool: 'Tool not found!',
  number: 'Number not found!',
  call: 'Conversation not found!',
  hold: 'Hold not found!',
  note: 'Note not found!',
  originals: 'No originals are kept of this conversation!',
  doNotCall: 'The number is not on the list!',
  delivery: 'Delivery not found!',
  knowledgeBase: 'Knowledge base not found',
  file: 'File not found',
  apiKey: 'API key not found!',
  publicKey: 'Public key not found!',
  person: 'Person not found!',
  invitation: 'This invitation was used, taken back or has expired',
  session: 'Session not found!',
  vendorAccount: 'Vendor not found!',
  calendar: 'Calendar not found!',
  appointment: 'Appointment not found!',
  waitList: 'Wait list not found!',
  waitListEntry: 'Wait list entry not found!',
  testSuite: 'Suite of tests not found!',
  testRun: 'Run of tests not found!',
} as const;

export function missing(what: keyof typeof MISSING): Problem {
  return new Problem({ kind: 'missing', message: MISSING[what] });
}

export function invalid(faults: readonly FieldFault[], message = 'Validation failed'): Problem {
  return new Problem({ kind: 'invalid', message, faults });
}
