import type { Call } from '../engine/machine/call.ts';
import type { CallEvent } from '../engine/machine/events.ts';
import type { RestoredCall } from '../engine/machine/replay.ts';
import { isForwarded } from '../engine/transfer/transfer-leg.ts';
import type { CallRunner } from './call-runner.ts';

interface TakeOverEvents {
  /** Events of the moment of the journal's last line. */
  readonly atLast: readonly CallEvent[];
  /** Events of the moment at which the caller is back. */
  readonly atReturn: readonly CallEvent[];
}

/** Tells the engine what the call lost with its process, and that the caller is back after a gap. */
export function tellOfTakeOver(
  runner: CallRunner,
  { call, last, startedAtMs, lostAtMs = startedAtMs }: RestoredCall,
  clockMs: number,
): void {
  const lastSoundAt = Math.max(last.at, runner.at(lostAtMs));
  const gapMs = Math.max(0, runner.at(clockMs) - lastSoundAt);
  const { atLast, atReturn } = eventsOfTakeOver(call, last.at, gapMs);
  for (const event of atLast) runner.sendAtLast(event);
  for (const event of atReturn) runner.send(event);
}

/**
 * What a call lost with its process: the caller's line, the voice that was heard on it, and the leg of an operator who
 * was not yet connected to the caller. Of that the caller is told, so it is no event before they are back.
 */
export function eventsOfTakeOver(
  { view, state }: Call,
  lastAt: number,
  gapMs: number,
): TakeOverEvents {
  const { current } = state.transfer;
  const isUnderWay = current !== undefined && current.leg !== 'none' && !isForwarded(state);
  return {
    atLast: [
      { type: 'process.lost' },
      // The person's microphone was at the process that died.
      ...(state.assistant.supervisor ? [{ type: 'control.giveBack' } as const] : []),
      ...(view.user === 'speaking' ? [{ type: 'vad.stop', speechEndAt: lastAt } as const] : []),
    ],
    atReturn: [
      { type: 'media.resumed' },
      { type: 'call.resumed', gapMs },
      ...(isUnderWay
        ? [
            {
              type: 'operator.failed',
              legId: current.legId,
              reason: 'line-error',
              code: 'process-lost',
            } as const,
          ]
        : []),
    ],
  };
}
