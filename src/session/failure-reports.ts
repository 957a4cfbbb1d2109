import {
  type EndReason,
  FAILURES,
  type FailureCause,
  failureOfEnd,
  survivedFailure,
} from '../contract/failures.ts';
import type { Log } from '../ports/log.ts';
import type { MediaLeg } from '../ports/media.ts';
import type { CallRunner } from './call-runner.ts';

interface FailureReportsDeps {
  readonly callId: string;
  readonly log: Log;
  /** The caller's. */
  readonly leg: Pick<MediaLeg, 'notify'>;
  readonly loop: Pick<CallRunner, 'note'>;
}

/** Tells of a call's failures in the same sentence wherever somebody looks; webhooks come from the record. */
export class FailureReports {
  readonly #deps: FailureReportsDeps;

  constructor(deps: FailureReportsDeps) {
    this.#deps = deps;
  }

  /** The call is over: a far end that is still there learns why. What follows the call logs it. */
  ended(endReason: EndReason, cause: FailureCause | undefined): void {
    const failure = failureOfEnd(endReason, cause);
    if (!failure) return;
    this.#deps.loop.note('failure', { ...failure });
    const { code, message } = failure;
    if (FAILURES[code].isError) this.#deps.leg.notify({ type: 'error', code, message });
  }

  /** What the machine says of a part that failed while the call goes on. */
  survived(data: Readonly<Record<string, unknown>>): void {
    const { part: _part, ...failure } = survivedFailure(data);
    const { code, message: reason, cause } = failure;
    const { callId, loop, log } = this.#deps;
    loop.note('failure', { ...failure });
    log.warn({ callId, code, reason, cause }, 'a part of a call failed');
  }
}
