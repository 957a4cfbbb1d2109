import type { Call } from '../engine/machine/call.ts';
import type { CallEvent } from '../engine/machine/events.ts';
import type { RestoredCall } from '../engine/machine/replay.ts';
import type { CallRunner } from './call-runner.ts';

/** Tells the engine what the call lost with its process, and that the caller is back after a gap. */
export function tellOfTakeOver(
  runner: CallRunner,
  { call, last }: RestoredCall,
  clockMs: number,
): void {
  const gapMs = Math.max(0, runner.at(clockMs) - last.at);
  for (const event of eventsOfTakeOver(call, last.at)) runner.sendAtLast(event);
  runner.send({ type: 'media.resumed' });
  runner.send({ type: 'call.resumed', gapMs });
}

/**
 * What a call lost with its process, as events of that moment: the caller's line, the voice that was heard on it, and
 * the leg of an operator.
 */
export function eventsOfTakeOver({ view, state }: Call, lastAt: number): readonly CallEvent[] {
  const { current } = state.transfer;
  const legId = current?.legId ?? 0;
  const isRinging = current?.leg === 'ringing';
  return [
    { type: 'process.lost' },
    // The person's microphone was at the process that died.
    ...(state.assistant.supervisor ? [{ type: 'control.giveBack' } as const] : []),
    ...(view.user === 'speaking' ? [{ type: 'vad.stop', speechEndAt: lastAt } as const] : []),
    ...(isRinging
      ? [{ type: 'operator.failed', legId, reason: 'line-error', code: 'process-lost' } as const]
      : []),
    ...(current && (current.leg === 'answered' || current.leg === 'briefed')
      ? [{ type: 'operator.hungUp', legId } as const]
      : []),
  ];
}
