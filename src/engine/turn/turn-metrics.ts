import type { Effects } from '../machine/effects.ts';
import { startedAt } from '../reply/reply-phase.ts';
import type { CallState } from '../state/call-state.ts';
import type { Reply } from '../state/reply.ts';

/** Where the time of an answered turn went. */
export function reportTurn(state: CallState, effects: Effects, reply: Reply): void {
  const { committed } = state.user;
  if (reply.kind !== 'answer' || !committed || committed.turn !== reply.turn) return;
  const from = committed.speechEndAt;
  const since = (at: number | undefined) => (at === undefined ? undefined : Math.max(0, at - from));
  const metrics = {
    turn: reply.turn,
    endpointMs: since(committed.at),
    recogniserMs: since(committed.textAt),
    modelMs: since(reply.firstTextAt),
    voiceMs: since(reply.firstAudioAt),
    totalMs: since(startedAt(reply)),
  };
  effects.emit({
    type: 'turn.metrics',
    metrics: Object.fromEntries(
      Object.entries(metrics).filter(([, value]) => value !== undefined),
    ) as typeof metrics & { turn: number },
  });
}
