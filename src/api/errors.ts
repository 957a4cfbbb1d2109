import {
  type Area,
  INTERNAL_ERROR,
  MISSING,
  Problem,
  problemStatus,
  UNFORESEEN,
} from '../contract/errors.ts';
import { describeFaults } from '../contract/validation.ts';
import {
  type FileAttachedError,
  type InUseError,
  type LockedError,
  type NameTakenError,
  type NotFoundError,
  type OverLimitError,
  StoreError,
} from '../store/errors.ts';
import type { Resource } from '../store/resource.ts';

const MISSING_TEXT: Record<Resource, string> = {
  assistant: MISSING.assistant,
  'assistant-version': MISSING.assistantVersion,
  tool: MISSING.tool,
  number: MISSING.number,
  call: MISSING.call,
  hold: MISSING.hold,
  note: MISSING.note,
  delivery: MISSING.delivery,
  calendar: MISSING.calendar,
  appointment: MISSING.appointment,
  'wait-list': MISSING.waitList,
  'wait-list-entry': MISSING.waitListEntry,
  'test-suite': MISSING.testSuite,
  'test-run': MISSING.testRun,
  'knowledge-base': MISSING.knowledgeBase,
  'faq-entry': 'FAQ entry not found',
  file: MISSING.file,
  'api-key': MISSING.apiKey,
  'public-key': MISSING.publicKey,
  person: MISSING.person,
  invitation: MISSING.invitation,
  session: MISSING.session,
  'vendor-account': MISSING.vendorAccount,
  team: 'Team not found!',
  'idempotency-key': 'Idempotency key not found!',
};

const RETRY_AFTER_SECONDS = 5;

/** The texts of an operation for its errors. */
export interface FailureTexts {
  readonly area: Area;
  readonly failure?: string | undefined;
  readonly invalidMessage?: string | undefined;
}

/** An error response; `cause` is only for the log. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly unforeseen: boolean;
}

/** Converts any error of a request to a response. */
export function answerError(error: unknown, texts: FailureTexts): ErrorAnswer {
  const problem = error instanceof Problem ? error : (fromStore(error) ?? fromFramework(error));
  if (!problem) return answerUnforeseen(texts);
  return {
    status: problemStatus(problem.kind, texts.area),
    headers: headersOf(problem),
    body: texts.area === 'kb' ? kbBody(problem) : plainBody(problem, texts),
    unforeseen: false,
  };
}

function answerUnforeseen({ area, failure = UNFORESEEN }: FailureTexts): ErrorAnswer {
  const body = area === 'kb' ? { detail: failure } : { message: failure, error: INTERNAL_ERROR };
  return { status: 500, headers: {}, body, unforeseen: true };
}

function headersOf(problem: Problem): Record<string, string> {
  if (problem.kind === 'unauthorized') return { 'www-authenticate': 'Bearer' };
  const { retryAfterSeconds } = problem;
  return retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
}

function kbBody({ kind, message, faults, detail, code }: Problem): unknown {
  if (kind === 'invalid') return { detail: { message, errors: faults } };
  if (code !== undefined) return { detail: { message, error: code } };
  return { detail: detail ?? message };
}

function plainBody(problem: Problem, { area, invalidMessage }: FailureTexts): unknown {
  const { kind, message, faults, data, code } = problem;
  if (area === 'public')
    return {
      message: faults.length > 0 ? describeFaults(faults) : message,
      error: code ?? kind,
    };
  if (invalidMessage && (kind === 'invalid' || kind === 'malformed'))
    return { message: invalidMessage };
  if (kind === 'invalid') return { message: faults.length > 0 ? describeFaults(faults) : message };
  if (code !== undefined) return { message, error: code };
  return data === undefined ? { message } : { message, data };
}

function fromStore(error: unknown): Problem | undefined {
  if (!(error instanceof StoreError)) return undefined;
  switch (error.code) {
    case 'not-found': {
      const { resource, id } = error as NotFoundError;
      const text = MISSING_TEXT[resource];
      const message = resource === 'faq-entry' ? `${text}: ${id}` : text;
      return new Problem({ kind: 'missing', message, cause: error });
    }
    case 'version-conflict':
      return new Problem({ kind: 'changed', message: 'It was changed meanwhile', cause: error });
    case 'unavailable':
      return new Problem({
        kind: 'unavailable',
        message: 'The store cannot be reached',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      });
    case 'locked': {
      const { ids } = error as LockedError;
      const message = `FAQ entry is not updatable: ${ids.join(', ')}`;
      return new Problem({ kind: 'conflict', message, cause: error });
    }
    case 'name-taken':
      return new Problem({
        kind: 'conflict',
        message:
          (error as NameTakenError).resource === 'number'
            ? 'Number already exists'
            : 'Tool already exists with the same name',
        cause: error,
      });
    case 'in-use': {
      const { resource, users } = error as InUseError;
      const names = users.map(({ id, name }) => `${name} (${id})`).join(', ');
      return new Problem({
        kind: 'conflict',
        message: `The ${resource} is in use by: ${names}`,
        cause: error,
      });
    }
    case 'attached': {
      const message = 'The file is attached to knowledge bases: detach it first';
      const attachedKnowledgeBases = (error as FileAttachedError).knowledgeBases;
      return new Problem({
        kind: 'attached',
        message,
        detail: { message, attachedKnowledgeBases },
        cause: error,
      });
    }
    case 'over-limit': {
      const { message, limit, retryAfterSeconds } = error as OverLimitError;
      return new Problem({
        ...{ kind: 'over-limit', message, code: limit, cause: error },
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      });
    }
    case 'suspended':
    case 'role-lost':
      return new Problem({ kind: 'forbidden', message: error.message, cause: error });
    case 'query-failed':
      return undefined;
    default:
      return new Problem({ kind: 'conflict', message: error.message, cause: error });
  }
}

function fromFramework(error: unknown): Problem | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  const { statusCode } = error;
  if (statusCode === 413)
    return new Problem({ kind: 'too-large', message: 'The body is too large', cause: error });
  if (statusCode === 415)
    return new Problem({
      kind: 'unsupported-media-type',
      message: 'The content type must be application/json',
      cause: error,
    });
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new Problem({ kind: 'malformed', message: error.message, cause: error });
  return undefined;
}
