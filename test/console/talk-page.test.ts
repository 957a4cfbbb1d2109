import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { isLong } from '../support/effort.ts';
import { checkPage } from '../support/page-check.ts';
import { sharedService } from '../support/shared-service.ts';

const title = chromiumPath
  ? 'talking from the page, to the whole service'
  : 'talking from the page (skipped: no Chromium is installed)';

describe.skipIf(!chromiumPath)(title, () => {
  let service: Awaited<ReturnType<typeof sharedService>>;

  beforeAll(async () => {
    service = await sharedService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test.runIf(isLong)(
    'in text: no microphone is opened, typed text takes the floor, an operator controls the call',
    async () => {
      await using view = await ConsolePage.open(service.url, {
        at: '/talk?mode=text',
        microphone: 'refused',
      });
      const { page } = view;
      await view.signIn(service.key);
      await page.waitForSelector('#composer:not([disabled])');
      await checkPage(view, { name: 'talk-text-idle' });
      await page.fill('#composer', 'What your country can do for you?');
      await page.press('#composer', 'Enter');
      await view.untilText('.line.user .said', 'What your country can do for you?');
      await view.untilText('.line.assistant .said', /^That is the wrong/);
      await view.untilLoudspeaker('audible');
      await page.click('#sound');
      await view.untilLoudspeaker('silent');
      await page.fill('#composer', 'Ask what you can do for your country.');
      await page.press('#composer', 'Enter');
      await view.untilText('.line.assistant.cut .said', /^That is the wrong/);
      await view.untilText('.line.assistant .said', /^That is the most famous line/);
      await view.untilText('.line.assistant.cut .unheard', /\w+/);
      await view.untilText('.turn-parts', /(Model|Voice|Playout) \d+/);

      await page.click('[aria-label=Keypad]');
      await page.waitForSelector('.keypad-key:not([disabled])');
      await page.click('.keypad-key:has-text("5")');
      await view.untilText('.keypad-note', 'ignores keys');
      await checkPage(view, { name: 'talk-text-live' });

      await page.click('[aria-label="Supervise the call"]');
      await page.click('[role=menuitem]:has-text("Say")');
      await page.fill('dialog textarea', 'A word from the side.');
      await page.click('dialog .primary');
      await view.untilToast('Queued: spoken at the next pause.');
      await view.untilText('.line.assistant .said', 'A word from the side.');
      await page.click('[aria-label="Supervise the call"]');
      await page.click('[role=menuitem]:has-text("Transfer")');
      await page.fill('dialog input', 'nobody');
      await page.click('dialog .primary');
      await view.untilText('dialog .field-fault', 'E.164');
      await checkPage(view, { name: 'talk-transfer' });
      await page.keyboard.press('Escape');

      await page.click('nav a:has-text("Overview")');
      await view.untilText('dialog', 'Hang up and leave?');
      await checkPage(view, { name: 'talk-leave' });
      await page.click('dialog >> text=Stay');
      await view.untilText('#status', 'In call');

      await page.click('#call');
      await view.untilText('#status', 'Call ended');
      await page.click('text=View call');
      await expect.poll(() => page.url()).toMatch(/#\/calls\/WC-/);
    },
  );
});
