import type { Mind } from '../machine/mind.ts';
import type { Reply } from '../reply/reply.ts';

/** Where the time of an answered turn went. */
export function reportTurn(mind: Mind, reply: Reply): void {
  const { committed } = mind;
  if (reply.kind !== 'answer' || !committed || committed.turn !== reply.turn) return;
  const from = committed.speechEndAt;
  const since = (at: number | undefined) => (at === undefined ? undefined : Math.max(0, at - from));
  const metrics = {
    turn: reply.turn,
    endpointMs: since(committed.at),
    recogniserMs: since(committed.textAt),
    modelMs: since(reply.firstTextAt),
    voiceMs: since(reply.firstAudioAt),
    totalMs: since(reply.startedAt),
  };
  mind.emit({
    type: 'turn.metrics',
    metrics: Object.fromEntries(
      Object.entries(metrics).filter(([, value]) => value !== undefined),
    ) as typeof metrics & { turn: number },
  });
}
