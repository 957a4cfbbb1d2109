import type { TurnMetrics } from '../../client/api.generated.ts';
import { spanText } from '../calls/call-names.ts';
import { answerTimes, partsText, STAGE_LEGEND, turnParts } from '../calls/turn-parts.ts';

const LEAST_SPAN_MS = 1000;

/**
 * Response time of each turn, from the end of the caller's speech to the first audio at the caller, split into stages.
 * The figures are the service's own, as on the call's page.
 */
export function AnswersView({ answers }: { readonly answers: readonly TurnMetrics[] }) {
  const times = answerTimes(answers);
  const longest = Math.max(LEAST_SPAN_MS, times?.worstMs ?? 0);
  return (
    <section class="timing" aria-labelledby="timing-title">
      <h2 id="timing-title">
        Time to answer <span class="median">{times && `median ${spanText(times.medianMs)}`}</span>
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
      <section class="turns-scroll" tabIndex={0} aria-label="Answers">
        <ol id="turns" class="turns">
          {answers.map((metrics, index) => (
            <Row key={metrics.turn} metrics={metrics} number={index + 1} longest={longest} />
          ))}
        </ol>
        {answers.length === 0 && (
          <p class="empty">From the end of your speech to the start of the reply, for each turn.</p>
        )}
      </section>
      <p class="timing-key" aria-hidden="true">
        {STAGE_LEGEND.map(({ kind, name }) => (
          <span key={kind}>
            <span class="swatch" data-kind={kind} /> {name}
          </span>
        ))}
      </p>
    </section>
  );
}

interface RowProps {
  readonly metrics: TurnMetrics;
  readonly number: number;
  readonly longest: number;
}

function Row({ metrics, number, longest }: RowProps) {
  const { totalMs = 0 } = metrics;
  const parts = turnParts(metrics);
  const scale = 1000 / longest;
  return (
    <li class="turn">
      <span class="turn-number">{number}</span>
      <svg class="turn-bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        {parts.map(({ kind, fromMs, toMs }) => (
          <rect
            key={kind}
            data-kind={kind}
            x={fromMs * scale}
            width={(toMs - fromMs) * scale}
            height={10}
          />
        ))}
      </svg>
      <span class="turn-time">{spanText(totalMs)}</span>
      <span class="turn-parts">{partsText(parts)}</span>
    </li>
  );
}
