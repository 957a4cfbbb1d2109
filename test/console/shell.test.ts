import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { isLong } from '../support/effort.ts';
import { checkPage } from '../support/page-check.ts';
import { heightsInLines } from '../support/page-functions.js';
import { sharedService } from '../support/shared-service.ts';

const title = chromiumPath ? 'the shell' : 'the shell (skipped: no Chromium is installed)';
const NARROW = { width: 400, height: 800 };

describe.skipIf(!chromiumPath)(title, () => {
  let service: Awaited<ReturnType<typeof sharedService>>;

  beforeAll(async () => {
    service = await sharedService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test('the sign-in page is accessible and readable', async () => {
    await using view = await ConsolePage.open(service.url);
    await checkPage(view, { name: 'sign-in' });
  });

  test('each link opens its page, with a title that takes the focus, and nothing jumps', async () => {
    await using view = await ConsolePage.open(service.url);
    const { page } = view;
    await view.signIn(service.key);
    await view.untilText('h1', 'Overview');
    for (const name of [
      'Calls',
      'Numbers',
      'Assistants',
      'Knowledge bases',
      'Tools',
      'People',
      'API keys',
      'Talk',
    ]) {
      await page.click(`nav a:has-text("${name}")`);
      // Where one came to call, the button to call with takes it over as soon as there is somebody to be called.
      await page.waitForSelector(name === 'Talk' ? '#call:focus' : 'h1:focus');
      expect(await page.title()).toBe(`${name} · Parley`);
      expect(await page.innerText('[aria-current=page]')).toBe(name);
    }
    await page.goBack();
    await view.untilText('h1:focus', 'API keys');
    await page.evaluate("location.hash = '#/nowhere'");
    await view.untilText('h1:focus', 'Page not found');
    await checkPage(view, { name: 'not-found' });
  });

  test.runIf(isLong)(
    'on a phone the navigation is behind a button; Escape or opening a page closes it',
    async () => {
      await using view = await ConsolePage.open(service.url, { viewport: NARROW });
      const { page } = view;
      await view.signIn(service.key);
      await view.untilText('h1', 'Overview');
      expect(await page.isVisible('nav')).toBe(false);
      await page.click('[aria-label=Menu]');
      await page.waitForSelector('[aria-label=Menu][aria-expanded=true]');
      // What lies beneath cannot be reached meanwhile.
      await page.waitForSelector('main[inert]');
      await page.keyboard.press('Escape');
      await page.waitForSelector('[aria-label=Menu][aria-expanded=false]:focus');
      await page.click('[aria-label=Menu]');
      await page.click('nav a:has-text("Tools")');
      await view.untilText('h1:focus', 'Tools');
      expect(await page.isVisible('nav')).toBe(false);
    },
  );

  test.runIf(isLong)('the theme goes from the system’s to light, to dark, and stays', async () => {
    await using view = await ConsolePage.open(service.url, { at: '/api-keys' });
    const { page } = view;
    await view.signIn(service.key);
    const paper = (): Promise<string> =>
      page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paper')");
    const light = await paper();
    await page.click('text=Theme: system');
    await page.click('text=Theme: light');
    await page.waitForSelector('text=Theme: dark');
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.waitForSelector('text=Theme: dark');
    expect(await paper()).toBe(dark);
  });

  test('leaving unsaved changes asks first, by a link and by going back', async () => {
    await using view = await ConsolePage.open(service.url);
    const { page } = view;
    await view.signIn(service.key);
    await page.click('nav a:has-text("Assistants")');
    await view.untilText('h1:focus', 'Assistants');
    await page.evaluate("location.hash = '#/assistants/new'");
    await view.untilText('h1', 'New assistant');
    // A field is as tall as it is meant to be, empty as it is.
    const heights = await page.locator('textarea').evaluateAll(heightsInLines);
    expect(heights).toEqual([2, 12]);
    await page.getByLabel('Name', { exact: true }).fill('Reception');
    await page.click('nav a:has-text("Tools")');
    await view.untilText('dialog', 'Leave without saving?');
    await checkPage(view, { name: 'unsaved' });
    await page.click('dialog >> text=Stay');
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Reception');
    await page.goBack();
    await view.untilText('dialog', 'Leave without saving?');
    expect(page.url()).toContain('#/assistants/new');
    await page.click('dialog .danger');
    await view.untilText('h1', /^Assistants$/);
    // Nothing holds back whoever left.
    await page.click('nav a:has-text("Tools")');
    await view.untilText('h1', 'Tools');
  });

  test.runIf(isLong)(
    'a key serves all tabs of a browser, until one of them signs out',
    async () => {
      await using view = await ConsolePage.open(service.url);
      await view.signIn(service.key);
      const other = await view.page.context().newPage();
      await other.goto(`${service.url}/console/#/tools`);
      await other.waitForSelector('h1:has-text("Tools")');
      await other.click('#sign-out');
      await view.page.waitForSelector('#sign-in:not([hidden])');
    },
  );
});
