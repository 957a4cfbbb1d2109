import { describe, expect, test } from 'vitest';
import type { PublicKey } from '../../src/contract/public-key.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { checkPage } from '../support/page-check.ts';
import { sharedService } from '../support/shared-service.ts';

const title = chromiumPath
  ? 'the page of public keys'
  : 'the page of public keys (skipped: no Chromium is installed)';

describe.skipIf(!chromiumPath)(title, () => {
  test('creates a key, shows its code and its link, by which a call is made, changes it and removes it', async () => {
    await using service = await sharedService();
    await using view = await ConsolePage.open(service.url);
    const { page } = view;
    const stored = () => service.json<PublicKey[]>('/auth/v1/public-keys');
    await view.signIn(service.key);
    await page.click('nav a:has-text("Public keys")');
    await view.untilText('.empty-state', 'No public keys yet');
    await checkPage(view, { name: 'public-keys-empty' });

    await page.click('#new-public-key');
    await page.click('dialog [type=submit]');
    await view.untilText('#public-key-name-fault', 'Enter a name.');
    await view.untilText('#public-key-assistant-fault', 'Choose an assistant.');
    await page.fill('#public-key-name', 'Shop');
    await page.click('#public-key-assistant');
    await page.click('[role=option] >> nth=0');
    await page.uncheck('#public-key-demo-allowed');
    await page.fill('#public-key-minutesPerDay', '');
    await page.click('dialog [type=submit]');
    await view.untilText('#public-key-minutesPerDay-fault', 'Enter a number from 1 to 10000.');
    await page.fill('#public-key-minutesPerDay', '90');
    await page.click('dialog [type=submit]');
    await view.untilText('#public-key-origins-fault', 'Must name a site');
    await page.fill('#public-key-origins', 'https://*.example.com');
    await page.click('dialog [type=submit]');
    await view.untilText('#public-key-origins-fault', 'Must be the origin of a site');
    await checkPage(view, { name: 'public-key-refused' });
    // The address of a page names its site.
    await page.fill('#public-key-origins', 'https://www.example.com/contact?from=x');
    await page.check('#public-key-demo-allowed');
    await page.click('dialog [type=submit]');

    await view.untilText('dialog h2', 'Use “Shop”');
    const [made] = await stored();
    expect(made).toMatchObject({
      name: 'Shop',
      origins: ['https://www.example.com'],
      demo: true,
      callsAtOnce: 3,
      minutesPerDay: 90,
      minutesPerCall: 10,
    });
    const { key = '', demoUrl = '' } = made ?? {};
    await checkPage(view, { name: 'public-key-code' });
    expect(await page.locator('#public-key-code code').innerText()).toBe(
      `<script type="module" src="${service.url}/widget/parley-call.js"></script>\n<parley-call public-key="${key}" label="Talk to us"></parley-call>`,
    );
    expect(await page.locator('#public-key-demo code').innerText()).toBe(demoUrl);

    // Whoever follows the link is not signed in, and talks to the assistant.
    const guest = await page.context().browser()?.newContext();
    const demo = await guest?.newPage();
    await demo?.goto(await page.locator('dialog a').getAttribute('href').then(String));
    await demo?.getByRole('button', { name: 'Talk to us' }).click();
    await demo?.getByRole('log').filter({ hasText: 'Hello, I am the speech guide' }).waitFor();
    await demo?.getByRole('button', { name: 'End call' }).click();
    await demo?.getByRole('status').filter({ hasText: 'Call ended' }).waitFor();

    await page.click('dialog >> text=Done');
    await view.untilText(
      '#public-keys tr:has-text("Shop")',
      /www\.example\.com.*demo page.*90 min a day/s,
    );
    await checkPage(view, { name: 'public-keys' });
    await page.click('[aria-label="Change Shop"]');
    await page.fill('#public-key-name', 'Garden');
    await page.uncheck('#public-key-demo-allowed');
    await page.click('dialog [type=submit]');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.click('[aria-label="Use Garden"]');
    await view.untilText('dialog', 'The demo page may not use this key.');
    expect(await stored()).toMatchObject([{ key, name: 'Garden', demo: false }]);
    // The link works no more.
    await demo?.reload();
    await demo?.getByRole('button', { name: 'Talk to us' }).click();
    await demo
      ?.getByRole('alert')
      .filter({ hasText: 'The public key is not for this site' })
      .waitFor();
    await page.keyboard.press('Escape');

    await page.click('[aria-label="Remove Garden"]');
    await page.click('dialog .danger');
    await view.untilText('.empty-state', 'No public keys yet');
    expect(await stored()).toEqual([]);
  });

  test('is not there for whoever has a lesser role', async () => {
    await using service = await sharedService();
    const { key } = await service.json<{ key: string }>('/auth/v1/api-keys', {
      method: 'POST',
      body: { name: 'Builder', role: 'builder' },
    });
    await using view = await ConsolePage.open(service.url);
    await view.signIn(key);
    const places = await view.page.locator('nav a').allInnerTexts();
    expect(places.map((text) => text.trim())).toContain('Assistants');
    expect(places.map((text) => text.trim())).not.toContain('Public keys');
  });
});
