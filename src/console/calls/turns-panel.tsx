import type { TurnMetrics } from '../../client/api.generated.ts';
import { spanText } from './call-names.ts';
import type { Player } from './player.ts';
import { answerTimes, partsText, STAGE_LEGEND, turnParts } from './turn-parts.ts';

interface TurnsPanelProps {
  /** `atMs` is known only if the journal is available. */
  readonly turns: readonly { readonly metrics: TurnMetrics; readonly atMs?: number }[];
  readonly player: Player;
}

/** Response time of each turn from the end of the caller's speech, split into stages. */
export function TurnsPanel({ turns, player }: TurnsPanelProps) {
  const answered = turns.filter(({ metrics }) => metrics.totalMs !== undefined);
  const times = answerTimes(answered.map(({ metrics }) => metrics));
  if (!times) return <p class="help">The assistant has not answered a turn yet.</p>;
  const longest = Math.max(1000, times.worstMs);
  return (
    <div class="stack">
      <p>
        Half of the answers began within <strong>{spanText(times.medianMs)}</strong> of the caller’s
        last sound, the slowest after <strong>{spanText(times.worstMs)}</strong>.
      </p>
      <ul class="call-turn-legend" aria-hidden="true">
        {STAGE_LEGEND.map(({ kind, name }) => (
          <li key={kind} data-kind={kind}>
            {name}
          </li>
        ))}
      </ul>
      <ol class="call-turns" aria-label="Answers">
        {answered.map(({ metrics, atMs }) => (
          <Turn
            key={metrics.turn}
            metrics={metrics}
            atMs={atMs}
            longest={longest}
            player={player}
          />
        ))}
      </ol>
    </div>
  );
}

interface TurnProps {
  readonly metrics: TurnMetrics;
  readonly atMs: number | undefined;
  readonly longest: number;
  readonly player: Player;
}

function Turn({ metrics, atMs, longest, player }: TurnProps) {
  const { turn, totalMs = 0 } = metrics;
  const parts = turnParts(metrics);
  const words = partsText(parts);
  return (
    <li class="call-turn-row">
      {atMs === undefined ? (
        <span class="call-turn-name numeric">Turn {turn}</span>
      ) : (
        <button
          type="button"
          class="call-turn-name numeric"
          onClick={() => player.seek(Math.max(0, atMs - totalMs))}
        >
          Turn {turn}
        </button>
      )}
      <span class="call-turn-track" title={words} aria-hidden="true">
        {parts.map(({ kind, fromMs, toMs }) => (
          <span
            key={kind}
            class="call-turn-part"
            data-kind={kind}
            style={{ width: `${((toMs - fromMs) / longest) * 100}%` }}
          />
        ))}
      </span>
      <span class="call-turn-total numeric">{spanText(totalMs)}</span>
      <span class="call-turn-words soft numeric">{words}</span>
    </li>
  );
}
