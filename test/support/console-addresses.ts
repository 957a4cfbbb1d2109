import { readFileSync } from 'node:fs';
import type { LargeTeam } from './large-team.ts';

const ROUTES = new URL('../../src/console/app.tsx', import.meta.url);

/** Names of pages that their paths do not tell. */
const NAMES: Readonly<Record<string, string>> = {
  '/': 'Overview',
  '/calls/:id': 'A call',
  '/numbers/:id': 'A number',
  '/assistants/new': 'New assistant',
  '/assistants/:id': 'An assistant',
  '/assistants/:id/versions': 'Its versions',
  '/knowledge-bases/:id': 'A knowledge base',
  '/tools/new': 'New tool',
  '/tools/:id': 'A tool',
  '/tests/new': 'New tests',
  '/tests/:id': 'A suite of tests',
  '/calendars/:id': 'A calendar',
  '/wait-lists/:id': 'A wait list',
  '/api-keys': 'API keys',
  '/privacy': 'Data retention',
  '/audit': 'Audit log',
};

/** The overview under another path, and what is there for people alone. */
const OTHERS: readonly string[] = ['/sign-in', '/account'];

/** `/wait-lists` is called “Wait lists”. */
const nameOf = (path: string): string =>
  NAMES[path] ?? `${path.charAt(1).toUpperCase()}${path.slice(2).replaceAll('-', ' ')}`;

/** The address of every page of the console that shows what a team has, by its name, read from the table of routes. */
export function consoleAddresses(team: LargeTeam): Readonly<Record<string, string>> {
  const ids: Readonly<Record<string, string>> = {
    calls: team.callId,
    numbers: team.numberId,
    assistants: team.assistantId,
    'knowledge-bases': team.knowledgeBaseId,
    tools: team.toolId,
    tests: team.testSuiteId,
    calendars: team.calendarId,
    'wait-lists': team.waitListId,
  };
  const withId = (path: string): string =>
    path.replace(/^\/([\w-]+)\/:id/, (_, list: string) => {
      const id = ids[list];
      if (id === undefined) throw new Error(`the large team has nothing to show at ${path}`);
      return `/${list}/${id}`;
    });
  const paths = [...readFileSync(ROUTES, 'utf8').matchAll(/^ {2}\['(\/[^']*)', pages\./gm)]
    .map(([, path = '']) => path)
    .filter((path) => !OTHERS.includes(path));
  if (paths.length === 0) throw new Error('app.tsx has no table of routes that can be read');
  return Object.fromEntries(paths.map((path) => [nameOf(path), withId(path)]));
}
