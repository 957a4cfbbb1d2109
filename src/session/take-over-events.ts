import type { Call } from '../engine/machine/call.ts';
import type { CallEvent } from '../engine/machine/events.ts';

/**
 * What a call lost with its process, as events of that moment: the caller's line, the voice that was heard on it, and
 * the leg of an operator.
 */
export function eventsOfTakeOver({ view, state }: Call, lastAt: number): readonly CallEvent[] {
  const { current } = state.transfer;
  const legId = current?.legId ?? 0;
  const isRinging = current?.leg === 'ringing';
  return [
    { type: 'media.lost' },
    ...(view.user === 'speaking' ? [{ type: 'vad.stop', speechEndAt: lastAt } as const] : []),
    ...(isRinging
      ? [{ type: 'operator.failed', legId, reason: 'line-error', code: 'process-lost' } as const]
      : []),
    ...(current && (current.leg === 'answered' || current.leg === 'briefed')
      ? [{ type: 'operator.hungUp', legId } as const]
      : []),
  ];
}
