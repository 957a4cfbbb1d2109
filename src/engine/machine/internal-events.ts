import type { Timer } from './timers.ts';

/** What one part of the engine tells another. None of it stands in a journal. */
export type InternalEventType =
  /** Data has changed on which the floor depends. */
  | 'internal.floor'
  | 'internal.reply'
  | 'internal.replyOver'
  | 'internal.hold'
  | 'internal.mute'
  | 'internal.release'
  | 'internal.interrupt'
  | 'internal.turnOpened'
  /** A key was pressed that more may follow. */
  | 'internal.key'
  | 'internal.keysTaken'
  /** The caller's turn is complete as it was keyed or typed. */
  | 'internal.keyed'
  | 'internal.transfer'
  | 'internal.announced'
  | 'internal.bridge'
  | 'internal.bridged'
  | 'internal.summed'
  | 'internal.transferOver'
  | 'internal.screen'
  | 'internal.unscreen'
  /** What a called party says is said by machines alone. */
  | 'internal.machineSpeaks'
  | 'internal.machine'
  | 'internal.close'
  | 'internal.finish'
  | 'internal.toolsSettled'
  /** All that an event led to is done. */
  | 'internal.settled';

export type InternalEvent =
  | { readonly type: InternalEventType }
  | { readonly type: `timer.${Timer}` };
