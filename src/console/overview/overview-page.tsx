import './overview.css';
import { useMemo } from 'preact/hooks';
import { useQuery } from '../router.ts';
import { may, useClient } from '../session.ts';
import { FailingTests } from '../tests/failing-tests.tsx';
import { Duration } from '../ui/duration.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { usePolling } from '../use-polling.ts';
import { AnswersChart, msText } from './answers-chart.tsx';
import { CallsChart } from './calls-chart.tsx';
import { EndReasons } from './end-reasons.tsx';
import { Figures } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { intervalLabel, RANGES, type RangeName, rangeNamed, rangeQuery } from './range.ts';
import { RecentCalls } from './recent-calls.tsx';

const EVERY_MS = 10_000;
const RECENT = 6;

/** Calls, response times and failures, now and over time. */
export function OverviewPage() {
  const client = useClient();
  const [query, changeQuery] = useQuery();
  const name = rangeNamed(query.get('range'));
  const statistics = usePolling(
    (signal) => client.call('getCallStatistics', { query: rangeQuery(name, new Date()), signal }),
    [client, name],
    EVERY_MS,
  );
  const recent = usePolling(
    async (signal) =>
      may('reviewer') ? client.call('listCalls', { query: { size: RECENT }, signal }) : undefined,
    [client],
    EVERY_MS,
  );
  const data = statistics.data;
  const { interval } = RANGES[name];
  const labels = useMemo(
    () => data?.intervals.map(({ startAt }) => intervalLabel(startAt, interval)),
    [data, interval],
  );

  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="Overview"
        lead="Number of calls, time to answer, and failures."
        actions={
          may('builder') && (
            <LinkButton href="/talk" kind="primary" icon="talk">
              Talk to an assistant
            </LinkButton>
          )
        }
      />
      {statistics.error !== undefined && (
        <ErrorState
          title="The figures could not be loaded"
          error={statistics.error}
          onRetry={statistics.reload}
        />
      )}
      <FailingTests />
      <RangeChoice value={name} onChange={(range) => changeQuery({ range })} />
      <Figures
        items={[
          { name: 'Live now', value: data?.live, href: '/calls?state=live' },
          { name: 'Calls', value: data?.calls, href: `/calls?period=${name}` },
          { name: 'Talk time', value: data && <Duration seconds={data.talkSeconds} /> },
          {
            name: 'Median answer',
            value: data && msText(data.p50Ms),
            note: data?.p95Ms === undefined ? '' : `95 % within ${msText(data.p95Ms)}`,
          },
          {
            name: 'Failed',
            value: data?.failed,
            note: data && data.calls > 0 ? shareText(data.failed, data.calls) : '',
          },
        ]}
      />
      {recent.data?.totalCount === 0 ? (
        <FirstSteps />
      ) : (
        <>
          <div class="charts">
            <CallsChart statistics={data} labels={labels} />
            <AnswersChart statistics={data} labels={labels} />
          </div>
          <div class="overview-lists">
            {may('reviewer') && <RecentCalls range={name} calls={recent.data?.conversations} />}
            <EndReasons range={name} reasons={data?.endReasons} />
          </div>
        </>
      )}
    </section>
  );
}

interface RangeChoiceProps {
  readonly value: RangeName;
  readonly onChange: (name: RangeName) => void;
}

function RangeChoice({ value, onChange }: RangeChoiceProps) {
  return (
    <fieldset class="choice">
      <legend class="visually-hidden">Period</legend>
      {Object.entries(RANGES).map(([name, { label }]) => (
        <label key={name}>
          <input
            type="radio"
            name="range"
            class="visually-hidden"
            checked={name === value}
            onChange={() => onChange(name as RangeName)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function shareText(part: number, whole: number): string {
  return `${((part / whole) * 100).toFixed(part === 0 ? 0 : 1)} % of the calls`;
}
