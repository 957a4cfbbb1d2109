import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { isLong } from '../support/effort.ts';
import { checkPage } from '../support/page-check.ts';
import { sharedService } from '../support/shared-service.ts';

const title = chromiumPath
  ? 'the page of API keys'
  : 'the page of API keys (skipped: no Chromium is installed)';

describe.skipIf(!chromiumPath)(title, () => {
  test('creates a key, shows it once, revokes it after confirmation, and signs out when its own key is revoked', async () => {
    await using service = await sharedService();
    await using view = await ConsolePage.open(service.url);
    const { page } = view;
    const status = async (key: string): Promise<number> =>
      (
        await fetch(`${service.url}/auth/v1/api-keys`, {
          headers: { authorization: `Bearer ${key}` },
        })
      ).status;
    await view.signIn(service.key);
    await page.click('nav a:has-text("API keys")');
    await view.untilText('#api-keys .badge', 'this session');

    await checkPage(view, { name: 'api-keys' });
    await page.click('#new-key');
    await page.click('dialog [type=submit]');
    await view.untilText('#key-name-fault', 'Enter a name.');
    await page.fill('#key-name', 'Billing');
    await page.selectOption('#key-role', 'viewer');
    await page.selectOption('#key-expiry', 'month');
    await page.press('#key-name', 'Enter');
    await view.untilText('#made-key', 'not shown again');
    await checkPage(view, { name: 'api-key-made' });
    const key = await page.locator('#made-key code').innerText();
    // A viewer sees no keys.
    expect(await status(key)).toBe(403);
    await view.untilText('#api-keys tr:has-text("Billing")', /viewer.*by Test/s);

    await page.reload();
    await view.untilText('#api-keys tr:has-text("Billing")', /from 127\.0\.0\.1/);
    expect(await page.content()).not.toContain(key);

    await page.click('[aria-label="Change Billing"]');
    await page.selectOption('#key-role', 'admin');
    await page.selectOption('#key-expiry', 'never');
    await page.click('dialog [type=submit]');
    await view.untilText('#api-keys tr:has-text("Billing")', /admin.*never/s);

    await page.click('[aria-label="Revoke Billing"]');
    await page.click('dialog >> text=Cancel');
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await status(key)).toBe(200);
    await page.click('[aria-label="Revoke Billing"]');
    await page.click('dialog .danger');
    await page.locator('[aria-label="Revoke Billing"]').waitFor({ state: 'detached' });
    expect(await status(key)).toBe(401);

    expect(view.requests.filter((url) => !url.startsWith(service.url))).toEqual([]);
    expect(view.requests.filter((url) => url.includes(key))).toEqual([]);
    expect(view.complaints).toEqual([]);

    await page.click('#api-keys tr:has(.badge) [aria-label^="Revoke"]');
    await view.untilText('dialog', 'you will be signed out');
    await page.click('dialog .danger');
    await view.untilText('dialog', 'make one first');
    await page.click('dialog >> text=Cancel');
    await fetch(`${service.url}/auth/v1/api-keys`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'Kept' }),
    });
    await page.click('#api-keys tr:has(.badge) [aria-label^="Revoke"]');
    await view.untilText('dialog', 'you will be signed out');
    await page.click('dialog .danger');
    await page.waitForSelector('#sign-in');
    expect(await status(service.key)).toBe(401);
  });

  test.runIf(isLong)('whoever has a lesser role is shown what that role may do', async () => {
    await using service = await sharedService();
    const { key } = await service.json<{ key: string }>('/auth/v1/api-keys', {
      method: 'POST',
      body: { name: 'Wall', role: 'viewer' },
    });
    await using view = await ConsolePage.open(service.url);
    await view.signIn(key);
    await view.untilText('#who', /Wall, viewer/);
    await view.untilText('.figures', 'Live now');
    const places = await view.page.locator('nav a').allInnerTexts();
    expect(places.map((text) => text.trim())).toEqual([
      'Overview',
      'Numbers',
      'Assistants',
      'Knowledge bases',
      'Tests',
      'Tools',
      'Vendors',
      'Calendars',
      'Wait lists',
    ]);
    await checkPage(view, { name: 'overview-viewer' });
    expect(view.complaints).toEqual([]);
  });
});
