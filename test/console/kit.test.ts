import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { isLong } from '../support/effort.ts';
import { serveKit } from '../support/kit-server.ts';
import { checkPage } from '../support/page-check.ts';

const title = chromiumPath ? 'the kit' : 'the kit (skipped: no Chromium is installed)';

describe.skipIf(!chromiumPath)(title, () => {
  test('is accessible and readable, in both themes, wide and narrow', async () => {
    await using kit = await serveKit();
    await using view = await ConsolePage.open(kit.url);
    await checkPage(view, { name: 'kit', alwaysLoads: true });
  });

  test('a transcript names what was taken out of it, also while it is played', async () => {
    await using kit = await serveKit();
    await using view = await ConsolePage.open(kit.url);
    const line = view.page.locator('.call-line-text');
    await expect.poll(() => line.innerText()).toContain('Is it card number for name at');
    expect(await line.innerText()).not.toMatch(/[[\]]/);
    expect(await line.locator('mark').innerText()).toBe('name');
    expect(await line.locator('.call-redacted').count()).toBe(4);
  });

  test('a combobox finds by typing, chooses by keyboard, and keeps free text where that is allowed', async () => {
    await using kit = await serveKit();
    await using view = await ConsolePage.open(kit.url);
    const { page } = view;
    await page.click('#voice-field');
    await page.keyboard.type('dor');
    await expect
      .poll(() => page.locator('[role=option]').allInnerTexts())
      .toEqual([expect.stringContaining('Dora')]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.innerText('#voice')).toBe('dora');
    expect(await page.inputValue('#voice-field')).toBe('Dora');
    await page.click('#model-field');
    await page.keyboard.type('gpt-9');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.innerText('#model')).toBe('gpt-9');
    expect(await page.inputValue('#model-field')).toBe('gpt-9');
    await page.click('#voice-field');
    await checkPage(view, { name: 'kit-combobox', alwaysLoads: true });
  });

  test.runIf(isLong)('tabs and menus work by keyboard alone', async () => {
    await using kit = await serveKit();
    await using view = await ConsolePage.open(kit.url);
    const { page } = view;
    await page.focus('[role=tab]');
    await page.keyboard.press('ArrowRight');
    await view.untilText('[role=tabpanel]:not([hidden])', 'The second.');
    await page.focus('[aria-label="Actions for all"]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=menu]');
    await checkPage(view, { name: 'kit-menu', alwaysLoads: true });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.innerText('#chosen')).toMatch(/copy|gone/);
    await page.waitForSelector('[aria-label="Actions for all"]:focus');
  });

  test.runIf(isLong)('a dialog takes the focus, keeps it, and gives it back', async () => {
    await using kit = await serveKit();
    await using view = await ConsolePage.open(kit.url);
    const { page } = view;
    await page.click('.button:has-text("New")');
    await page.waitForSelector('dialog :focus');
    for (let press = 0; press < 8; press++) {
      await page.keyboard.press('Tab');
      const outside = await page.locator('main > :focus, main > div:not(dialog) :focus').count();
      expect(outside).toBe(0);
    }
    await checkPage(view, { name: 'kit-dialog', alwaysLoads: true });
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.waitForSelector('.button.primary:has-text("New"):focus');
    await page.click('.button:has-text("Save")');
    await view.untilText('[role=status] .toast', 'Saved.');
    await page.click('.toast [aria-label=Close]');
    await page.locator('.toast').waitFor({ state: 'detached' });
  });
});
