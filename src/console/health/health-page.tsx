import './health.css';
import type { Health, PartHealth } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { Callout } from '../ui/callout.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { usePolling } from '../use-polling.ts';
import { CheckedNumbers } from './checked-numbers.tsx';
import { HealthProblemItem } from './health-problem-item.tsx';
import { UsedVendors } from './used-vendors.tsx';

const EVERY_MS = 10_000;

/** What is wrong now with what the team's calls need, and what to do about it. */
export function HealthPage() {
  const client = useClient();
  const { data, error, reload } = usePolling(
    (signal) => client.call('getHealth', { signal }),
    [client],
    EVERY_MS,
  );
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="Health"
        lead="Current problems with vendors, carriers, webhooks, jobs and processes, and how to fix them. Vendors and carriers are contacted only when you press a test."
      />
      {error !== undefined && (
        <ErrorState title="The health could not be loaded" error={error} onRetry={reload} />
      )}
      {!data && error === undefined && (
        <div class="late">
          <Skeleton lines={8} />
        </div>
      )}
      {data && (
        <>
          <div id="health-verdict" role="status">
            <Verdict health={data} />
          </div>
          <ul class="health-parts" aria-label="Parts">
            {data.parts.map((part) => (
              <Part key={part.part} part={part} health={data} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Verdict({ health: { problems } }: { readonly health: Health }) {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  if (problems.length === 0) return <Callout tone="good">Everything works.</Callout>;
  if (errors === 0)
    return (
      <Callout tone="warn">
        Calls work. {problems.length === 1 ? '1 warning' : `${problems.length} warnings`}.
      </Callout>
    );
  return <Callout tone="bad">{errors === 1 ? '1 problem' : `${errors} problems`} now.</Callout>;
}

const TITLES: Readonly<Record<PartHealth['part'], string>> = {
  vendors: 'Vendors',
  carriers: 'Carriers and numbers',
  webhooks: 'Webhooks and tools',
  jobs: 'Jobs',
  processes: 'Processes',
};
const TONES = { ok: 'good', warning: 'warn', error: 'bad' } as const;
const WORDS = { ok: 'works', warning: 'attention', error: 'failing' } as const;

function Part({ part, health }: { readonly part: PartHealth; readonly health: Health }) {
  const title = `health-${part.part}`;
  const problems = health.problems.filter((problem) => problem.part === part.part);
  return (
    <li class="card health-part" aria-labelledby={title}>
      <div class="health-part-head">
        <h2 id={title}>{TITLES[part.part]}</h2>
        <Badge tone={TONES[part.status]}>{WORDS[part.status]}</Badge>
        <span class="soft">{part.summary}</span>
      </div>
      {part.part === 'carriers' && <CheckedNumbers />}
      {part.part === 'vendors' && <UsedVendors vendors={health.vendors} />}
      {problems.length > 0 && (
        <ul class="health-problems" aria-label={`Problems: ${TITLES[part.part]}`}>
          {problems.map((problem) => (
            <HealthProblemItem key={`${problem.code} ${problem.message}`} problem={problem} />
          ))}
        </ul>
      )}
    </li>
  );
}
