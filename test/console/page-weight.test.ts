import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTeam } from '../../src/store/teams.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { consoleAddresses } from '../support/console-addresses.ts';
import { type ConsoleApi, startConsoleApi } from '../support/console-api.ts';
import { ConsolePage } from '../support/console-page.ts';
import { fillTeam, type LargeTeam } from '../support/large-team.ts';
import { measurePageLoad } from '../support/page-load.ts';
import { type TestDatabase, testDatabase } from '../support/postgres.ts';

const title = chromiumPath
  ? 'what a page loads does not grow with the team'
  : 'what a page loads does not grow with the team (skipped: no Chromium is installed)';
/** More of each than a page shows. */
const SIZE = { calls: 120, live: 10, assistants: 210, others: 60 };
const MOST_DATA_BYTES = 100_000;
/** One a list, one for what is counted of its rows, and what the page asks besides. */
const MOST_REQUESTS = 9;
/** Rows that each list shows before it is asked for more. */
const ROWS = 25;

describe.skipIf(!chromiumPath)(title, { timeout: 240_000 }, () => {
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

  test('every page asks little, in few requests', async () => {
    await using view = await ConsolePage.open(api.url);
    await view.signIn(key);
    const heavy: string[] = [];
    for (const [name, at] of Object.entries(consoleAddresses(team))) {
      const { dataBytes, apiRequests } = await measurePageLoad(view, at);
      if (dataBytes > MOST_DATA_BYTES || apiRequests.length > MOST_REQUESTS)
        heavy.push(`${name}: ${dataBytes} bytes, ${apiRequests.join(' ')}`);
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
  ])(
    'the list of %s at %s shows a page, more when asked, and finds %s on the service',
    async (id, at, search, found) => {
      await using view = await ConsolePage.open(api.url, { at });
      await view.signIn(key);
      const { page } = view;
      const rows = page.locator('main tbody tr th');
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
