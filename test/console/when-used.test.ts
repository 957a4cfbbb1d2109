import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistantConfigSchema } from '../../src/contract/assistant.ts';
import { createAssistant } from '../../src/store/assistants.ts';
import { createTeam } from '../../src/store/teams.ts';
import { vendors } from '../contract/vendors.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { type ConsoleApi, startConsoleApi } from '../support/console-api.ts';
import { ConsolePage } from '../support/console-page.ts';
import { isLong, rowsOf } from '../support/effort.ts';
import { isCounted } from '../support/page-coverage.ts';
import { type TestDatabase, testDatabase } from '../support/postgres.ts';

const title = chromiumPath
  ? 'a widget whose code comes when it is used'
  : 'a widget whose code comes when it is used (skipped: no Chromium is installed)';

describe.skipIf(!chromiumPath || isCounted)(title, { timeout: 120_000 }, () => {
  let database: TestDatabase;
  let api: ConsoleApi;
  let key: string;
  beforeAll(async () => {
    database = await testDatabase('embedded');
    api = await startConsoleApi(database.db);
    const { id: teamId } = await createTeam(database.db, { name: 'Ada' });
    key = (await api.client(teamId)).key;
    for (const name of ['Reception', 'Bookings'])
      await createAssistant(database.db, {
        teamId,
        config: assistantConfigSchema(vendors).parse({ name }),
      });
  }, 120_000);
  afterAll(async () => {
    await api.close();
    await database.close();
  });

  /** A page on which that code is held back until `come` is called. */
  async function openHeld(at: string, code: string) {
    const view = await ConsolePage.open(api.url, { at });
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<'continue' | 'abort'>();
    await view.page.route(`**/${code}-*.js`, async (route) => {
      asked.resolve();
      await route[await held.promise]();
    });
    await view.signIn(key);
    return { view, page: view.page, asked: asked.promise, come: held.resolve };
  }

  test('what was typed before it came is in the field, and the list shows what was found', async () => {
    const { view, page, asked, come } = await openHeld('/calls', 'combobox-machine');
    await using _closed = view;
    await page.click('#filter-assistant');
    await page.keyboard.type('book');
    await asked;
    expect(await page.inputValue('#filter-assistant')).toBe('book');
    expect(await page.locator('[role=option]').count()).toBe(0);
    come('continue');
    await expect.poll(() => page.locator('[role=option]').allInnerTexts()).toEqual(['Bookings']);
    await page.keyboard.type('ings');
    expect(await page.inputValue('#filter-assistant')).toBe('bookings');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.inputValue('#filter-assistant')).toBe('Bookings');
  });

  test.runIf(isLong)('a field that was left meanwhile does not take the focus back', async () => {
    const { view, page, asked, come } = await openHeld('/calls', 'combobox-machine');
    await using _closed = view;
    await page.click('#filter-assistant');
    await page.keyboard.type('book');
    await asked;
    await page.focus('#calls-search');
    come('continue');
    await page.waitForSelector('#filter-assistant[data-scope=combobox]');
    await page.waitForSelector('#calls-search:focus');
    expect(await page.inputValue('#filter-assistant')).toBe('');
  });

  test.each(rowsOf({ usual: ['Enter'], long: ['ArrowDown', 'click'] }))(
    'a menu opens by %s as soon as it comes',
    async (by) => {
      const { view, page, asked, come } = await openHeld('/assistants', 'menu-machine');
      await using _closed = view;
      const button = page.locator('[aria-label="Actions for “Reception”"]');
      if (by === 'click') await button.click();
      else await button.press(by);
      await asked;
      await expect.poll(() => button.getAttribute('aria-busy')).toBe('true');
      come('continue');
      await page.waitForSelector('[role=menu]');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('[role=menu]').count()).toBe(0);
      await page.waitForSelector('[aria-label="Actions for “Reception”"]:focus');
    },
  );

  test.runIf(isLong)('it says so if the code does not come', async () => {
    const { view, page, come } = await openHeld('/assistants', 'menu-machine');
    await using _closed = view;
    come('abort');
    await page.click('[aria-label="Actions for “Reception”"]');
    await page.waitForSelector('[data-tone=bad]:has-text("does not answer")');
  });
});
