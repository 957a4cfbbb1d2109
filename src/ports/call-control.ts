/** What may be asked of a live call, the contract's control types as data. */
export type ControlCommand =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'end'; readonly text?: string }
  /** Without a number: to whom the assistant is set to transfer. */
  | { readonly type: 'forward'; readonly to?: string }
  | { readonly type: 'dtmf'; readonly digits: string }
  | { readonly type: 'add-message'; readonly text: string }
  | { readonly type: 'mute'; readonly who: 'user' | 'assistant'; readonly on: boolean };

/**
 * `not-live`: no such live call. `refused`: its state does not allow it (`reason` says why, for people).
 * `unreachable`: the process that has it does not answer.
 */
export type ControlOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'not-live' | 'unreachable' }
  | { readonly outcome: 'refused'; readonly reason: string };

/** Steers live calls, wherever in the cluster they live. */
export interface CallControl {
  command(callId: string, command: ControlCommand): Promise<ControlOutcome>;
}
