import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EndReason } from '../../src/contract/failures.ts';
import { newCallId } from '../../src/lib/ids.ts';
import { createCall, updateCall } from '../../src/store/calls.ts';
import { createTeam } from '../../src/store/teams.ts';
import type { TestClient } from '../support/api.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { type ConsoleApi, startConsoleApi } from '../support/console-api.ts';
import { ConsolePage } from '../support/console-page.ts';
import { checkPage } from '../support/page-check.ts';
import { type TestDatabase, testDatabase } from '../support/postgres.ts';

const HOUR_MS = 3_600_000;
const title = chromiumPath ? 'the overview' : 'the overview (skipped: no Chromium is installed)';

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

  const newTeam = async (): Promise<TestClient> =>
    api.client((await createTeam(database.db, { name: 'Ada' })).id);

  /** A call that took two minutes, unless it goes on. */
  const call = async (
    { teamId }: TestClient,
    startAt: Date,
    end: { endReason?: EndReason; assistantId?: string; totalMs?: number[] },
  ): Promise<string> => {
    const { endReason, assistantId, totalMs = [] } = end;
    const { id } = await createCall(database.db, {
      id: newCallId('web'),
      teamId,
      callType: 'web',
      direction: 'inbound',
      startAt,
      snapshot: {} as never,
      ...(assistantId === undefined ? {} : { assistantId }),
    });
    const metrics = totalMs.map((ms, index) => ({ turn: index + 1, totalMs: ms }));
    const change = endReason
      ? {
          status: 'finished' as const,
          endReason,
          answeredAt: startAt,
          endAt: new Date(startAt.getTime() + 120_000),
          metrics,
        }
      : { status: 'ongoing' as const, answeredAt: startAt };
    await updateCall(database.db, { teamId, id, change });
    return id;
  };

  test('shows a newcomer what to do', async () => {
    const ada = await newTeam();
    await using view = await ConsolePage.open(api.url);
    await view.signIn(ada.key);
    await view.untilText('.first-steps', 'Steps to your first call');
    await view.untilText('.figure', /Calls\s*0/);
    await checkPage(view, { name: 'overview-new' });
    await view.page.click('.first-steps a:has-text("Talk")');
    await view.untilText('h1', 'Talk');
  });

  test('shows calls, failures and response times as charts and tables, with links to the calls', async () => {
    const ada = await newTeam();
    const { body: assistant } = await ada.post('/assistants/v1/assistants', { name: 'Reception' });
    const assistantId = assistant._id as string;
    const midnight = new Date().setHours(0, 0, 0, 0);
    const daysAgo = (day: number) => midnight - day * 24 * HOUR_MS;
    for (let day = 0; day < 7; day++) {
      for (let each = 0; each <= (day * 5) % 7; each++) {
        const totalMs = [400 + day * 30, 520 + each * 90, 700 + day * 110];
        const endReason = (day + each) % 6 === 5 ? 'connection-lost' : 'user-hung-up';
        const startAt = new Date(daysAgo(day) + each);
        await call(ada, startAt, { endReason, assistantId, totalMs });
      }
    }
    const live = await call(ada, new Date(), { assistantId });
    const { body: expected } = await ada.get(
      `/calls/v1/statistics?startDate=${new Date(daysAgo(6)).toISOString()}`,
    );
    await using view = await ConsolePage.open(api.url);
    const { page } = view;
    await view.signIn(ada.key);
    await view.untilText('.figure', /Live now\s*1/);
    await view.untilText('.figure', new RegExp(`Calls\\s*${expected.calls}`));
    await view.untilText('.figure', new RegExp(`Failed\\s*${expected.failed}`));
    await view.untilText('.figure', new RegExp(`Median answer\\s*${expected.p50Ms} ms`));
    await expect.poll(() => page.locator('.bar.series-well').count()).toBe(7);
    await view.untilText('table[aria-label="Last calls"] tbody tr:first-child', /Reception.*live/s);
    expect(await view.layoutShift()).toBeLessThan(0.02);
    await checkPage(view, { name: 'overview' });

    await page.click('text=Calls as a table');
    const counts = await page
      .locator('.chart-table')
      .first()
      .locator('td:nth-child(2)')
      .allInnerTexts();
    expect(counts.map(Number).reduce((sum, count) => sum + count, 0)).toBe(expected.calls);

    await page.click('.choice label:has-text("24 hours")');
    await expect.poll(() => page.locator('.bar.series-well').count()).toBe(24);
    expect(page.url()).toContain('range=24h');
    await page.goto(`${api.url}/console/#/`);
    await page.click('text=Connection lost');
    await expect.poll(() => page.url()).toContain('#/calls?end=connection-lost&period=7d');
    await page.goBack();
    await page.click('table[aria-label="Last calls"] tr:has-text("live") a');
    await expect.poll(() => page.url()).toContain(`#/calls/${live}`);
  });

  test('says why there is nothing to show, and retries', async () => {
    const ada = await newTeam();
    await using view = await ConsolePage.open(api.url);
    const { page } = view;
    await page.route('**/calls/v1/statistics*', (route) =>
      route.fulfill({ status: 400, json: { message: 'no figures today' } }),
    );
    await view.signIn(ada.key);
    await view.untilText('[role=alert]', 'No figures today.');
    await page.unroute('**/calls/v1/statistics*');
    await page.click('text=Try again');
    await page.locator('.error-state').waitFor({ state: 'detached' });
    await view.untilText('.figure', /Calls\s*0/);
  });
});
