import { expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsoleService } from '../support/console-service.ts';
import { isLong } from '../support/effort.ts';
import { checkPage } from '../support/page-check.ts';

test.runIf(isLong && chromiumPath)(
  'a draft is talked to beside its form, with a value for its variable, and shows what its model got',
  { timeout: 180_000 },
  async () => {
    await using host = await ConsoleService.start();
    const at = '/assistants/v1/assistants';
    const { _id } = await host.create<{ _id: string }>(at, {
      name: 'Hall',
      welcomeMessage: 'Stored.',
      assistantSystemPrompt: 'Be brief.',
    });
    await using view = await host.open(`/assistants/${_id}`);
    const { page } = view;
    await view.untilText('#page-title', 'Hall');
    await page.fill('#field-assistantSystemPrompt', 'The guest is {{guest}}.');
    await page.click('main >> text=Talk to it');
    await page.fill('#try-guest', 'Ada');
    await page.fill('#composer', 'Hello, who are you?');
    await page.press('#composer', 'Enter');
    await view.untilText('#transcript .user .said', 'Hello, who are you?');
    await view.untilText('.exchanges li', 'Turn');
    await page.click('.exchanges li >> nth=0 >> summary >> nth=0');
    await view.untilText('.exchange-messages', 'The guest is Ada.');
    await view.untilText('.exchange-messages', 'Hello, who are you?');
    await page.click('#try-call');
    await view.untilText('#try-status', 'Call ended');
    await checkPage(view, { name: 'try-panel' });
    // Nothing was saved by talking.
    const stored = await host.service.json<object>(`${at}/${_id}`);
    expect(stored).toMatchObject({ assistantSystemPrompt: 'Be brief.' });
  },
);
