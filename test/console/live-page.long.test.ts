import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallAlerts } from '../../src/contract/call-alerts.ts';
import { newCallId } from '../../src/lib/ids.ts';
import { raiseAlerts } from '../../src/store/call-records.ts';
import { createCall, updateCall } from '../../src/store/calls.ts';
import { createTeam } from '../../src/store/teams.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { type ConsoleApi, startConsoleApi } from '../support/console-api.ts';
import { ConsolePage } from '../support/console-page.ts';
import { checkPage } from '../support/page-check.ts';
import { type TestDatabase, testDatabase } from '../support/postgres.ts';

const MINUTE_MS = 60_000;
const title = chromiumPath
  ? 'the page of live calls'
  : 'the page of live calls (skipped: no Chromium is installed)';

describe.skipIf(!chromiumPath)(title, () => {
  let database: TestDatabase;
  let api: ConsoleApi;

  beforeAll(async () => {
    database = await testDatabase('embedded');
    api = await startConsoleApi(database.db);
  });
  afterAll(async () => {
    await api.close();
    await database.close();
  });

  test('names what has gone wrong in a call, the latest first, and opens it', async () => {
    const { id: teamId } = await createTeam(database.db, { name: 'Ada' });
    const ada = await api.client(teamId);
    const live = async (userNumber: string, minutesAgo: number, alerts: CallAlerts) => {
      const startAt = new Date(Date.now() - minutesAgo * MINUTE_MS);
      const { id } = await createCall(database.db, {
        ...{ id: newCallId('web'), teamId, callType: 'web', direction: 'inbound', startAt },
        ...{ userNumber, snapshot: {} as never },
      });
      const change = { status: 'ongoing', answeredAt: startAt } as const;
      await updateCall(database.db, { teamId, id, change });
      await raiseAlerts(database.db, { callId: id, alerts });
      return id;
    };
    await live('+49301', 30, {});
    await live('+49302', 20, { 'tool-failed': MINUTE_MS });
    const worst = await live('+49303', 10, {
      'long-silence': 10 * MINUTE_MS - 1000,
      'model-failed': 10 * MINUTE_MS - 2000,
    });
    await using view = await ConsolePage.open(api.url, { at: '/live' });
    const { page } = view;
    await view.signIn(ada.key);
    await view.untilText('.live-card', '+49301');
    const cards = page.locator('.live-card');
    expect(await cards.locator('h2').allInnerTexts()).toEqual(['+49303', '+49302', '+49301']);
    const badges = (card: number) =>
      cards.nth(card).locator('.calls-alerts .badge').allInnerTexts();
    expect((await badges(0)).toSorted()).toEqual(['Long silence', 'Model failed']);
    expect(await badges(1)).toEqual(['Tool failed']);
    expect(await badges(2)).toEqual([]);
    expect(await page.locator('.live-card[data-alert]').count()).toBe(1);
    await checkPage(view, { name: 'live-alerts' });
    await page.click('.live-card a:has-text("+49303")');
    await expect.poll(() => page.url()).toContain(`#/calls/${worst}`);
  });
});
