import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { isLong, rowsOf } from '../support/effort.ts';
import { checkPage } from '../support/page-check.ts';
import { SCRIPTED_KEY, ScriptedService } from '../support/scripted-service.ts';

const SCRIPT = {
  welcome: { text: 'Hello, how can I help?', durationMs: 600 },
  turns: [
    { heard: 'Go forward ten meters.', answer: { text: 'I go, and go.', durationMs: 10_000 } },
    { heard: 'Go somewhere.', answer: { text: 'Where to?', durationMs: 400 } },
  ],
};

const title = chromiumPath
  ? 'the page in Chromium'
  : 'the page (skipped: no Chromium is installed)';

describe.skipIf(!chromiumPath)(title, () => {
  test.skipIf(isLong)(
    'holds a call: transcript, sound, barge-in, times, end; nothing leaves the origin',
    async () => {
      await using service = await ScriptedService.start(SCRIPT);
      await using view = await ConsolePage.open(service.url, {
        at: '/talk',
        says: [3000, 'go-forward-ten-meters.wav', 2500, 'go-somewhere-and-do-something.wav'],
      });
      const { page } = view;
      await view.signIn(SCRIPTED_KEY);
      await page.click('#call');
      await view.untilText('#status', 'In call');
      await view.untilText('.line.assistant .said', 'Hello, how can I help?');
      await view.untilLoudspeaker('audible');
      await view.untilLoudspeaker('silent');

      await view.untilText('.line.user .said', 'Go forward ten meters.');
      await view.untilText('#assistant-state', 'speaking');
      await view.untilLoudspeaker('audible');
      await view.untilText('#user-state', 'speaking');
      await view.untilLoudspeaker('silent');
      const session = service.sessions[0];
      await expect
        .poll(() => session?.events.find((event) => event.startsWith('cleared')))
        .toBeTruthy();
      const playedMs = Number(session?.events.find((e) => e.startsWith('cleared'))?.split(' ')[1]);
      // The welcome was 600 ms; of the answer some was heard, by far not all.
      expect(playedMs).toBeGreaterThan(600);
      expect(playedMs).toBeLessThan(6000);
      expect(session?.events).toContain('mark m1');

      await view.untilText('.line.assistant .said', 'Where to?');
      await expect.poll(() => page.locator('.turn').count()).toBeGreaterThanOrEqual(1);
      await page.click('#call');
      await view.untilText('#status', 'Call ended');
      expect(session?.ended).toBe('user-hung-up');
      await view.untilText('#call', 'Call');

      const { host } = new URL(service.url);
      expect(view.requests.filter((url) => new URL(url).host !== host)).toEqual([]);
      expect(view.requests.filter((url) => url.includes(SCRIPTED_KEY))).toEqual([]);
      expect(view.complaints).toEqual([]);
      expect(await view.layoutShift()).toBeLessThan(0.01);
    },
  );

  test.runIf(isLong)('is accessible and readable before, during and after a call', async () => {
    await using service = await ScriptedService.start(SCRIPT);
    await using view = await ConsolePage.open(service.url, {
      at: '/talk',
      says: [2500, 'go-forward-ten-meters.wav'],
    });
    await view.signIn(SCRIPTED_KEY);
    await view.untilText('#status', 'Ready to call');
    await checkPage(view, { name: 'talk-voice-idle' });
    await view.page.click('#call');
    await view.untilText('.line.user .said', 'Go forward ten meters.');
    await view.untilText('#assistant-state', 'speaking');
    await checkPage(view, { name: 'talk-voice-live' });
    await view.page.click('#call');
    await view.untilText('#status', 'Call ended');
    await checkPage(view, { name: 'talk-voice-ended' });
  });

  test.runIf(isLong)('resumes by itself when the connection breaks', async () => {
    await using service = await ScriptedService.start({
      ...SCRIPT,
      welcome: { text: 'Hello.', durationMs: 200 },
    });
    await using view = await ConsolePage.open(service.url, { at: '/talk' });
    await view.signIn(SCRIPTED_KEY);
    await view.page.click('#call');
    await view.untilText('#status', 'In call');
    for (const socket of service.app.websocketServer.clients) socket.terminate();
    // It comes back at once, so that "reconnecting" may be shown too shortly to be seen here.
    await expect.poll(() => service.sessions[0]?.events).toContain('resumed');
    await view.untilText('#status', 'In call');
    expect(service.sessions).toHaveLength(1);
  });

  test('is usable by keyboard alone', async () => {
    await using service = await ScriptedService.start(SCRIPT);
    await using view = await ConsolePage.open(service.url, { at: '/talk' });
    const { keyboard } = view.page;
    await keyboard.type(SCRIPTED_KEY);
    await keyboard.press('Enter');
    await view.page.waitForSelector('#call:focus');
    await keyboard.press('Enter');
    await view.untilText('#status', 'In call');
    await keyboard.press('m');
    await view.page.waitForSelector('#mute[aria-pressed="true"]');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Space');
    await view.page.waitForSelector('#mute[aria-pressed="false"]:focus');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await view.untilText('#status', 'Call ended');
    await keyboard.press('Shift+Tab');
    await view.page.waitForSelector('a:has-text("View call"):focus');
    await keyboard.press('Shift+Tab');
    await view.page.waitForSelector('#assistant:focus');
  });

  test('keeps the key in the browser and says when it is wrong', async () => {
    await using service = await ScriptedService.start(SCRIPT);
    await using view = await ConsolePage.open(service.url, { at: '/talk' });
    const { page } = view;
    await page.press('#key', 'Enter');
    await view.untilText('#sign-in-fault', 'Enter the key.');
    await page.fill('#key', 'not-the-key');
    await page.press('#key', 'Enter');
    await view.untilText('#sign-in-fault', 'This key is invalid.');
    await view.signIn(SCRIPTED_KEY);
    await page.reload();
    await page.waitForSelector('#workspace:not([hidden])');
    expect(page.url()).not.toContain(SCRIPTED_KEY);
    await page.click('#sign-out');
    await page.waitForSelector('#sign-in:not([hidden])');
    expect(await page.evaluate<unknown>("localStorage.getItem('parley.key')")).toBe(null);
  });

  test.runIf(isLong)('says what to do when the microphone is refused', async () => {
    await using service = await ScriptedService.start(SCRIPT);
    await using view = await ConsolePage.open(service.url, { at: '/talk', microphone: 'refused' });
    await view.signIn(SCRIPTED_KEY);
    await view.page.click('#call');
    await view.untilText('#notice[data-shown]', 'The microphone is blocked');
    await view.untilText('#status', 'Ready to call');
    expect(service.requests.some(({ url }) => url.endsWith('/connect'))).toBe(false);
  });

  test.each(
    rowsOf({
      usual: [[503, 'Draining', 'The service takes no calls now']],
      long: [
        [429, 'Too many calls at once', 'All lines are busy'],
        [401, 'Unauthorized', 'This key is invalid.'],
      ],
    }),
  )('says what a %i means', async (status, message, shown) => {
    await using service = await ScriptedService.start(SCRIPT);
    await using view = await ConsolePage.open(service.url, { at: '/talk' });
    await view.signIn(SCRIPTED_KEY);
    service.refuse = { path: '/calls/v1/conversations/connect', status, message };
    await view.page.click('#call');
    await view.untilText(status === 401 ? '#sign-in-fault' : '#notice[data-shown]', shown);
  });
});
