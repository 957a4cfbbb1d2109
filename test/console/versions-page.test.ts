import { expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsoleService } from '../support/console-service.ts';
import { isLong } from '../support/effort.ts';
import { checkPage } from '../support/page-check.ts';

interface Assistant {
  readonly _id: string;
  readonly welcomeMessage: string;
}

interface Run {
  readonly status: string;
}

test.skipIf(!chromiumPath)(
  'a draft is saved, looked at, labelled and published, and the first version restored',
  { timeout: 120_000 },
  async () => {
    await using host = await ConsoleService.start();
    const { service } = host;
    const at = '/assistants/v1/assistants';
    const { _id } = await host.create<Assistant>(at, { name: 'Hall', welcomeMessage: 'One' });
    const welcome = async () => (await service.json<Assistant>(`${at}/${_id}`)).welcomeMessage;
    await using view = await host.open(`/assistants/${_id}`);
    const { page } = view;
    await view.untilText('#page-title', 'Hall');
    await page.fill('#field-welcomeMessage', 'Two');
    await page.click('.save-bar >> text=Save as draft');
    await view.untilToast('Version 2 is a draft');
    await page.locator('.save-bar').waitFor({ state: 'hidden' });
    expect(await welcome()).toBe('One');

    await page.click('main >> text=Versions');
    await view.untilText('#versions tbody tr:first-child', /2\s*draft/);
    await page.click('[aria-label="Changes of version 2"]');
    await view.untilText('dialog dl', /Welcome message\s*One\s*Two/);
    await checkPage(view, { name: 'version-changes' });
    await page.keyboard.press('Escape');
    await page.click('[aria-label="Label version 1"]');
    await page.fill('#version-label', 'The Best');
    await page.press('#version-label', 'Enter');
    await view.untilText('#version-label-fault', 'Use lower-case letters');
    await page.fill('#version-label', 'staging');
    await page.press('#version-label', 'Enter');
    await view.untilText('#versions tbody tr:last-child', 'staging');
    await page.click('[aria-label="Label version 1"]');
    await page.click('dialog [aria-label="Remove staging"]');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page
      .locator('#versions tbody tr:last-child:has-text("staging")')
      .waitFor({ state: 'detached' });
    await page.click('[aria-label="Label version 1"]');
    await page.press('#version-label', 'Enter');
    await view.untilText('#versions tbody tr:last-child', 'production');
    await page.click('[aria-label="Publish version 2"]');
    await page.click('dialog .danger');
    await view.untilText('#versions tbody tr:first-child', 'published');
    expect(await welcome()).toBe('Two');
    await checkPage(view, { name: 'versions' });
    await page.click('[aria-label="Restore version 1"]');
    await page.click('dialog .danger');
    await expect.poll(welcome).toBe('One');
  },
);

test.runIf(isLong && chromiumPath)(
  'a version whose tests fail is refused by their names, and scores are shown by version',
  { timeout: 120_000 },
  async () => {
    await using host = await ConsoleService.start();
    const at = '/assistants/v1/assistants';
    const fields = { name: 'Gate', assistantProvider: 'offline', welcomeMessage: 'Hotel Aurora.' };
    const { _id } = await host.create<Assistant>(at, fields);
    for (const welcomeMessage of ['Hotel Boreal.', 'Welcome to the Aurora.'])
      await host.create(`${at}/${_id}/versions`, { changes: { welcomeMessage } });
    const source = 'tests: [{name: Greeting, turns: [{say: Hello}], expect: [{contains: Aurora}]}]';
    const suite = { title: 'Desk', assistantId: _id, source };
    const { id: suiteId } = await host.create<{ id: string }>('/tests/v1/suites', suite);
    for (const assistantVersion of ['1', '2', '3']) {
      const asked = { suiteId, assistantVersion };
      const { id } = await host.create<{ id: string }>('/tests/v1/runs', asked);
      await expect
        .poll(async () => (await host.service.json<Run>(`/tests/v1/runs/${id}`)).status)
        .toBe('finished');
    }
    await using view = await host.open(`/assistants/${_id}/versions`);
    const { page } = view;
    await view.untilText('#versions tbody tr:nth-child(2)', '0 of 1');
    await page.click('#require-tests');
    await expect
      .poll(() => host.service.json(`${at}/${_id}/publish-gate`))
      .toEqual({ requireTests: true });
    await view.untilText('.chart-table', /Version 2\s*0\s*1/);
    await checkPage(view, { name: 'versions-gated' });
    await page.click('[aria-label="Publish version 2"]');
    await page.click('dialog .danger');
    await view.untilText('dialog [role=alert]', 'in “Desk” did not pass: “Greeting”');
    await checkPage(view, { name: 'version-refused' });
    await page.keyboard.press('Escape');
    await page.click('[aria-label="Publish version 3"]');
    await page.click('dialog .danger');
    await view.untilToast('Version 3 is published.');
    await page.goto(`${host.service.url}/console/#/assistants/${_id}`);
    await page.fill('#field-welcomeMessage', 'Four');
    await page.click('.save-bar .primary');
    await view.untilText('main', 'save the change as a draft');
  },
);
