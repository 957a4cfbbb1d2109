import { type Answer, answerMs, medianOf } from './answers.ts';

const STAGES = ['endpointMs', 'modelMs', 'voiceMs', 'totalMs'] as const;
const LEAST_SPAN_MS = 1000;

/** How long each answer took, and where the time went: a waterfall a turn. */
export function AnswersView({ answers }: { readonly answers: readonly Answer[] }) {
  const times = answers.flatMap((answer) => answerMs(answer) ?? []);
  const longest = Math.max(LEAST_SPAN_MS, ...times);
  const median = medianOf(times);
  return (
    <section class="timing" aria-labelledby="timing-title">
      <h2 id="timing-title">
        Time to answer{' '}
        <span class="median">{median !== undefined && `median ${secondsText(median)}`}</span>
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section class="turns-scroll" tabIndex={0} aria-label="Answers">
        <ol id="turns" class="turns">
          {answers.map((answer, index) => (
            <Row key={index} answer={answer} number={index + 1} longest={longest} />
          ))}
        </ol>
        {answers.length === 0 && (
          <p class="empty">
            From the end of your words to the first sound of the answer, turn by turn.
          </p>
        )}
      </section>
      <p class="timing-key" aria-hidden="true">
        <span class="swatch endpointMs" />
        turn end <span class="swatch modelMs" />
        model <span class="swatch voiceMs" />
        voice <span class="swatch heard" />
        until heard
      </p>
    </section>
  );
}

interface RowProps {
  readonly answer: Answer;
  readonly number: number;
  readonly longest: number;
}

function Row({ answer, number, longest }: RowProps) {
  const time = answerMs(answer);
  return (
    <li class="turn">
      <span class="turn-number">{number}</span>
      <Bar answer={answer} longest={longest} />
      <span class="turn-time">{time === undefined ? '–' : secondsText(time)}</span>
      <span class="turn-parts">{partsText(answer)}</span>
    </li>
  );
}

function Bar({ answer, longest }: Omit<RowProps, 'number'>) {
  const ends = [
    ...STAGES.map((stage) => [stage, answer.metrics?.[stage]] as const),
    ['heard', answer.heardMs] as const,
  ];
  let from = 0;
  return (
    <svg class="turn-bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      {ends.map(([stage, to]) => {
        if (to === undefined || to <= from) return null;
        const x = (from / longest) * 1000;
        const width = (Math.min(to - from, longest) / longest) * 1000;
        from = to;
        return <rect key={stage} class={stage} x={x} width={width} height={10} />;
      })}
    </svg>
  );
}

function partsText({ metrics }: Answer): string {
  const known = [
    ['turn end', metrics?.endpointMs],
    ['model', metrics?.modelMs],
    ['voice', metrics?.voiceMs],
  ].flatMap(([name, ms]) => (ms === undefined ? [] : `${name} ${Math.round(Number(ms))}`));
  return known.length > 0 ? `${known.join(' · ')} ms` : '';
}

function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
