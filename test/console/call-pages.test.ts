import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call } from '../../src/contract/call.ts';
import { startBookingModel } from '../support/booking-model.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { isLong } from '../support/effort.ts';
import { eventually } from '../support/eventually.ts';
import { startLocalServer } from '../support/local-server.ts';
import { checkPage, expectQuiet } from '../support/page-check.ts';
import { dial } from '../support/service-call.ts';
import type { ServiceApi } from '../support/service-process.ts';
import { sharedService } from '../support/shared-service.ts';
import { startWebhookReceiver, taken } from '../support/webhook-receiver.ts';

const title = chromiumPath
  ? 'the pages of calls'
  : 'the pages of calls (skipped: no Chromium is installed)';
const CONVERSATIONS = '/calls/v1/conversations';
/** For what happens in real time, on a machine that may be busy. */
const SOON = { everyMs: 20 };
/** With the one who books more than fit on a page, where pages are turned. */
const VISITORS = isLong ? 26 : 2;

describe.skipIf(!chromiumPath)(title, () => {
  const open = new AsyncDisposableStack();
  let service: ServiceApi;
  let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
  let guideId: string;
  let bookingId: string;

  beforeAll(async () => {
    receiver = open.use(await startWebhookReceiver((response) => response.writeHead(503).end()));
    const model = open.use(await startBookingModel('book'));
    const tools = open.use(
      await startLocalServer((_, response) => response.end('{"reference":"B-2291"}')),
    );
    service = open.use(await sharedService());
    const [guide] = await service.json<{ _id: string }[]>('/assistants/v1/assistants');
    guideId = guide?._id ?? '';
    const tool = await service.json<{ _id: string }>('/assistants/v1/tools', {
      method: 'POST',
      body: {
        function: { name: 'book', parameters: { properties: { slot: { type: 'string' } } } },
        server: { url: tools.url },
      },
    });
    const booking = await service.json<{ _id: string }>('/assistants/v1/assistants', {
      method: 'POST',
      body: {
        name: 'Booking desk',
        welcomeMessage: 'When would you like to come?',
        assistantProvider: 'custom-llm',
        assistantLLMUrl: model.url,
        dtmfInputEnabled: true,
        assistantToolIds: [tool._id],
        assistantServer: { enabled: true, url: receiver.url, messages: ['status-update'] },
        assistantAnalysis: { summary: { enabled: true } },
      },
    });
    bookingId = booking._id;
    await book({ number: '+4930123456', name: 'Ada Lovelace' });
    // One after the other: a service that is out of breath takes no more calls.
    for (let i = 0; i < VISITORS; i++) await visit(i);
  });

  afterAll(() => open.disposeAsync());

  /** A caller who presses a key, and hangs up when it is booked. */
  async function book(customer: object): Promise<void> {
    const { caller, said } = await dial(service, { assistantId: bookingId, customer });
    await eventually(() => expect(said).toHaveLength(1), SOON);
    caller.dtmf('1');
    caller.dtmf('#');
    await eventually(() => expect(said.at(-1)).toContain('It is booked.'), SOON);
    caller.hangup();
    await caller.ended;
    caller.close();
  }

  /** A caller who hangs up at once. */
  async function visit(i: number): Promise<void> {
    const customer = { name: `Visitor ${i}`, number: `+49301${1000 + i}` };
    const { caller } = await dial(service, { assistantId: guideId, customer });
    caller.hangup();
    await caller.ended;
    caller.close();
  }

  async function show(at: string): Promise<ConsolePage> {
    const view = await ConsolePage.open(service.url, { at });
    await view.signIn(service.key);
    return view;
  }

  const named = (view: ConsolePage) => view.page.locator('#calls tbody th').allInnerTexts();

  async function findCall(search: string): Promise<Call> {
    const query = new URLSearchParams({ search });
    const { conversations } = await service.json<{ conversations: Call[] }>(
      `${CONVERSATIONS}?${query}`,
    );
    return conversations[0] as Call;
  }

  test.runIf(isLong)(
    'list calls page by page, search them, and keep the search in the address',
    async () => {
      await using view = await show('/calls');
      const { page } = view;
      await view.untilText('.pager', '1–25 of 27');
      await checkPage(view, { name: 'calls' });
      await page.click('.pager >> text=Next');
      await view.untilText('.pager', '26–27 of 27');
      expect(page.url()).toContain('page=2');

      await page.fill('#calls-search', 'would you like to come');
      await expect.poll(() => named(view)).toEqual([expect.stringContaining('Ada Lovelace')]);
      expect(page.url()).toMatch(/#\/calls\?search=would\+you\+like\+to\+come$/);
      await page.click('#calls tbody a');
      await view.untilText('h1', 'Ada Lovelace');
      await page.click('.page-back');
      await expect.poll(() => page.url()).toMatch(/#\/calls\?search=would\+you\+like\+to\+come$/);
      await expect.poll(() => named(view)).toEqual([expect.stringContaining('Ada Lovelace')]);

      await page.fill('#calls-search', '');
      await page.click('#filter-assistant');
      await page.click('[role=option] >> text=Booking desk');
      await expect.poll(() => named(view)).toHaveLength(1);
      await page.selectOption('#filter-channel', 'phone');
      await view.untilText('.empty-state', 'No calls match');
      await checkPage(view, { name: 'calls-none' });

      await using other = await show(new URL(page.url()).hash.slice(1));
      await other.untilText('.empty-state', 'No calls match');
      expect(await other.page.inputValue('#filter-assistant')).toBe('Booking desk');
      await other.page.click('text=Show all calls');
      await other.untilText('.pager', '1–25 of 27');
      expect(new URL(other.page.url()).hash).toBe('#/calls');
      expectQuiet(other);
    },
  );

  test.runIf(isLong)(
    'filter live calls, which appear and disappear without moving the page',
    async () => {
      await using view = await show('/calls?state=live');
      await view.untilText('.empty-state', 'No calls match');
      const call = await dial(service, {
        assistantId: guideId,
        customer: { name: 'Grace Hopper' },
      });
      await view.untilText('#calls th', 'Grace Hopper');
      await view.untilText('#calls .badge[data-live]', 'Live');
      const length = view.page.locator('#calls td[data-label=Length]');
      const before = await length.innerText();
      await expect.poll(() => length.innerText()).not.toBe(before);
      call.caller.hangup();
      await call.caller.ended;
      call.caller.close();
      await view.page.selectOption('#filter-state', '');
      await view.untilText('#calls tr:has-text("Grace Hopper") .badge', 'Caller hung up');
      expectQuiet(view);
    },
  );

  test('play a call: playback marks the words, and a click on words moves playback', async () => {
    const { id } = await findCall('Ada Lovelace');
    await using view = await show(`/calls/${id}`);
    const { page } = view;
    await view.untilText('.call-line[data-role=assistant]', 'When would you like to come?');
    await page.waitForSelector('#play:enabled');
    await checkPage(view, { name: 'call' });

    await page.click('#play');
    await view.untilText('.call-line[aria-current]', 'When would you like');
    await view.untilText('.call-word', /\w/);
    await page.click('#play');
    const booked = page.locator('.call-line', { hasText: 'It is booked.' });
    await booked.locator('p').click();
    await expect.poll(() => booked.getAttribute('aria-current')).toBe('true');
    const welcome = page.locator('.call-line', { hasText: 'When would you like' });
    await welcome.locator('button').press('Enter');
    await expect.poll(() => welcome.getAttribute('aria-current')).toBe('true');
    await booked.locator('p').click();
    await expect.poll(() => booked.getAttribute('aria-current')).toBe('true');
    const at = Number(await page.getAttribute('[role=slider]', 'aria-valuenow'));
    expect(at).toBeGreaterThan(0);

    await page.focus('[role=slider]');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.getAttribute('[role=slider]', 'aria-valuenow')).toBe('1');
    await page.keyboard.press('Space');
    await page.waitForSelector('#play[aria-label=Pause]');
    expect(view.requests.filter((url) => url.includes(service.key))).toEqual([]);
    expectQuiet(view);
  });

  test.runIf(isLong)('show what would have happened had a tool failed', async () => {
    const { id } = await findCall('Ada Lovelace');
    await using view = await show(`/calls/${id}?tab=what-if`);
    const { page } = view;
    await page.selectOption('#what-if-tool', 'book');
    await page.click('text=Replay');
    await view.untilText('.what-if', 'The same until');
    await view.untilText('.what-if-turn', 'book: error');
    // Beside the transcript there is no room for all in one line.
    await page.setViewportSize({ width: 1280, height: 800 });
    const cut = await page.locator('.call-columns .tab').evaluateAll((tabs) =>
      tabs
        .filter((tab) => {
          const list = tab.parentElement?.getBoundingClientRect();
          return tab.getBoundingClientRect().right > (list?.right ?? 0) + 1;
        })
        .map((tab) => tab.textContent),
    );
    expect(cut).toEqual([]);
    await page.selectOption('#what-if-version', { label: 'Version 1 (published)' });
    await page.click('text=Replay');
    await view.untilText('.what-if-turn', 'book: error');
    await checkPage(view, { name: 'call-what-if' });
    await page.fill('#what-if-patch', '{"idleTimeout": 1}');
    await page.click('text=Replay');
    await view.untilText('.what-if [role=alert]', 'Assistant.idleTimeout');
    // What a vendor's model costs is said before it is asked, and can be bounded.
    const vendor = { assistantProvider: 'openai', assistantModel: 'dear', assistantLLMUrl: null };
    await page.fill('#what-if-patch', JSON.stringify(vendor));
    await page.fill('#what-if-prompt', 'Be brief.');
    await page.check('#what-if-ask');
    await page.click('text=Replay');
    await view.untilText('.what-if .callout', 'Asks openai/dear some');
    expect(Number(await page.inputValue('#what-if-budget'))).toBeGreaterThan(0);
    await view.untilText('.what-if button[type=submit]', 'Ask the model');
    await checkPage(view, { name: 'call-what-if-estimate' });
    expectQuiet(view);
  });

  test.runIf(isLong)(
    'make a test of a call: its words and what its tool answered are there',
    async () => {
      const { id } = await findCall('Ada Lovelace');
      await using view = await show(`/calls/${id}`);
      const { page } = view;
      await page.click('text=Make this call a test');
      await view.untilText('h1', 'New tests');
      await page.waitForSelector('#tests-source');
      const source = await page.inputValue('#tests-source');
      expect(source).toContain(`fromCall: ${id}`);
      expect(source).toContain('book:');
      expect(source).toContain('B-2291');
      await checkPage(view, { name: 'call-as-tests' });
      await page.click('.save-bar .primary');
      await expect.poll(() => page.url()).toMatch(/#\/tests\/[\w-]{36}$/);
      await page.fill('#run-tokens', '10000');
      await page.click('#run-tests');
      await view.untilText('.page', /\d of 1 passed/);
      await view.untilText('#results details', 'Conversation');
      expectQuiet(view);
    },
  );

  test.runIf(isLong)('show the tools, latencies, analysis and webhooks of a call', async () => {
    const { id } = await findCall('Ada Lovelace');
    await using view = await show(`/calls/${id}`);
    const { page } = view;
    await view.untilText('.moment', 'Tool book');
    await view.untilText('.moment', 'Ended: Caller hung up');
    await page.click('.moments-groups >> text=Tools');
    await expect.poll(() => page.locator('.moment[data-group=tool]').count()).toBe(0);

    await page.click('[role=tab]:has-text("Tools (1)")');
    await view.untilText('.tool-use', '"slot": "ten"');
    await view.untilText('.tool-use', 'B-2291');
    await checkPage(view, { name: 'call-tools' });
    await page.click('[role=tab]:has-text("Latency")');
    await view.untilText('.call-turn-total', /\d m?s$/);
    await checkPage(view, { name: 'call-times' });
    await page.click('[role=tab]:has-text("Analysis")');
    await view.untilText('.analysis-summary', 'The caller booked a slot.');
    await checkPage(view, { name: 'call-analysis' });

    await page.reload();
    await view.untilText('.analysis-summary', 'The caller booked a slot.');
    await page.click('[role=tab]:has-text("Details")');
    await view.untilText('.facts', '+4930123456');
    await checkPage(view, { name: 'call-details' });
    const chosen = page.locator('[role=tab][aria-selected=true]');
    await chosen.press('Home');
    await expect.poll(() => chosen.innerText()).toBe('Events');
    await chosen.press('ArrowRight');
    await expect.poll(() => chosen.innerText()).toBe('Latency');
    await view.untilText('.call-turn-total', /\d m?s$/);
  });

  test.runIf(isLong)('say what the analysis found, and why a part of it is missing', async () => {
    const { id } = await findCall('Ada Lovelace');
    const shown = async (analysis: Call['analysis']) => {
      const view = await ConsolePage.open(service.url, { at: `/calls/${id}?tab=analysis` });
      await view.page.route(`**${CONVERSATIONS}/${id}`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), analysis } });
      });
      await view.signIn(service.key);
      return view;
    };
    await using whole = await shown({
      successEvaluation: 'Pass: a slot was booked',
      outcome: { slot: 'ten', guests: 2 },
      structuredData: { passed: true },
      steps: [
        { step: 'successEvaluation', state: 'done' },
        { step: 'summary', state: 'failed', reason: 'the model did not answer' },
        { step: 'structuredData', state: 'skipped' },
      ],
    });
    await whole.untilText('.badge[data-tone=good]', 'Pass: a slot was booked');
    await whole.untilText('.facts', /slot\s*ten\s*guests\s*2/);
    await whole.untilText('.code-block', '"passed": true');
    await whole.untilText('.callout[data-tone=bad]', 'Summary failed: the model did not answer.');
    await whole.untilText('.callout[data-tone=info]', 'Data was left out.');
    await checkPage(whole, { name: 'call-analysis-parts' });
    await using failed = await shown({ successEvaluation: 'false' });
    await failed.untilText('.badge[data-tone=bad]', 'false');
    await using open = await shown({ successEvaluation: 'In part' });
    await open.untilText('.badge[data-tone=info]', 'In part');
    await using none = await shown(undefined);
    await none.untilText('[role=tabpanel]', 'No analysis is switched on for this assistant');
  });

  test.runIf(isLong)('send a failed webhook again', async () => {
    const { id } = await findCall('Ada Lovelace');
    await using view = await show(`/calls/${id}?tab=deliveries`);
    const { page } = view;
    const first = page.locator('.delivery').first();
    await view.untilText('.delivery .badge', 'Pending');
    await page.locator('.delivery-toggle').first().click();
    await view.untilText('.attempts', 'answered 503');
    await checkPage(view, { name: 'call-deliveries' });
    receiver.answer = taken;
    await first.locator('button:has-text("Send again")').click();
    await view.untilToast('Sending again.');
    await expect.poll(() => first.locator('.badge').innerText()).toBe('Delivered');
    expectQuiet(view);
  });

  test('export a call: record, transcript, recording and journal', async () => {
    const { id } = await findCall('Ada Lovelace');
    await using view = await show(`/calls/${id}`);
    const { page } = view;
    const save = async (item: string) => {
      const download = page.waitForEvent('download');
      await page.click('[aria-label="Export the call"]');
      await page.click(`[role=menuitem]:has-text("${item}")`);
      const file = await download;
      return { name: file.suggestedFilename(), bytes: await buffer(await file.createReadStream()) };
    };
    await view.untilText('.call-line', 'It is booked.');
    const json = await save('Record');
    expect(json.name).toBe(`${id}.json`);
    expect(JSON.parse(json.bytes.toString())).toMatchObject({ id, assistantId: bookingId });
    expect((await save('Transcript')).bytes.toString()).toContain('assistant: When would you');
    expect((await save('Recording')).bytes.subarray(0, 4).toString()).toBe('RIFF');
    expect((await save('Event log')).bytes.toString()).toContain('"type":"call.created"');
    expectQuiet(view);
  });

  test.runIf(isLong)(
    'say above a call that failed why it did, in the words of the API',
    async () => {
      const send = <T>(method: string, path: string, body: object) =>
        service.json<T>(path, { method, body });
      const NUMBERS = '/assistants/v1/numbers';
      const { _id: phoneNumberId } = await send<{ _id: string }>('POST', `${NUMBERS}/emulator`, {
        number: '+4930555000',
      });
      await send('PUT', `${NUMBERS}/${phoneNumberId}`, { assistantId: guideId });
      const { id } = await send<Call>('POST', `${CONVERSATIONS}/connect`, {
        ...{ direction: 'outbound', phoneNumberId },
        // The built-in carrier cannot connect a number that ends like this.
        customer: { number: '+493012345603' },
      });
      const read = () => service.json<Call>(`${CONVERSATIONS}/${id}`);
      await eventually(async () => expect((await read()).status).toBe('finished'), SOON);
      const { failure } = await read();
      expect(failure?.message).toMatch(/^The carrier could not connect the call/);

      await using view = await show(`/calls/${id}`);
      const callout = view.page.locator('.callout[data-tone=bad]');
      await expect.poll(() => callout.innerText()).toBe(failure?.message);
      await view.untilText('.moment[data-group=fault]', failure?.message ?? 'no failure');
      await checkPage(view, { name: 'call-failed' });
      expectQuiet(view);
    },
  );

  test.runIf(isLong)('say that there is no such call', async () => {
    await using view = await show('/calls/WC-nobody');
    await view.untilText('.empty-state', 'Call not found');
    await checkPage(view, { name: 'call-missing' });
  });
});
