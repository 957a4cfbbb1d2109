import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { ConsoleService } from '../support/console-service.ts';
import { checkPage, expectQuiet } from '../support/page-check.ts';
import type { ServiceApi } from '../support/service-process.ts';

const title = chromiumPath ? 'a newcomer' : 'a newcomer (skipped: no Chromium is installed)';

const QUESTION = 'Ask what you can do for your country.';
const ANSWER = 'You can plant a tree in your street.';

interface Conversations {
  readonly conversations: readonly { readonly id: string }[];
}

/** What was said in the latest call. */
async function messagesOf(service: ServiceApi): Promise<readonly string[]> {
  const path = '/calls/v1/conversations';
  const { conversations } = await service.json<Conversations>(path);
  const { messages } = await service.json<{ messages: { text: string }[] }>(
    `${path}/${conversations[0]?.id}`,
  );
  return messages.map(({ text }) => text);
}

describe.skipIf(!chromiumPath)(title, () => {
  test('creates an assistant, adds an answer, asks for it aloud, and reads the call', {
    timeout: 180_000,
  }, async () => {
    await using host = await ConsoleService.start();
    const { service } = host;
    await using view = await ConsolePage.open(service.url, {
      // The welcome is heard out first; a machine that is late hears the question when it is asked again.
      says: [7000, ...Array(4).fill(['ask-what-you-can-do.wav', 12_000]).flat()],
    });
    const { page } = view;
    await view.signIn(service.key);

    await view.untilText('#first-steps-title', 'Steps to your first call');
    await checkPage(view, { name: 'newcomer-overview' });
    await page.click('text=Create one');
    await page.fill('#assistant-name', 'Town hall');
    await page.fill('#assistant-welcome', 'Hello, this is the town hall.');
    await page.fill('#assistant-prompt', 'Answer from the knowledge base, briefly.');
    await page.click('text=Create assistant');
    await view.untilText('#page-title', 'Town hall');

    await page.click('nav a:has-text("Knowledge bases")');
    await page.click('text=New knowledge base');
    await page.fill('#kb-title', 'What citizens ask');
    await page.press('#kb-title', 'Enter');
    await page.click('text=Add a question');
    await page.waitForSelector('[data-key=new-0] textarea:focus');
    await page.keyboard.type(QUESTION);
    await page.keyboard.press('Tab');
    await page.keyboard.type(ANSWER);
    await page.click('.save-bar .primary');
    await view.untilText('#training .badge', /^Trained$/);
    await checkPage(view, { name: 'newcomer-faq' });

    await page.click('text=Add to an assistant');
    await page.click('#kb-attach');
    await page.keyboard.type('town');
    await page.click('[role=option]:has-text("Town hall")');
    await page.click('.kb-search button[type=submit]');
    await view.untilText('#kb-users li', 'Town hall');
    await checkPage(view, { name: 'newcomer-given' });
    await page.click('#kb-users >> text=Talk to it');

    await expect.poll(() => page.inputValue('#assistant')).toBe('Town hall');
    await page.click('#call');
    await view.untilText('.line.assistant .said', /^Hello, this is the town hall/);
    await view.untilText('.line.user:not(.interim) .said', QUESTION);
    await view.untilText('.line.assistant .said', ANSWER);
    // Heard out: what is cut off is not in the record.
    await expect.poll(() => messagesOf(service)).toContain(ANSWER);
    await page.click('#call');
    await view.untilText('#status', 'Call ended');

    await page.click('nav a:has-text("Calls")');
    await page.click('#calls tbody a');
    await view.untilText('main', QUESTION);
    await view.untilText('main', ANSWER);
    await checkPage(view, { name: 'newcomer-call' });

    await page.click('nav a:has-text("Overview")');
    await page.locator('#first-steps-title').waitFor({ state: 'detached' });
    expectQuiet(view);
    expect(view.requests.filter((url) => url.includes(service.key))).toEqual([]);
  });
});
