import type { Timer } from './timers.ts';

/** Events that the engine raises for itself. The journal does not contain them. */
export type InternalEventType =
  /** Data that the floor depends on has changed. */
  | 'internal.floor'
  /** L1: the caller's own voice; its instants are in the state. */
  | 'internal.voiceStarted'
  | 'internal.voiceStopped'
  | 'internal.reply'
  | 'internal.replyOver'
  | 'internal.hold'
  | 'internal.mute'
  | 'internal.release'
  | 'internal.interrupt'
  | 'internal.turnOpened'
  /** A key was pressed, and more may follow. */
  | 'internal.key'
  | 'internal.keysTaken'
  /** The caller keyed or typed a turn, which is complete. */
  | 'internal.keyed'
  | 'internal.transfer'
  | 'internal.announced'
  | 'internal.bridge'
  | 'internal.bridged'
  | 'internal.summed'
  | 'internal.transferOver'
  | 'internal.screen'
  | 'internal.unscreen'
  /** The called party said what only machines say. */
  | 'internal.machineSpeaks'
  | 'internal.machine'
  | 'internal.close'
  | 'internal.finish'
  | 'internal.toolsSettled'
  /** An event and everything that it raised have been handled. */
  | 'internal.settled';

export type InternalEvent =
  | { readonly type: InternalEventType }
  | { readonly type: `timer.${Timer}` };
