import type { WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { checkPage, expectQuiet } from '../support/page-check.ts';
import { sharedService } from '../support/shared-service.ts';

const title = chromiumPath
  ? 'the telephone of the page, to the whole service'
  : 'the telephone of the page (skipped: no Chromium is installed)';

describe.skipIf(!chromiumPath)(title, () => {
  let service: Awaited<ReturnType<typeof sharedService>>;

  beforeAll(async () => {
    service = await sharedService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test('on a phone: a number is created, called, and calls back; keys and texts', async () => {
    await using view = await ConsolePage.open(service.url, { at: '/talk?mode=phone' });
    const { page } = view;
    await view.signIn(service.key);
    await page.click('text=Get one for');
    await view.untilText('#phone-number', /\+1555010\d{4}/);
    await checkPage(view, { name: 'talk-phone-off' });
    await page.click('text=Switch on');
    await view.untilText('#status', /On, as \+1500555\d+/);
    await page.click('.controls .primary:has-text("Call")');
    await view.untilText('#status', 'In call');
    await view.untilText('.line.assistant .said', /^Hello, I am the speech guide/);
    await view.untilLoudspeaker('audible');
    await page.click('.keypad-key:has-text("1")');
    await checkPage(view, { name: 'talk-phone-live' });
    await page.click('nav a:has-text("Overview")');
    await view.untilText('dialog', 'Hang up and leave?');
    await page.click('dialog >> text=Stay');
    await view.untilText('#status', 'In call');
    // Another way to call would end this one, too.
    await expect.poll(() => page.locator('input[name=mode]:disabled').count()).toBe(3);
    await page.click('.controls button:has-text("Hang up")');
    await view.untilText('#status', 'Call ended');

    await page.click('text=Call me');
    await view.untilText('#status', 'is calling');
    await view.untilLoudspeaker('audible');
    await page.click('.controls button:has-text("Answer")');
    await view.untilText('#status', 'In call');
    await view.untilText('.line.assistant .said', /^Hello/);
    await page.click('.controls button:has-text("Hang up")');
    await view.untilText('#status', 'Call ended');
    await page.fill('#composer', 'Are you there?');
    await page.press('#composer', 'Enter');
    await view.untilText('.phone-texts li.user', 'Are you there?');
    await page.click('text=Switch off');
    await view.untilText('#status', 'The telephone is off');
    expectQuiet(view);
  });

  test('a call whose connection breaks goes on when the telephone has come back', async () => {
    await using view = await ConsolePage.open(service.url, { at: '/talk?mode=phone' });
    const { page } = view;
    const sockets: WebSocketRoute[] = [];
    await page.routeWebSocket(/\/media\/handset\//, (socket) => {
      sockets.push(socket);
      socket.connectToServer();
    });
    await view.signIn(service.key);
    await page.click('text=Switch on');
    await view.untilText('#status', /On, as/);
    await page.click('.controls .primary:has-text("Call")');
    await view.untilText('#status', 'In call');
    // Not as somebody who switches a telephone off.
    await sockets[0]?.close({ code: 3001 });
    await expect.poll(() => sockets.length).toBe(2);
    await view.untilText('#status', 'In call');
    await view.untilText('.line.assistant .said', /./);
    await page.click('.controls button:has-text("Hang up")');
    await view.untilText('#status', 'Call ended');
  });
});
