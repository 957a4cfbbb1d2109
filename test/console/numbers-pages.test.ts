import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EmulatedCarrier } from '../../src/carriers/emulator/emulated-carrier.ts';
import { startTwilioEmulator } from '../../src/carriers/emulator/twilio-side.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { CarrierCredentials } from '../../src/ports/carrier.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsoleService } from '../support/console-service.ts';
import { isLong } from '../support/effort.ts';
import { checkPage } from '../support/page-check.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

const title = chromiumPath
  ? 'the pages of numbers'
  : 'the pages of numbers (skipped: no Chromium is installed)';

interface NumberRow {
  readonly _id: string;
  readonly number: string;
  readonly label: string;
  readonly assistantId: string;
  readonly inboundEnabled: boolean;
}

describe.skipIf(!chromiumPath)(title, () => {
  let rig: ConsoleService;
  let service: ServiceProcess;
  let carrier: EmulatedCarrier;

  beforeAll(async () => {
    carrier = (await startTwilioEmulator('twilio', { clock: systemClock })) as EmulatedCarrier;
    const dir = await mkdtemp(join(tmpdir(), 'console-numbers-'));
    const own = await startTestService(dir, { TWILIO_BASE_URL: carrier.baseUrl });
    service = own;
    rig = new ConsoleService(own, async () => {
      await own.stop();
      await rm(dir, { recursive: true });
    });
  });

  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
    await carrier[Symbol.asyncDispose]();
  });

  const open = (at: string) => rig.open(at);
  const numbers = () => service.json<NumberRow[]>('/assistants/v1/numbers');
  const importTest = (number: string) =>
    service.json<NumberRow>('/assistants/v1/numbers/emulator', {
      method: 'POST',
      body: { number, label: 'Line' },
    });

  test('create a test number, give it to an assistant, and call someone from it', async () => {
    await using view = await open('/numbers');
    const { page } = view;
    await view.untilText('.empty-state', 'Connect a phone number');
    await checkPage(view, { name: 'numbers-empty' });
    await page.click('text=Create a test number');
    await view.untilText('#page-title', '+1555010');
    await view.untilText('.callout', 'until you choose an assistant');
    await view.untilText('#setup-verdict', 'Calls do not arrive: fix 1 problem.');
    await view.untilText('[data-check=assistant]', /^failed\s*An assistant answers/);
    await checkPage(view, { name: 'number-new' });
    await page.click('#number-assistant');
    await page.keyboard.type('speech');
    await page.waitForSelector('[role=option]:has-text("Speech guide")');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=Call this number');
    // The list follows what is changed above it.
    await view.untilText('#setup-verdict', 'No problem found. 1 step left.');
    await page.click('#number-inbound');
    await page.locator('text=Call this number').waitFor({ state: 'detached' });
    await expect.poll(numbers).toEqual([
      expect.objectContaining({
        label: 'Test',
        assistantId: expect.stringMatching(/./),
        inboundEnabled: false,
        outboundEnabled: true,
      }),
    ]);
    await checkPage(view, { name: 'number' });

    await page.click('text=Call someone');
    await page.fill('#callee-number', '0800 1234');
    await page.press('#callee-number', 'Enter');
    await view.untilText('dialog .field-fault', 'Begin with + and the country');
    await checkPage(view, { name: 'number-call' });
    await page.fill('#callee-number', '+1 (500) 555-7701');
    await page.press('#callee-number', 'Enter');
    await expect.poll(() => page.url()).toContain('#/calls/CC-');
    const { conversations } = await service.json<{ conversations: { userNumber: string }[] }>(
      '/calls/v1/conversations',
    );
    expect(conversations.map(({ userNumber }) => userNumber)).toEqual(['+15005557701']);
  });

  test.runIf(isLong)('lead to a phone in this browser that calls them', async () => {
    const [assistant] = await service.json<{ _id: string }[]>('/assistants/v1/assistants');
    for (const number of ['+15005559701', '+15005559702']) {
      const { _id: id } = await importTest(number);
      const path = `/assistants/v1/numbers/${id}`;
      await service.json(path, { method: 'PUT', body: { assistantId: assistant?._id } });
    }
    await using view = await open('/numbers');
    const { page } = view;
    await page.click('#numbers a:has-text("+15005559701")');
    await page.click('text=Call this number');
    await view.untilText('#page-title', 'Talk');
    await expect
      .poll(() => page.locator('select:visible option:checked').allInnerTexts())
      .toContainEqual(expect.stringContaining('+15005559701'));
  });

  test.runIf(isLong)(
    'import a number, with errors at their fields and no secret shown or in an address',
    async () => {
      await using view = await open('/numbers');
      const { page } = view;
      await page.click('text=Import a number');
      await page.fill('#number-number', '+14155550123');
      await page.click('dialog [type=submit]');
      await view.untilText('dialog .callout', 'There are no credentials for twilio');
      await page.click('#number-own');
      await page.click('dialog [type=submit]');
      await page.waitForSelector('#number-accountSid[aria-invalid=true]:focus');
      expect(await page.getAttribute('#number-authToken', 'type')).toBe('password');
      view.complaints.splice(0);
      await checkPage(view, { name: 'number-import' });
      const { accountSid, authToken } = carrier.credentials as CarrierCredentials['twilio'];
      carrier.addNumber('+14155550123', { voiceUrl: '', smsUrl: '' });
      await page.fill('#number-accountSid', accountSid);
      await page.fill('#number-authToken', authToken);
      await page.click('dialog [type=submit]');
      await view.untilText('#page-title', '+14155550123');
      await view.untilText('[data-check=credentials]', /^ok/);
      await view.untilText('[data-check=number]', /^ok/);
      await view.untilText('[data-check=address]', 'Start the service with PUBLIC_URL');
      await view.untilText('[data-check=webhook]', /^to do/);
      await page.click('#set-webhooks');
      await view.untilText('.callout', 'The service has no public address');
      expect(view.complaints.splice(0)).toEqual([expect.stringContaining('409')]);
      expect(await page.content()).not.toContain(authToken);
      expect(
        view.requests.filter((url) => url.includes(authToken) || url.includes(accountSid)),
      ).toEqual([]);
      await checkPage(view, { name: 'number-twilio' });

      await page.click('[aria-label="Actions for +14155550123"]');
      await page.click('[role=menuitem]:has-text("Delete")');
      await view.untilText('dialog', 'continues to charge');
      await checkPage(view, { name: 'number-delete' });
      await page.click('dialog .danger');
      await view.untilText('#page-title', 'Numbers');
      expect((await numbers()).map(({ number }) => number)).not.toContain('+14155550123');
    },
  );

  test.runIf(isLong)('search numbers and buy one after confirmation', async () => {
    await using view = await open('/numbers');
    const { page } = view;
    await page.click('text=Buy a number');
    await page.fill('#buy-area', 'x');
    await page.press('#buy-area', 'Enter');
    await page.waitForSelector('#buy-area[aria-invalid=true]');
    view.complaints.splice(0);
    await page.fill('#buy-area', '');
    await page.click('#buy-search');
    const first = page.locator('#offers li >> nth=0');
    const number = await first.locator('strong').innerText();
    await checkPage(view, { name: 'number-buy' });
    await first.locator('button').click();
    await view.untilText('dialog.narrow', 'cost nothing');
    expect((await numbers()).map((it) => it.number)).not.toContain(number);
    await page.click('dialog.narrow >> text=Buy >> nth=-1');
    await view.untilText('#page-title', number);
    expect((await numbers()).map((it) => it.number)).toContain(number);

    await page.click(`[aria-label="Actions for ${number}"]`);
    await page.click('[role=menuitem]:has-text("Delete")');
    await page.click('#number-release');
    await page.click('dialog .danger');
    await view.untilToast('is released');
    expect((await numbers()).map((it) => it.number)).not.toContain(number);
  });

  test.runIf(isLong)('are found by the search', async () => {
    for (let last = 10; last < 18; last++) await importTest(`+150055588${last}`);
    await using view = await open('/numbers');
    const { page } = view;
    await page.fill('#numbers-search', '8815');
    await expect.poll(() => page.locator('#numbers tbody tr').count()).toBe(1);
    await page.fill('#numbers-search', 'nothing like it');
    await view.untilText('.empty-state', 'Nothing matches');
    await page.fill('#numbers-search', '');
    await checkPage(view, { name: 'numbers' });
  });
});
