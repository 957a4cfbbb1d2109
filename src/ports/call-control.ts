import type { ControlEvent } from '../contract/control.ts';

/**
 * `not-live`: there is no such live call. `refused`: the call's state does not allow it (`reason` is for
 * people). `unreachable`: the process that runs the call does not answer.
 */
export type ControlOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'not-live' | 'unreachable' }
  | { readonly outcome: 'refused'; readonly reason: string };

/** Controls live calls on any node of the cluster. */
export interface CallControl {
  command(callId: string, event: ControlEvent): Promise<ControlOutcome>;
}
