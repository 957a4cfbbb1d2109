import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsoleService } from '../support/console-service.ts';
import { isLong } from '../support/effort.ts';
import { checkPage, expectQuiet } from '../support/page-check.ts';

const title = chromiumPath
  ? 'the list of assistants'
  : 'the list of assistants (skipped: no Chromium is installed)';
const PATH = '/assistants/v1/assistants';
interface Made {
  readonly _id: string;
  readonly name: string;
}

describe.skipIf(!chromiumPath)(title, () => {
  let host: ConsoleService;

  beforeAll(async () => {
    host = await ConsoleService.start();
    for (const { _id } of await host.service.json<Made[]>(PATH))
      await host.service.json(`${PATH}/${_id}`, { method: 'DELETE' });
  });

  afterAll(() => host[Symbol.asyncDispose]());

  test('says what to do when there is none, and creates one', async () => {
    await using view = await host.open('/assistants');
    const { page } = view;
    await view.untilText('.empty-state', 'No assistant yet');
    await checkPage(view, { name: 'assistants-none' });
    await page.click('.empty-state a');
    await view.untilText('h1', 'New assistant');
    await page.click('button:has-text("Create assistant")');
    await view.untilText('#assistant-name-fault', 'Enter a name.');
    await page.waitForSelector('#assistant-name:focus');
    await checkPage(view, { name: 'assistant-new' });
    await page.fill('#assistant-name', 'Reception');
    await page.fill('#assistant-welcome', 'Good morning.');
    await page.fill('#assistant-prompt', 'You answer the phone.');
    await page.press('#assistant-name', 'Enter');
    await view.untilToast('“Reception” was created.');
    await expect.poll(() => page.url()).toMatch(/#\/assistants\/[\w-]{36}(?:\?try=blank)?$/);
    const [made] = await host.service.json<Made[]>(PATH);
    expect(made).toMatchObject({
      name: 'Reception',
      welcomeMessage: 'Good morning.',
      assistantSystemPrompt: 'You answer the phone.',
    });
    expectQuiet(view);
  });

  test.runIf(isLong)(
    'searches, duplicates, deletes only unused assistants, and says where one is used',
    async () => {
      const [first] = await host.service.json<Made[]>(PATH);
      const number = await host.create<{ readonly _id: string }>(
        '/assistants/v1/numbers/emulator',
        {
          number: '+14155550123',
        },
      );
      await host.service.json(`/assistants/v1/numbers/${number._id}`, {
        method: 'PUT',
        body: { assistantId: first?._id },
      });
      await host.create('/calls/v1/conversations/connect', {
        direction: 'outbound',
        assistantId: first?._id,
      });
      for (let count = 1; count <= 30; count++)
        await host.create(PATH, {
          name: `Helper ${count}`,
          assistantSystemPrompt: count === 7 ? 'You sell umbrellas.' : '',
        });

      await using view = await host.open('/assistants');
      const { page } = view;
      const rows = page.locator('#assistants tbody tr');
      await expect.poll(() => rows.count()).toBe(25);
      await page.click('text=Show more');
      await expect.poll(() => rows.count()).toBe(31);
      await checkPage(view, { name: 'assistants' });
      await page.fill('#assistants-search', 'helper UMBRELLAS');
      await expect.poll(() => rows.count()).toBe(1);
      await view.untilText('#assistants th', 'Helper 7');
      await page.click('[aria-label="Actions for “Helper 7”"]');
      await page.click('[role=menuitem]:has-text("Duplicate")');
      await view.untilToast('“Helper 7 (copy)” was created.');
      await page.goBack();
      await expect.poll(() => rows.count()).toBe(2);

      await page.click('[aria-label="Actions for “Helper 7 (copy)”"]');
      await page.click('[role=menuitem]:has-text("Delete")');
      await view.untilText('dialog', 'No phone number uses it.');
      await page.click('dialog .danger');
      await view.untilToast('“Helper 7 (copy)” was deleted.');
      await expect.poll(() => rows.count()).toBe(1);

      await page.fill('#assistants-search', 'reception');
      await view.untilText('#assistants td', '+14155550123');
      await page.click('[aria-label="Actions for “Reception”"]');
      await page.click('[role=menuitem]:has-text("Delete")');
      await view.untilText('dialog', 'while a phone number uses it');
      await checkPage(view, { name: 'assistants-delete-used' });
      await page.click('dialog a:has-text("+14155550123")');
      await expect.poll(() => page.url()).toContain(`#/numbers/${number._id}`);
      await page.goBack();
      await page.click('#assistants [aria-label="1 call"]');
      await view.untilText('h1', 'Calls');
      await expect.poll(() => page.locator('#calls tbody tr').count()).toBe(1);
      await page.goBack();
      await page.click('[aria-label="Actions for “Reception”"]');
      await page.click('[role=menuitem]:has-text("Talk to it")');
      await view.untilText('h1', 'Talk');
      await expect.poll(() => page.inputValue('#assistant')).toBe('Reception');
      await page.goBack();
      await page.fill('#assistants-search', 'nobody at all');
      await view.untilText('.empty-state', 'Nothing matches “nobody at all”');
      expectQuiet(view);
    },
  );
});
