/** Commands for a live call: the contract's control types as data. */
export type ControlCommand =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'end'; readonly text?: string }
  /** Without `to`: the assistant's configured transfer target. */
  | { readonly type: 'forward'; readonly to?: string }
  | { readonly type: 'dtmf'; readonly digits: string }
  | { readonly type: 'add-message'; readonly text: string }
  | { readonly type: 'mute'; readonly who: 'user' | 'assistant'; readonly on: boolean };

/**
 * `not-live`: there is no such live call. `refused`: the call's state does not allow the command (`reason` is for
 * people). `unreachable`: the process that runs the call does not answer.
 */
export type ControlOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'not-live' | 'unreachable' }
  | { readonly outcome: 'refused'; readonly reason: string };

/** Controls live calls on any node of the cluster. */
export interface CallControl {
  command(callId: string, command: ControlCommand): Promise<ControlOutcome>;
}
