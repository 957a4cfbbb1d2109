import type { HealthProblem } from '../../client/api.generated.ts';
import type { Role } from '../session.ts';

/** A page on which a problem is mended or looked into. */
export interface MendLink {
  readonly name: string;
  readonly href: string;
  /** The role from which on the page is of use. @defaultValue builder */
  readonly least?: Role;
}

/** Where to go about a problem, the most useful page first. */
export function mendLinks(problem: HealthProblem): readonly MendLink[] {
  const { part, code, callId, assistantId, numberId, count } = problem;
  if (numberId !== undefined) return [{ name: 'Open the number', href: `/numbers/${numberId}` }];
  if (assistantId !== undefined)
    return [
      { name: 'Vendors', href: '/vendors' },
      { name: 'Open an assistant', href: `/assistants/${assistantId}?part=model` },
    ];
  if (callId !== undefined)
    return [
      { name: 'Open the last call', href: `/calls/${callId}${TABS[code] ?? ''}` },
      ...(count > 1 && isEnd(code)
        ? [{ name: `All ${count} calls`, href: `/calls?period=24h&end=${code}` }]
        : []),
      ...(code === 'tool-error'
        ? [
            { name: 'All calls with a failed tool', href: '/calls?period=24h&flags=tool-failed' },
            { name: 'Tools', href: '/tools' },
          ]
        : []),
      ...(part === 'vendors' ? [{ name: 'Vendors', href: '/vendors' }] : []),
      ...(part === 'carriers' ? [{ name: 'Numbers', href: '/numbers' }] : []),
    ];
  if (code === 'disk-full')
    return [{ name: 'Data retention', href: '/privacy', least: 'admin' as const }];
  return [];
}

/** The tab of the call's page that shows it. */
const TABS: Readonly<Record<string, string>> = {
  'webhook-lost': '?tab=deliveries',
  'webhook-retrying': '?tab=deliveries',
  'tool-error': '?tab=tools',
};

/** Calls that went on, and webhooks, have no end reason of their own. */
const isEnd = (code: string): boolean =>
  !['webhook-lost', 'webhook-retrying', 'tool-error', 'transfer-failed'].includes(code) &&
  !code.endsWith('-error');
