import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { eventually } from '../support/eventually.ts';
import { checkPage } from '../support/page-check.ts';
import { dial } from '../support/service-call.ts';
import { sharedService } from '../support/shared-service.ts';

const title = chromiumPath ? 'what is kept' : 'what is kept (skipped: no Chromium is installed)';
const CONVERSATIONS = '/calls/v1/conversations';

describe.skipIf(!chromiumPath)(title, () => {
  test('the page says for how long calls are kept, and holds numbers', async () => {
    await using service = await sharedService();
    await using view = await ConsolePage.open(service.url, { at: '/privacy' });
    const { page } = view;
    await view.signIn(service.key);
    await view.untilText('main', 'No number is on hold.');
    await page.fill('#retention-sound', '30');
    await page.fill('#retention-text', '0');
    await page.click('#save-retention');
    await page.waitForSelector('#retention-text[aria-invalid="true"]');
    await page.fill('#retention-text', '365');
    await page.click('#save-retention');
    await expect
      .poll(async () => (await service.json<{ own: object }>('/privacy/v1/retention')).own)
      .toEqual({ sound: 30, text: 365 });
    await page.click('#new-hold');
    await page.click('dialog [type=submit]');
    await page.waitForSelector('#hold-number[aria-invalid="true"]');
    await page.fill('#hold-number', '+14155550123');
    await page.fill('#hold-reason', 'Case 12');
    await page.press('#hold-reason', 'Enter');
    await view.untilText('#holds', /14155550123.*Case 12/s);
    await checkPage(view, { name: 'privacy' });
    await page.click('[aria-label="Release +14155550123"]');
    await page.click('dialog .danger');
    await view.untilText('main', 'No number is on hold.');
    // Chromium complains of the answer to the rule of no days.
    expect(view.complaints).toEqual([expect.stringContaining('400')]);
  });

  test('a call is put on hold, released and deleted, after confirmation', async () => {
    await using service = await sharedService();
    const [guide] = await service.json<{ _id: string }[]>('/assistants/v1/assistants');
    const { caller, id } = await dial(service, { assistantId: guide?._id ?? '' });
    caller.hangup();
    await eventually(async () => {
      const { endAt } = await service.json<{ endAt?: string }>(`${CONVERSATIONS}/${id}`);
      expect(endAt).toBeDefined();
    });
    await using view = await ConsolePage.open(service.url, { at: `/calls/${id}` });
    const { page } = view;
    await view.signIn(service.key);
    const choose = async (item: string) => {
      await page.click('[aria-label="Keep or delete the call"]');
      await page.click(`[role=menuitem]:has-text("${item}")`);
    };
    await choose('Put on hold');
    await page.fill('#hold-reason', 'Case 12');
    await page.press('#hold-reason', 'Enter');
    await view.untilText('main', 'On hold and exempt from deletion: Case 12');
    const refused = await fetch(`${service.url}${CONVERSATIONS}/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${service.key}` },
    });
    expect(refused.status).toBe(409);
    await choose('Release the hold');
    await page.click('dialog .danger');
    await page.locator('text=On hold, so that').waitFor({ state: 'detached' });
    await choose('Delete');
    await view.untilText('dialog', 'cannot be undone');
    await page.click('dialog >> text=Cancel');
    await choose('Delete');
    await page.click('dialog .danger');
    await page.waitForURL((url) => url.hash === '#/calls');
    const { totalCount } = await service.json<{ totalCount: number }>(CONVERSATIONS);
    expect(totalCount).toBe(0);
  });
});
