import { afterAll, beforeAll, expect, test } from 'vitest';
import { newCallId } from '../../src/lib/ids.ts';
import type { ServiceFigures } from '../../src/ports/service-health.ts';
import { createApiKey } from '../../src/store/api-keys.ts';
import { createCall, updateCall } from '../../src/store/calls.ts';
import { createNumber } from '../../src/store/numbers.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { type ConsoleApi, startConsoleApi } from '../support/console-api.ts';
import { ConsolePage } from '../support/console-page.ts';
import { isLong } from '../support/effort.ts';
import { checkPage } from '../support/page-check.ts';
import { withDatabase } from '../support/postgres.ts';

const none: ServiceFigures = {
  ...{ processes: 1, silent: 0, own: 1, wanted: 1, jobs: [] },
  ...{ isDiskFull: false, freeBytes: 9 * 1024 ** 3, unwrittenAudit: 0 },
};

withDatabase('the page of health', ({ db, newTeam }) => {
  let api: ConsoleApi;
  let service = none;
  const tested: string[] = [];
  beforeAll(async () => {
    api = await startConsoleApi(db(), {
      serviceFigures: async () => service,
      hasAccount: (vendor) => vendor === 'deepgram',
      vendorProblems: ({ assistantProvider: vendor }) =>
        vendor === 'openai'
          ? [
              {
                ...{ path: 'assistantProvider', vendor, code: 'no_key', blocks: true },
                message: 'openai needs a key: set one on the Vendors page',
              },
            ]
          : [],
      vendorTrials: {
        refresh: async () => {},
        parts: () => [{ part: 'recogniser', name: 'deepgram', account: 'deepgram', ready: true }],
        async test({ vendor }) {
          tested.push(vendor);
          return [{ part: 'recogniser', name: vendor, ok: true, firstMs: 210, note: 'heard it' }];
        },
        models: async () => undefined,
        voices: async () => undefined,
        speak: async () => undefined,
      },
    });
  });
  afterAll(() => api.close());

  test.skipIf(!chromiumPath)(
    'says what is wrong and where to mend it, tests with a press, and follows without a reload',
    { timeout: 120_000 },
    async () => {
      const teamId = await newTeam();
      const client = await api.client(teamId);
      const speech = { stt: { vendor: 'deepgram' } };
      const assistant = { name: 'A', assistantProvider: 'openai', config: { speech } };
      const { body: made } = await client.post('/assistants/v1/assistants', assistant);
      await createNumber(db(), { teamId, number: '+15005550177', provider: 'twilio', label: '' });
      const call = await createCall(db(), {
        ...{ id: newCallId('web'), teamId, callType: 'web', direction: 'inbound' },
        ...{ startAt: new Date(Date.now() - 60_000), snapshot: {} as never },
      });
      await updateCall(db(), {
        ...{ teamId, id: call.id },
        change: { status: 'finished', endAt: new Date(), endReason: 'voice-failed' },
      });
      await using view = await ConsolePage.open(api.url, { at: '/' });
      const { page } = view;
      await page.clock.install();
      await view.signIn(client.key);
      await page.click('nav a:has-text("Health")');
      await view.untilText('#health-verdict', /\d problems now/);
      await view.untilText('main', 'openai needs a key: set one on the Vendors page.');
      await view.untilText('main', 'voice-failed');
      await view.untilText('main', 'twilio cannot reach the service');
      expect(tested).toEqual([]);
      await checkPage(view, { name: 'health-faults' });

      const links = await page
        .locator('.health-problem a')
        .evaluateAll((all) => all.map((a) => a.getAttribute('href')));
      expect(links).toContain('#/vendors');
      expect(links).toContain(`#/assistants/${made._id}?part=model`);
      expect(links).toContain(`#/calls/${call.id}`);

      await page.focus('button:has-text("Test Deepgram")');
      await page.keyboard.press('Enter');
      await view.untilText('.vendor-tests', /works\s*Deepgram, speech-to-text: 210 ms/);
      expect(tested).toEqual(['deepgram']);

      await page.focus('button:has-text("Check +15005550177")');
      await page.keyboard.press('Enter');
      await view.untilText('#checked-number [data-check=inbound]', /^ok/);
      await view.untilText('#checked-number [data-check=assistant]', 'Choose an assistant');
      await checkPage(view, { name: 'health-number' });

      const idle = { waiting: 0, active: 0, failed: 0, dueSeconds: 0 };
      service = { ...none, jobs: [{ ...idle, kind: 'train', failed: 1 }] };
      await page.clock.fastForward(11_000);
      await view.untilText('main', '1 job “train” failed for good in the last day.');
      await view.untilText('[aria-labelledby=health-jobs] .badge', 'attention');
      service = none;
    },
  );

  test.runIf(isLong && chromiumPath)('of a team with nothing wrong is one sentence', async () => {
    const client = await api.client(await newTeam());
    await using view = await ConsolePage.open(api.url, { at: '/health' });
    await view.signIn(client.key);
    await view.untilText('#health-verdict', 'Everything works.');
    await checkPage(view, { name: 'health' });
  });

  test.runIf(isLong && chromiumPath)('is not for those who may change nothing', async () => {
    const teamId = await newTeam();
    const { key } = await createApiKey(db(), { teamId, name: 'Viewer', role: 'viewer' });
    await using view = await ConsolePage.open(api.url, { at: '/' });
    await view.signIn(key);
    await view.untilText('nav', 'Assistants');
    expect(await view.page.locator('nav a:has-text("Health")').count()).toBe(0);
  });
});
