import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsoleService } from '../support/console-service.ts';
import { startMcpServer, type TestMcpServer } from '../support/mcp-server.ts';
import { checkPage, expectQuiet } from '../support/page-check.ts';

const title = chromiumPath
  ? 'a server of tools in the console'
  : 'a server of tools in the console (skipped: no Chromium is installed)';
const PATH = '/assistants/v1/tools';

interface Made {
  readonly _id: string;
  readonly type: string;
  readonly mcpTools?: readonly string[];
}

const field = (path: string) => `[id="field-${path}"]`;

describe.skipIf(!chromiumPath)(title, { timeout: 180_000 }, () => {
  let host: ConsoleService;
  let server: TestMcpServer;
  /** Tools that the server lists beside the one that reads. */
  let others: readonly string[];

  // A team each, also for a second try: the name of a tool is taken only once.
  beforeEach(async () => {
    others = ['cancel_table', 'book_table'];
    host = await ConsoleService.start();
    server = await startMcpServer((mcp) => {
      mcp.registerTool(
        'find_table',
        {
          description: 'Finds a free table.',
          inputSchema: { seats: z.number().int().describe('How many guests.') },
          annotations: { readOnlyHint: true },
        },
        async ({ seats }) => ({ content: [{ type: 'text', text: `A table for ${seats}` }] }),
      );
      for (const name of others)
        mcp.registerTool(name, { description: `Can ${name}.`, inputSchema: {} }, async () => ({
          content: [{ type: 'text', text: 'Done.' }],
        }));
    });
  });
  afterEach(async () => {
    await server[Symbol.asyncDispose]();
    await host[Symbol.asyncDispose]();
  });

  test('is added with a secret header, asked for its tools, tried by hand, and some are chosen', async () => {
    await using view = await host.open('/tools/new');
    const { page } = view;
    await view.untilText('.save-bar', 'Create tool');
    await page.selectOption(field('type'), 'mcp');
    await view.untilText(field('mcpTools'), 'Create the tool first');
    expect(await page.locator(field('function.parameters')).count()).toBe(0);
    await page.fill(field('function.name'), 'restaurant');
    await page.fill(field('server.url'), server.url);
    await page.click(`${field('server.headers')} button:has-text("Add")`);
    await page
      .locator(`${field('server.headers')} input`)
      .nth(0)
      .fill('X-Key');
    const secret = page.locator(`${field('server.headers')} input`).nth(1);
    await secret.fill('very-private');
    expect(await secret.getAttribute('type')).toBe('password');
    await checkPage(view, { name: 'server-tools-new' });
    await page.click('.save-bar .primary');
    await view.untilText('h1', 'restaurant');

    await view.untilText(field('mcpTools'), 'find_table');
    await view.untilText(field('mcpTools'), 'Finds a free table.');
    await view.untilText(field('mcpTools'), 'reads only');
    expect(server.asked.at(-1)?.headers['x-key']).toBe('very-private');
    await page.click('summary:has-text("Arguments of find_table")');
    await view.untilText(field('mcpTools'), 'How many guests.');
    await checkPage(view, { name: 'server-tools' });

    await page.selectOption('#tool-trial-name', 'find_table');
    expect(JSON.parse(await page.inputValue('#tool-trial-arguments'))).toEqual({
      seats: 1,
    });
    await page.fill('#tool-trial-arguments', '{"seats": 4}');
    await page.click('button:has-text("Send")');
    await view.untilText('.tool-trial [role=status]', 'A table for 4');
    await page.fill('#tool-trial-arguments', '{"seats": "four"}');
    await page.click('button:has-text("Send")');
    await view.untilText('.tool-trial [role=status]', 'Failed');
    await page.selectOption('#tool-trial-name', '');
    await page.click('button:has-text("Send")');
    await view.untilText('.tool-trial [role=status]', 'Tools of the server');
    await checkPage(view, { name: 'server-tools-trial' });

    await page.uncheck('text=All, also those that the server adds later');
    await page.uncheck('label:text-is("cancel_table")');
    await page.click('.save-bar .primary');
    await view.untilToast('Saved.');
    const [made] = await host.service.json<Made[]>(PATH);
    expect(made).toMatchObject({ type: 'mcp', mcpTools: ['find_table', 'book_table'] });
    // What is not offered can still be chosen; the last one stays, since none would be all.
    await page.uncheck('label:text-is("book_table")');
    expect(await page.isDisabled('label:text-is("find_table")')).toBe(true);
    expect(await page.isEnabled('label:text-is("cancel_table")')).toBe(true);
    expectQuiet(view);
  });

  test('that has lost a tool, or does not answer, says so', async () => {
    const tool = await host.create<Made>(PATH, {
      type: 'mcp',
      function: { name: 'other' },
      server: { url: server.url },
      mcpTools: ['find_table', 'book_table'],
    });
    others = ['cancel_table'];
    await using view = await host.open(`/tools/${tool._id}`);
    const { page } = view;
    await view.untilText(field('mcpTools'), 'not on the server any more');
    const away = await host.create<Made>(PATH, {
      type: 'mcp',
      function: { name: 'away' },
      server: { url: 'http://127.0.0.1:9' },
    });
    await page.goto(`${host.service.url}/console/#/tools/${away._id}`);
    await view.untilText(field('mcpTools'), 'could not be listed');
    await view.untilText(field('mcpTools'), 'Ask the server again');
    await checkPage(view, { name: 'server-tools-away' });
  });
});
