import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { checkPage } from '../support/page-check.ts';
import { readRecording } from '../support/recordings.ts';
import { dial } from '../support/service-call.ts';
import { sharedService } from '../support/shared-service.ts';

const title = chromiumPath
  ? 'the page of a live call'
  : 'the page of a live call (skipped: no Chromium is installed)';
/** Takes half a minute to say: a page that is late still sees the caller break in. */
const LONG = [
  'A colleague is listening, and would like to tell you that the museum is open until six today.',
  'There is a new exhibition on the second floor, which shows letters that were written to the president.',
  'In the garden you find a small restaurant, where they serve soup, bread and the cake of the day.',
  'Children below twelve years pay nothing, and for everybody else a ticket costs nine dollars.',
  'And the guided tour begins at four.',
].join(' ');

describe.skipIf(!chromiumPath)(title, () => {
  test('grows with the call, listens in, controls it, and becomes the page of the finished call', {
    timeout: 180_000,
  }, async () => {
    await using service = await sharedService();
    const [guide] = await service.json<{ _id: string }[]>('/assistants/v1/assistants');
    await using view = await ConsolePage.open(service.url, { at: '/calls?state=live' });
    const { page } = view;
    await view.signIn(service.key);
    const customer = { name: 'Grace Hopper', number: '+12125550100' };
    const call = await dial(service, { assistantId: guide?._id, customer });
    await page.click('#calls tr:has-text("Grace Hopper") a');
    await view.untilText('.call-line[data-role=assistant]', 'Hello, I am the speech guide.');
    await view.untilText('.call-lead .badge', 'Live');
    await page.click('#listen');
    await view.untilLoudspeaker('audible');

    // What it says is heard, and where the caller broke in, what was not is shown as such.
    await view.untilText('.call-line[data-role=assistant]', 'inaugural address.');
    await page.fill('#supervise-text', LONG);
    await page.click('text=Say to caller');
    await view.untilToast('Queued');
    await view.untilText('.call-line[data-role=assistant]', 'A colleague is listening');
    await call.caller.say(readRecording('what-your-country-can-do.wav', 16_000)).spoken;
    await view.untilText('.call-line-unheard', 'the guided tour begins at four.');
    await view.untilText('.call-line[data-role=user]', /your country/);
    expect(await view.layoutShift()).toBeLessThan(0.1);
    await checkPage(view, { name: 'call-live' });

    await page.click('text=Say to caller');
    await view.untilText('#supervise-text-fault', 'Enter a message.');
    await page.fill('#supervise-text', 'The caller is a member.');
    await page.click('text=Whisper to assistant');
    await view.untilText('.moment', 'Control: whisper to assistant');
    await page.click('text=Mute assistant');
    await page.waitForSelector('[aria-pressed=true]:has-text("Unmute assistant")');
    await page.click('text=Unmute assistant');
    await page.waitForSelector('[aria-pressed=false]:has-text("Mute assistant")');

    await page.click('text=Transfer …');
    await page.fill('#transfer-number', '12');
    await page.click('dialog .danger');
    await view.untilText('dialog [role=alert]', 'Enter the full number');
    await checkPage(view, { name: 'call-live-transfer' });
    await page.keyboard.press('Escape');

    await page.click('text=End the call …');
    await page.waitForSelector('dialog #farewell:focus');
    await page.click('dialog .danger');
    await call.caller.ended;
    await view.untilText('.call-lead .badge', 'Ended by a supervisor or the API');
    await page.waitForSelector('#play:enabled');
    await view.untilText('.call-line-unheard', 'the guided tour begins at four.');
    await view.untilText('.moment', 'Ended: Ended by a supervisor or the API');
    call.caller.close();
    const key = (url: string) => url.includes(service.key);
    expect(view.requests.filter(key)).toEqual([]);
  });
});
