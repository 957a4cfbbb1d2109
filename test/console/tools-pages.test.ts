import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsoleService } from '../support/console-service.ts';
import { isLong } from '../support/effort.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { checkPage, expectQuiet } from '../support/page-check.ts';

const title = chromiumPath
  ? 'the pages of tools'
  : 'the pages of tools (skipped: no Chromium is installed)';
const PATH = '/assistants/v1/tools';
interface Made {
  readonly _id: string;
  readonly function: { readonly name: string };
}

const field = (path: string) => `[id="field-${path}"]`;

describe.skipIf(!chromiumPath)(title, { timeout: 180_000 }, () => {
  let host: ConsoleService;
  let server: LocalServer;

  beforeAll(async () => {
    host = await ConsoleService.start();
    server = await startLocalServer(async (request, response) => {
      const text = (await request.setEncoding('utf8').toArray()).join('');
      const { message } = JSON.parse(text);
      const { seats } = message.toolCallList[0].parameters;
      response.end(JSON.stringify({ results: [{ result: `A table for ${seats}` }] }));
    });
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await host[Symbol.asyncDispose]();
  });

  test('create one from fields, with its schema edited as rows and as JSON, and test it', async () => {
    await using view = await host.open('/tools');
    const { page } = view;
    await view.untilText('.empty-state', 'No tool yet');
    await checkPage(view, { name: 'tools-none' });
    await page.click('.empty-state a');
    await view.untilText('.save-bar', 'Create tool');
    await page.click('.save-bar .primary');
    await view.untilText('.fault-summary', 'Fix 2 fields');
    await page.click('.fault-summary button:has-text("Name")');
    await page.waitForSelector(`${field('function.name')}:focus`);
    await page.keyboard.type('book_table');
    await page.fill(field('server.url'), server.url);

    const editor = field('function.parameters');
    const row = (index: number, part: string) =>
      `[id="field-function.parameters.${index}.${part}"]`;
    await page.click(`${editor} button:has-text("Add a field")`);
    await page.fill(row(0, 'name'), 'seats');
    await page.press(row(0, 'name'), 'Tab');
    await page.selectOption(row(0, 'type'), 'integer');
    await page.fill(row(0, 'description'), 'How many guests.');
    await page.check(`${editor} .schema-row >> text=Required`);
    await page.click(`${editor} > .schema-editor > button:has-text("Add a field")`);
    await page.fill(row(1, 'name'), 'seats');
    await view.untilText('.field-fault', 'This name is used already.');
    await page.fill(row(1, 'name'), 'guest');
    await page.press(row(1, 'name'), 'Tab');
    await page.selectOption(row(1, 'type'), 'object');
    await page.click('[aria-label="Add a field to guest"]');
    await page.fill('[id="field-function.parameters.1.properties.0.name"]', 'surname');
    await page.press('[id="field-function.parameters.1.properties.0.name"]', 'Tab');
    await page.check(`${editor} >> text=As JSON`);
    const raw = field('function.parameters.json');
    const written = JSON.parse(await page.inputValue(raw));
    expect(written).toMatchObject({
      properties: {
        seats: { type: 'integer', description: 'How many guests.' },
        guest: { type: 'object', properties: { surname: { type: 'string' } } },
      },
      required: ['seats'],
    });
    written.properties.day = { type: 'string', format: 'date' };
    await page.fill(raw, JSON.stringify(written));
    await page.uncheck(`${editor} >> text=As JSON`);
    expect(await page.inputValue(row(2, 'name'))).toBe('day');
    await checkPage(view, { name: 'tool-new' });

    await page.click('.save-bar .primary');
    await view.untilText('h1', 'book_table');
    await expect.poll(() => page.url()).toMatch(/#\/tools\/[\w-]{36}$/);
    const [made] = await host.service.json<Made[]>(PATH);
    expect(made?.function).toMatchObject({
      parameters: {
        properties: {
          seats: { type: 'integer' },
          guest: { properties: { surname: { type: 'string' } } },
          day: { format: 'date' },
        },
      },
    });

    expect(JSON.parse(await page.inputValue('#tool-trial-arguments'))).toEqual({
      seats: 1,
      guest: { surname: 'text' },
      day: '2030-01-31',
    });
    await page.fill('#tool-trial-arguments', '{"seats": 4}');
    await page.click('button:has-text("Send")');
    await view.untilText('.tool-trial [role=status]', 'Succeeded');
    await view.untilText('.tool-trial [role=status]', 'A table for 4');
    await checkPage(view, { name: 'tool' });
    await page.fill('#tool-trial-arguments', '{"seats": "four"}');
    await page.click('button:has-text("Send")');
    await view.untilText('#tool-trial-arguments-fault', 'seats');
    expect(view.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
  });

  test.runIf(isLong)(
    'change one, with messages and masked secrets, and delete it once it is unused',
    async () => {
      const tool = await host.create<Made>(PATH, {
        function: { name: 'look_up', parameters: { properties: { old: { type: 'string' } } } },
        server: { url: server.url, secret: 'hush-hush', headers: { 'X-Key': 'very-private' } },
      });
      const user = await host.create<{ readonly _id: string }>('/assistants/v1/assistants', {
        name: 'Waiter',
        assistantToolIds: [tool._id],
      });
      await using view = await host.open(`/tools/${tool._id}`);
      const { page } = view;
      await view.untilText('.lead', 'Used by Waiter');
      expect(await page.getAttribute(field('server.secret'), 'type')).toBe('password');
      expect(await page.locator('input[type=password]').count()).toBe(2);
      await page.click('[aria-label="Remove old"]');
      await page.click('button:has-text("Add a message")');
      await page.selectOption('[id="field-messages.0.type"]', 'request-response-delayed');
      await page.fill(field('messages.0.content'), 'One moment, {{customer.name}}.');
      await page.fill(field('messages.0.timingMilliseconds'), '1500');
      await checkPage(view, { name: 'tool-messages' });
      await page.click('.save-bar .primary');
      await view.untilToast('Saved.');
      expect(await host.service.json(`${PATH}/${tool._id}`)).toMatchObject({
        function: { parameters: { properties: {} } },
        messages: [
          {
            type: 'request-response-delayed',
            content: 'One moment, {{customer.name}}.',
            timingMilliseconds: 1500,
          },
        ],
        server: { secret: 'hush-hush', headers: { 'X-Key': 'very-private' } },
      });

      await page.click('[aria-label="Actions for “look_up”"]');
      await page.click('[role=menuitem]:has-text("Delete")');
      await view.untilText('dialog', 'while an assistant uses it');
      await page.click('dialog a:has-text("Waiter")');
      await view.untilText('h1', 'Waiter');
      await page.click('[aria-label="Remove look_up"]');
      await page.click('.save-bar .primary');
      // Not by its toast: the one of the tool may still be there.
      await expect
        .poll(() => host.service.json(`/assistants/v1/assistants/${user._id}`))
        .toMatchObject({ assistantToolIds: [] });
      await page.click('nav a:has-text("Tools")');
      await page.fill('#tools-search', 'look');
      await expect.poll(() => page.locator('#tools tbody tr').count()).toBe(1);
      await checkPage(view, { name: 'tools' });
      await page.click('[aria-label="Actions for “look_up”"]');
      await page.click('[role=menuitem]:has-text("Delete")');
      await page.click('dialog .danger');
      await view.untilToast('“look_up” was deleted.');
      expectQuiet(view);
    },
  );
});
