import type { CallEvent } from './events.ts';
import type { InternalEvent } from './internal-events.ts';

/** Every event of the engine, from outside and from inside. */
export type EngineEvent = CallEvent | InternalEvent;

/** The event of this type. */
export type EventOf<Type extends EngineEvent['type']> = EngineEvent extends infer Event
  ? Event extends { readonly type: infer Own }
    ? Type extends Own
      ? Omit<Event, 'type'> & { readonly type: Type }
      : never
    : never
  : never;

/** The events that the statechart handles; all others only change data (`data-events.ts`). */
export const CHART_EVENTS = [
  'leg.answered',
  'leg.failed',
  'remote.hangup',
  'media.lost',
  'process.lost',
  'media.resumed',
  'beep',
  'play.started',
  'play.cleared',
  'operator.answered',
  'operator.accepted',
  'operator.hungUp',
  'operator.declined',
  'operator.failed',
  'system.end',
  'internal.floor',
  'internal.voiceStarted',
  'internal.voiceStopped',
  'internal.reply',
  'internal.replyOver',
  'internal.hold',
  'internal.mute',
  'internal.release',
  'internal.interrupt',
  'internal.turnOpened',
  'internal.key',
  'internal.keysTaken',
  'internal.keyed',
  'internal.transfer',
  'internal.announced',
  'internal.bridge',
  'internal.bridged',
  'internal.summed',
  'internal.transferOver',
  'internal.screen',
  'internal.unscreen',
  'internal.machineSpeaks',
  'internal.machine',
  'internal.close',
  'internal.finish',
  'timer.maxDuration',
  'timer.maxDurationGrace',
  'timer.farewell',
  'timer.bridged',
  'timer.operatorBack',
  'timer.mediaLost',
  'timer.idle',
  'timer.welcome',
  'timer.voiceAlive',
  'timer.endpoint',
  'timer.predict',
  'timer.noText',
  'timer.contentExpiry',
  'timer.backchannel',
  'timer.callerHold',
  'timer.keys',
  'timer.stall',
  'timer.hold',
  'timer.voiceOnly',
  'timer.resume',
  'timer.heldMax',
  'timer.cleared',
  'timer.muted',
  'timer.transfer',
  'timer.briefing',
  'timer.screen',
  'timer.beep',
] as const satisfies readonly EngineEvent['type'][];

export type ChartEvent = EventOf<(typeof CHART_EVENTS)[number]>;
export type DataEventType = Exclude<EngineEvent['type'], (typeof CHART_EVENTS)[number]>;
