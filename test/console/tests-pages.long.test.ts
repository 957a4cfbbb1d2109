import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsoleService } from '../support/console-service.ts';
import { checkPage, expectQuiet } from '../support/page-check.ts';

const title = chromiumPath
  ? 'the pages of tests'
  : 'the pages of tests (skipped: no Chromium is installed)';

const SOURCE = `tests:
  - name: Greeting
    turns:
      - say: Hello
    expect:
      - contains: Aurora
  - name: Parking
    turns:
      - say: Where can I park?
        expect:
          - contains: garage
`;

interface Suite {
  readonly id: string;
  readonly nightly: boolean;
  readonly spoken?: { readonly conditions: readonly string[] };
}

interface Run {
  readonly status: string;
}

describe.skipIf(!chromiumPath)(title, { timeout: 180_000 }, () => {
  let host: ConsoleService;
  let assistantId: string;

  beforeAll(async () => {
    host = await ConsoleService.start();
    const { _id } = await host.create<{ _id: string }>('/assistants/v1/assistants', {
      name: 'Desk',
      assistantProvider: 'offline',
      welcomeMessage: 'Hotel Aurora, good day.',
    });
    assistantId = _id;
  });

  afterAll(() => host[Symbol.asyncDispose]());

  test('write tests, with faults by line and field, and run them: red, and green with a draft', async () => {
    await using view = await host.open('/tests');
    const { page } = view;
    await view.untilText('.empty-state', 'No tests yet');
    await checkPage(view, { name: 'tests-none' });
    await page.click('.empty-state a');
    await page.fill('#tests-title', 'Desk');
    await page.click('#tests-assistant');
    await page.click('[role=option]:has-text("Desk")');
    await page.fill('#tests-source', SOURCE.replace('- contains: garage', '- contain: garage'));
    await view.untilText(
      '.source-faults',
      /Line 11\s*tests\.1\.turns\.0\.expect\.0\.contain unknown field/,
    );
    expect(await page.getAttribute('#tests-source', 'aria-invalid')).toBe('true');
    await checkPage(view, { name: 'tests-faults' });
    await page.click('.save-bar .primary');
    await view.untilText('.page', 'line 11');
    await page.focus('.source-faults button');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#tests-source:focus');
    await page.keyboard.type('          - contains: garage');
    await page.locator('.source-faults').waitFor({ state: 'detached' });
    await page.check('#tests-nightly');
    await page.click('.save-bar .primary');
    await view.untilText('h1', 'Desk');
    await expect.poll(() => page.url()).toMatch(/#\/tests\/[\w-]{36}$/);
    const [made] = await host.service.json<Suite[]>('/tests/v1/suites');
    expect(made).toMatchObject({ title: 'Desk', assistantId, tests: 2, nightly: true });

    await page.click('#run-tests');
    await view.untilText('.page', '1 of 2 passed, 1 failed, version 1');
    await view.untilText('#results tr:has-text("Parking")', /Turn 1: says “garage”/);
    await page.click('#results tr:has-text("Parking") summary');
    await view.untilText('#results details[open]', 'Where can I park?');
    await checkPage(view, { name: 'tests-red' });

    // The draft knows no garage either, but the tests no longer ask for one.
    await host.create(`/assistants/v1/assistants/${assistantId}/versions`, {
      changes: { welcomeMessage: 'Hotel Aurora: park in the garage.' },
    });
    await page.reload();
    await view.untilText('#run-version', 'Version 2');
    await page.selectOption('#run-version', '2');
    await page.fill(
      '#tests-source',
      SOURCE.replace('garage', 'Desk').replace('        expect:\n          - contains: Desk\n', ''),
    );
    await page.click('text=Save and run');
    await view.untilText('.page', '2 of 2 passed, version 2');
    await view.untilText('#runs tbody tr:first-child', /2\s*passed/);
    await checkPage(view, { name: 'tests-green' });
    await page.click('#runs tbody tr:last-child a');
    await view.untilText('.page', '1 of 2 passed, 1 failed, version 1');
    await page.goto(`${host.service.url}/console/#/tests?assistantId=${assistantId}`);
    await view.untilText('#suites tbody tr', '2 of 2 passed');
    await checkPage(view, { name: 'tests' });
    expectQuiet(view);
  });

  test('tests that passed before and fail now stand out, in the run and on the overview', async () => {
    const source = SOURCE.slice(0, SOURCE.indexOf('  - name: Parking'));
    const suite = { title: 'Night', assistantId, source };
    const { id: suiteId } = await host.create<Suite>('/tests/v1/suites', suite);
    const versions = `/assistants/v1/assistants/${assistantId}/versions`;
    const changes = { welcomeMessage: 'Hotel Boreal.' };
    const draft = await host.create<{ version: number }>(versions, { changes });
    const ids: string[] = [];
    for (const assistantVersion of ['1', String(draft.version)]) {
      const asked = { suiteId, assistantVersion };
      const { id } = await host.create<{ id: string }>('/tests/v1/runs', asked);
      await expect
        .poll(async () => (await host.service.json<Run>(`/tests/v1/runs/${id}`)).status)
        .toBe('finished');
      ids.push(id);
    }
    await using view = await host.open(`/tests/${suiteId}`);
    const { page } = view;
    await view.untilText('#results tbody tr', /Greeting\s*passed before/);
    // Night comes once a day.
    await page.route('**/tests/v1/runs?*', async (route) => {
      const response = await route.fetch();
      const runs = (await response.json()) as readonly object[];
      await route.fulfill({ response, json: runs.map((run) => ({ ...run, by: 'nightly' })) });
    });
    await page.goto(`${host.service.url}/console/#/`);
    await view.untilText('.callout', 'Tests that failed last night and passed the night before');
    await checkPage(view, { name: 'overview-failing-tests' });
    await page.click('.callout >> text=Greeting');
    await expect.poll(() => page.url()).toContain(`#/tests/${suiteId}?run=${ids[1]}`);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('a suite is run spoken, with its report by condition, and says that its nights are', async () => {
    const source = `model: [{say: The garage is below.}]
tests: [{name: Parking, turns: [{say: Where can I park?, expect: [{contains: garage}]}]}]`;
    const { id } = await host.create<Suite>('/tests/v1/suites', {
      ...{ title: 'By voice', assistantId, source },
    });
    await using view = await host.open(`/tests/${id}`);
    const { page } = view;
    await page.check('#run-spoken');
    await page.check('#run-spoken-telephone');
    await checkPage(view, { name: 'tests-spoken-choice' });
    await page.click('#run-tests');
    await view.untilText('.page', '2 of 2 passed, version 1, spoken in 2 conditions');
    await view.untilText('#conditions tr:has-text("A quiet room")', /1 of 1\s*100 %\s*100 %/);
    await view.untilText('#results tbody tr:nth-child(2)', /Parking Telephone line\s*passed/);
    await view.untilText('#runs tbody tr', 'spoken in 2 conditions');
    await checkPage(view, { name: 'tests-spoken' });
    await page.check('#tests-nightly');
    await page.check('#tests-spoken');
    await page.uncheck('#tests-spoken-clean');
    await view.untilText('#tests-spoken-conditions legend', 'none is chosen: all');
    await page.check('#tests-spoken-noise');
    await page.click('.save-bar .primary');
    const kept = () => host.service.json<Suite>(`/tests/v1/suites/${id}`);
    await expect.poll(kept).toMatchObject({ nightly: true, spoken: { conditions: ['noise'] } });
    await page.uncheck('#tests-spoken');
    await page.click('.save-bar .primary');
    await expect.poll(async () => (await kept()).spoken).toBeUndefined();
    expectQuiet(view);
  });

  test('tests that ask a vendor need a limit, and are deleted with their runs', async () => {
    const { _id } = await host.create<{ _id: string }>('/assistants/v1/assistants', {
      name: 'Paid',
      assistantProvider: 'openai',
      assistantModel: 'gpt-4o-mini',
    });
    const { id } = await host.create<Suite>('/tests/v1/suites', {
      ...{ title: 'Paid', assistantId: _id, source: SOURCE },
    });
    await using view = await host.open(`/tests/${id}`);
    const { page } = view;
    await page.click('#run-tests');
    await view.untilText('#run-tokens-fault', 'asks openai/gpt-4o-mini some');
    await page.click('[aria-label="Actions for “Paid”"]');
    await page.click('[role=menuitem] >> text=Delete');
    await page.click('dialog .danger');
    await view.untilToast('“Paid” was deleted.');
    await expect.poll(() => page.url()).toMatch(/#\/tests$/);
  });
});
