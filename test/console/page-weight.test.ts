import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createContract, operationsOf } from '../../src/contract/contract.ts';
import { createTeam } from '../../src/store/teams.ts';
import { vendors } from '../contract/vendors.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { consoleAddresses } from '../support/console-addresses.ts';
import { type ConsoleApi, startConsoleApi } from '../support/console-api.ts';
import { ConsolePage } from '../support/console-page.ts';
import { isLong } from '../support/effort.ts';
import { fillTeam, type LargeTeam } from '../support/large-team.ts';
import { isCounted } from '../support/page-coverage.ts';
import { measurePageLoad } from '../support/page-load.ts';
import { type TestDatabase, testDatabase } from '../support/postgres.ts';

const title = chromiumPath
  ? 'what a page loads does not grow with the team'
  : 'what a page loads does not grow with the team (skipped: no Chromium is installed)';
/** More of each than a page shows. */
const SIZE = { calls: 120, live: 10, assistants: 210, others: 60 };
/** Code and data of a page that is opened for the first time, over the wire. */
const MOST_BYTES = 100_000;
/** One a list, one for what is counted of its rows or named in them, and what the page asks besides. */
const MOST_REQUESTS = 9;
/** Of all lists together: the live calls alone may be a hundred. */
const MOST_ROWS = 260;
/** Rows that each list shows before it is asked for more. */
const ROWS = 25;

const LISTS = operationsOf(createContract(vendors))
  // The versions of one assistant are few, and shown whole.
  .filter(({ id, paged }) => paged && id !== 'listAssistantVersions')
  .map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));

/** How many rows of a list a request asks for; all of them, without end, where it does not say. */
function rowsAskedFor(request: string): number {
  const { pathname, searchParams } = new URL(request, 'http://console');
  if (!LISTS.some((list) => list.test(pathname))) return 0;
  const ids = searchParams.get('ids');
  if (ids !== null) return ids.split(',').length;
  return Number(searchParams.get('limit') ?? searchParams.get('size') ?? Infinity);
}

// Of its code alone `bundle-size.test.ts` tells in the short run.
describe.runIf(isLong && chromiumPath && !isCounted)(title, { timeout: 600_000 }, () => {
  let database: TestDatabase;
  let api: ConsoleApi;
  let team: LargeTeam;
  let key: string;
  beforeAll(async () => {
    database = await testDatabase('embedded');
    api = await startConsoleApi(database.db);
    const { id } = await createTeam(database.db, { name: 'Ada' });
    key = (await api.client(id)).key;
    team = await fillTeam(database.db, id, SIZE);
  }, 240_000);
  afterAll(async () => {
    await api.close();
    await database.close();
  });

  test('every page of the table of routes is light, and asks for few rows in few requests', async () => {
    await using view = await ConsolePage.open(api.url);
    await view.signIn(key);
    const heavy: string[] = [];
    for (const [name, at] of Object.entries(consoleAddresses(team))) {
      const { bytes, apiRequests, heaviest } = await measurePageLoad(view, at);
      const rows = apiRequests.reduce((sum, request) => sum + rowsAskedFor(request), 0);
      if (bytes > MOST_BYTES) heavy.push(`${name}: ${bytes} bytes, ${heaviest.join(' ')}`);
      if (apiRequests.length > MOST_REQUESTS || rows > MOST_ROWS)
        heavy.push(`${name}: ${rows} rows by ${apiRequests.join(' ')}`);
    }
    expect(heavy).toEqual([]);
  });

  test.each([
    ['assistants', '/assistants', 'desk 17', 'Desk 17'],
    ['tools', '/tools', 'practice-17', 'bookDesk17'],
    ['numbers', '/numbers', '0017', '+15005550017'],
    ['knowledge-bases', '/knowledge-bases', 'handbook 17', 'Handbook 17'],
    ['bookable', '/calendars', 'room 17', 'Room 17'],
    ['bookable', '/wait-lists', 'queue 17', 'Queue 17'],
    ['people', '/people', 'person-17', 'Person 17'],
  ])(
    'the list of %s at %s shows a page, more when asked, and finds %s on the service',
    async (id, at, search, found) => {
      await using view = await ConsolePage.open(api.url, { at });
      await view.signIn(key);
      const { page } = view;
      const rows = page.locator('main table').first().locator('tbody tr th');
      await expect.poll(() => rows.count()).toBe(ROWS);
      await page.click('text=Show more');
      await expect.poll(() => rows.count()).toBe(2 * ROWS);
      await page.fill(`#${id}-search`, search);
      await expect.poll(() => rows.allInnerTexts()).toContain(found);
      await expect.poll(() => rows.count()).toBeLessThan(ROWS);
      await page.fill(`#${id}-search`, 'nothing like it');
      await view.untilText('.empty-state', 'Nothing matches “nothing like it”');
    },
  );
});
