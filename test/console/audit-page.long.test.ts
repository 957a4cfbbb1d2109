import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { eventually } from '../support/eventually.ts';
import { checkPage } from '../support/page-check.ts';
import { sharedService } from '../support/shared-service.ts';

const title = chromiumPath ? 'the audit log' : 'the audit log (skipped: no Chromium is installed)';

describe.skipIf(!chromiumPath)(title, () => {
  test('lists who did what, is filtered by keyboard, exported, and says that it is whole', async () => {
    await using service = await sharedService();
    const keys = '/auth/v1/api-keys';
    const make = (name: string) =>
      service.json<{ id: string }>(keys, { method: 'POST', body: { name, role: 'viewer' } });
    await make('Wallboard');
    const former = await make('Former');
    await service.json(`${keys}/${former.id}`, { method: 'DELETE' });
    // Entries are written soon after what they tell of.
    await eventually(async () => {
      const entries = await service.json<{ action: string }[]>('/auth/v1/audit?about=revokeApiKey');
      expect(entries).toHaveLength(1);
    });
    await using view = await ConsolePage.open(service.url, { at: '/audit' });
    const { page } = view;
    await view.signIn(service.key);
    await view.untilText('#chain-check', 'The log is intact.');
    await view.untilText('#audit', 'Revoke api key');
    await checkPage(view, { name: 'audit' });

    await page.focus('#audit-what');
    await page.keyboard.type('create api key');
    await expect.poll(() => page.locator('#audit tbody tr').count()).toBe(2);
    await view.untilText('#audit', /Create api key/s);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.waitForSelector('#audit-outcome:focus');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await view.untilText('main', 'No entries match');
    expect(page.url()).toContain('outcome=refused');
    await page.click('text=Show all entries');
    await view.untilText('#audit', 'Revoke api key');
    await page.click('#audit-who');
    await page.keyboard.type('wallb');
    // What was found before goes away under the pointer.
    await expect.poll(() => page.locator('[role=option]:visible').count()).toBe(1);
    await page.click('[role=option]:has-text("Wallboard (API key)")');
    await view.untilText('main', 'No entries match');
    await page.click('text=Show all entries');
    await page.fill('#audit-to', '2020-01-01');
    await view.untilText('main', 'No entries match');

    const download = page.waitForEvent('download');
    await page.click('[aria-label="Export the whole log"]');
    await page.click('[role=menuitem]:has-text("CSV")');
    expect((await download).suggestedFilename()).toBe('audit.csv');
    expect(view.complaints).toEqual([]);
  });

  test('is no page of those who are no admins', async () => {
    await using service = await sharedService();
    const { key } = await service.json<{ key: string }>('/auth/v1/api-keys', {
      method: 'POST',
      body: { name: 'Builder', role: 'builder' },
    });
    await using view = await ConsolePage.open(service.url);
    await view.signIn(key);
    await view.untilText('nav', 'Assistants');
    expect(await view.page.locator('nav').innerText()).not.toContain('Audit log');
  });
});
