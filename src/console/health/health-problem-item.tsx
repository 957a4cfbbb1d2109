import { Link } from 'wouter-preact';
import type { HealthProblem } from '../../client/api.generated.ts';
import { may } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { mendLinks } from './mend.ts';

/** One thing that is wrong, what to do about it and where. */
export function HealthProblemItem({ problem }: { readonly problem: HealthProblem }) {
  const { code, severity, message, help, count, lastAt, callId } = problem;
  const isBad = severity === 'error';
  const links = mendLinks(problem).filter(({ least = 'builder' }) => may(least));
  return (
    <li class="health-problem">
      <div class="row">
        <Badge tone={isBad ? 'bad' : 'warn'}>{isBad ? 'failing' : 'attention'}</Badge>
        <code>{code}</code>
        {callId !== undefined && count > 1 && <span class="soft numeric">{count} times</span>}
        {lastAt && (
          <span class="soft">
            last <RelativeTime at={lastAt} />
          </span>
        )}
      </div>
      <p>{message}</p>
      <p class="soft">{help}</p>
      {links.length > 0 && (
        <p class="row">
          {links.map(({ name, href }) => (
            <Link key={href} href={href}>
              {name}
            </Link>
          ))}
        </p>
      )}
    </li>
  );
}
