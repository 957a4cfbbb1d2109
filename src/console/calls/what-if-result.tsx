import type { WhatIf, WhatIfTurn } from '../../client/api.generated.ts';
import { Badge } from '../ui/badge.tsx';
import { Callout } from '../ui/callout.tsx';
import { clockText } from '../ui/duration.tsx';
import type { Tone } from '../ui/tone.ts';
import { moneyText, spanText } from './call-names.ts';
import { endReason } from './end-reasons.ts';

type ComparedTurn = WhatIf['turns'][number];

const TONES: Readonly<Record<ComparedTurn['certainty'], Tone>> = {
  exact: 'good',
  simulated: 'neutral',
  unknown: 'warn',
};

/** What would have happened beside what did, turn by turn. */
export function WhatIfResult({ result }: { readonly result: WhatIf }) {
  const { divergence, turns, recorded, replayed, cost, asked, notReplayed, notes } = result;
  const span = (ms: number | null) => (ms === null ? '–' : spanText(ms));
  const rows = [
    ['Time to answer, median', span(recorded.gapP50Ms), span(replayed.gapP50Ms)],
    ['Slowest twentieth', span(recorded.gapP95Ms), span(replayed.gapP95Ms)],
    ['Cut-ins', recorded.cutIns, replayed.cutIns],
    ['Replies not heard to the end', recorded.repliesLost, replayed.repliesLost],
    ['Tools that failed', recorded.toolsFailed, replayed.toolsFailed],
    ['Length', clockText(recorded.durationMs / 1000), clockText(replayed.durationMs / 1000)],
    ['Tokens, estimated', tokens(recorded), tokens(replayed)],
    ...(cost ? [costRow(cost)] : []),
    ['Ended', ending(recorded.endReason), ending(replayed.endReason)],
  ] as const;
  return (
    <section class="stack" aria-label="What would have happened" role="status">
      <p>
        {divergence ? `The same until ${clockText(divergence.atMs / 1000)}.` : 'No differences.'}
      </p>
      {notReplayed.length > 0 && (
        <Callout tone="warn">A replay does not show changes of {notReplayed.join(', ')}.</Callout>
      )}
      {asked && (
        <Callout tone={asked.stopped === undefined ? 'info' : 'warn'}>
          The model was asked {asked.requests} times: {asked.tokens} tokens
          {asked.cost && `, ${moneyText(asked.cost.total, asked.cost.currency)}`}.
          {asked.stopped !== undefined && ` Then ${asked.stopped}: the rest is unknown.`}
        </Callout>
      )}
      {notes.map((note) => (
        <Callout key={note}>{note}</Callout>
      ))}
      <table class="what-if-figures">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">Was</th>
            <th scope="col">Would be</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, was, is]) => (
            <tr key={name} data-changed={was !== is || undefined}>
              <th scope="row">{name}</th>
              <td class="numeric">{was}</td>
              <td class="numeric">{is}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ol class="what-if-turns" aria-label="Turns">
        {turns.map((turn, i) => (
          <Turn key={i} turn={turn} />
        ))}
      </ol>
    </section>
  );
}

function Turn({ turn: { certainty, recorded, replayed } }: { readonly turn: ComparedTurn }) {
  const isSame =
    recorded?.assistant === replayed?.assistant && recorded?.answerMs === replayed?.answerMs;
  return (
    <li class="what-if-turn">
      <Badge tone={TONES[certainty]}>{certainty}</Badge>
      <Said turn={replayed} />
      {!isSame && (
        <div class="soft">
          Was: <Said turn={recorded} />
        </div>
      )}
    </li>
  );
}

function Said({ turn }: { readonly turn: WhatIfTurn | undefined }) {
  if (!turn) return <p class="soft">Nothing was said.</p>;
  const { user, assistant, answerMs, cutIn, lost, tools } = turn;
  const facts = [
    answerMs === undefined ? '' : `after ${spanText(answerMs)}`,
    ...tools.map(({ name, outcome }) => `${name}: ${outcome}`),
    cutIn ? 'cut in' : '',
    lost ? 'not heard to the end' : '',
  ].filter(Boolean);
  return (
    <div>
      {user !== '' && <p class="spoken">{user}</p>}
      {assistant !== '' && <p class="spoken">→ {assistant}</p>}
      {facts.length > 0 && <p class="soft numeric">{facts.join(' · ')}</p>}
    </div>
  );
}

const costRow = ({ currency, recorded, replayed }: NonNullable<WhatIf['cost']>) =>
  ['Cost, estimated', moneyText(recorded, currency), moneyText(replayed, currency)] as const;

const tokens = ({ inputTokens, outputTokens }: WhatIf['recorded']) => inputTokens + outputTokens;

const ending = (reason: string | null) => (reason === null ? '–' : endReason(reason).text);
