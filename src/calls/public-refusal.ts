import { Problem, type ProblemKind } from '../contract/errors.ts';
import { PUBLIC_REFUSALS, type PublicRefusal } from '../contract/public-key.ts';

const RETRY_AFTER_SECONDS = 5;

/** Which kind of error each refusal is. */
const KINDS: Readonly<Record<PublicRefusal, ProblemKind>> = {
  'unknown-key': 'missing',
  'origin-not-allowed': 'forbidden',
  'calls-at-once': 'too-many',
  'minutes-per-day': 'too-many',
  busy: 'too-many',
  'not-ready': 'unavailable',
  'too-many-requests': 'too-many',
};
/** What is over in a moment. */
const PASSING: readonly PublicRefusal[] = ['calls-at-once', 'busy', 'not-ready'];

/** A refusal as the visitor of a page may see it; the cause is for the log alone. */
export function publicRefusal(code: PublicRefusal, cause?: unknown): Problem {
  return new Problem({
    kind: KINDS[code],
    code,
    message: PUBLIC_REFUSALS[code],
    ...(PASSING.includes(code) ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {}),
    cause,
  });
}
