import {
  type EndReason,
  FAILURES,
  type FailureCause,
  failureOfEnd,
  type PartFailure,
  survivedFailure,
} from '../contract/failures.ts';
import type { Log } from '../ports/log.ts';
import type { MediaLeg } from '../ports/media.ts';
import type { CallRunner } from './call-runner.ts';

interface FailureReportsDeps {
  readonly callId: string;
  readonly log: Log;
  /** The caller's leg. */
  readonly leg: Pick<MediaLeg, 'notify'>;
  readonly runner: Pick<CallRunner, 'note'>;
}

/** Reports a call's failures in the same words to journal, log and far end. Webhooks come from the record. */
export class FailureReports {
  readonly #deps: FailureReportsDeps;

  constructor(deps: FailureReportsDeps) {
    this.#deps = deps;
  }

  /** The call ended: tells the far end why, if it is still connected. Wrapping up the call logs it. */
  ended(endReason: EndReason, cause: FailureCause | undefined): void {
    const failure = failureOfEnd(endReason, cause);
    if (!failure) return;
    this.#deps.runner.note('failure', { ...failure });
    const { code, message } = failure;
    if (FAILURES[code].isError) this.#deps.leg.notify({ type: 'error', code, message });
  }

  /** A part failed while the call goes on. */
  survived(data: PartFailure): void {
    const failure = survivedFailure(data);
    const { code, message: reason, cause } = failure;
    const { callId, runner, log } = this.#deps;
    runner.note('failure', { ...failure });
    log.warn({ callId, code, reason, cause }, 'a part of a call failed');
  }
}
