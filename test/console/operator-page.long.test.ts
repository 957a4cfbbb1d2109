import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { checkPage } from '../support/page-check.ts';
import { OPERATOR_KEY, ServiceApi } from '../support/service-process.ts';
import { sharedService } from '../support/shared-service.ts';

const title = chromiumPath
  ? 'the operator’s page of teams'
  : 'the operator’s page of teams (skipped: no Chromium is installed)';

/** Refusals are part of the test, which the browser says of each. */
const REFUSED = /status of 40[13]/;

describe.skipIf(!chromiumPath)(title, { timeout: 180_000 }, () => {
  test('a team is created, limited, suspended, resumed, given a key and deleted', async () => {
    await using service = await sharedService();
    const operator = new ServiceApi(service.url, OPERATOR_KEY);
    const name = `Clinic ${Date.now()}`;
    await using view = await ConsolePage.open(service.url);
    const { page } = view;
    await page.click('#operator');
    await page.waitForSelector('#key:focus');
    await page.fill('#key', service.key);
    await page.press('#key', 'Enter');
    await view.untilText('#operator-fault', 'This key is invalid.');
    view.complaints.splice(0);
    await checkPage(view, { name: 'operator-door' });
    await page.fill('#key', OPERATOR_KEY);
    await page.press('#key', 'Enter');
    await view.untilText('h1', 'Teams');

    await page.click('text=Create team');
    await page.click('dialog [type=submit]');
    await view.untilText('#team-name-fault', 'Enter a name.');
    await page.fill('#team-name', name);
    await page.fill('#team-liveCalls', '5');
    await checkPage(view, { name: 'operator-create' });
    await page.press('#team-name', 'Enter');
    const key = await page.locator('#made-key code').innerText();
    const team = new ServiceApi(service.url, key);
    const me = await team.json<{ teamName: string; role: string; teamId?: string }>('/auth/v1/me');
    expect(me).toMatchObject({ teamName: name, role: 'admin' });
    await page.click('#made-key >> text=Done');

    await page.fill('#teams-search', name);
    const row = page.locator('#teams tbody tr');
    await expect.poll(() => row.count()).toBe(1);
    expect(await row.innerText()).toContain('live calls: 5');
    await checkPage(view, { name: 'operator-teams' });
    const act = async (item: string) => {
      await page.click(`[aria-label="Actions for “${name}”"]`);
      await page.click(`.menu-item:has-text("${item}")`);
    };
    const stored = async () =>
      (
        await operator.json<{ id: string; limits: object; retentionDays: object }[]>(
          `/admin/v1/teams?search=${encodeURIComponent(name)}`,
        )
      )[0];

    await act('Change');
    await page.fill('#team-liveCalls', '');
    await page.fill('#team-callsPerDay', '200');
    await page.fill('#team-text', '30');
    await page.click('dialog [type=submit]');
    await expect.poll(() => row.innerText()).toContain('calls a day: 200');
    expect(await stored()).toMatchObject({
      limits: { callsPerDay: 200 },
      retentionDays: { text: 30 },
    });
    expect((await stored())?.limits).not.toHaveProperty('liveCalls');

    await act('Usage');
    await view.untilText('dialog', '0 of 200');
    await view.untilText('dialog', 'No calls in the last 30 days.');
    await checkPage(view, { name: 'operator-usage' });
    await page.keyboard.press('Escape');

    await act('Suspend');
    await page.click('dialog [type=submit]');
    await view.untilText('#suspend-reason-fault', 'Enter a reason.');
    await page.fill('#suspend-reason', 'The invoice is not paid');
    await page.press('#suspend-reason', 'Enter');
    await expect.poll(() => row.innerText()).toContain('The invoice is not paid');
    await expect(team.json('/auth/v1/me')).rejects.toThrow('The invoice is not paid');
    await act('Resume');
    await page.click('dialog .danger');
    await expect.poll(() => row.innerText()).toContain('active');
    await expect.poll(() => team.json('/auth/v1/me')).toMatchObject({ teamName: name });

    await act('Create an admin’s API key');
    await page.fill('#team-key-name', 'Second');
    await page.press('#team-key-name', 'Enter');
    const second = await page.locator('#made-key code').innerText();
    expect(second).not.toBe(key);
    await page.click('#made-key >> text=Done');

    await act('Delete');
    await page.click('dialog .danger');
    await view.untilToast('is being deleted');

    await page.click('text=Leave');
    await view.untilText('h1', 'Teams of this service');
    // Nothing of the key is left in the browser.
    const kept = await page.evaluate<string>(
      'JSON.stringify([{...localStorage}, {...sessionStorage}])',
    );
    expect(kept).not.toContain(OPERATOR_KEY);
    expect(view.complaints.filter((complaint) => !REFUSED.test(complaint))).toEqual([]);
  });
});
