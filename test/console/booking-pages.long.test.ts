import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsoleService } from '../support/console-service.ts';
import { checkPage } from '../support/page-check.ts';

const title = chromiumPath
  ? 'the pages of calendars and wait lists'
  : 'the pages of calendars and wait lists (skipped: no Chromium is installed)';
const PATH = '/assistants/v1';

const field = (path: string) => `[id="field-${path}"]`;

describe.skipIf(!chromiumPath)(title, { timeout: 180_000 }, () => {
  let host: ConsoleService;
  beforeAll(async () => {
    host = await ConsoleService.start();
  });
  afterAll(() => host[Symbol.asyncDispose]());

  test('a calendar is created, set up, booked in, and deleted', async () => {
    await using view = await host.open('/calendars');
    const { page } = view;
    await view.untilText('.empty-state', 'No calendar yet');
    await checkPage(view, { name: 'calendars-none' });
    await page.click('.empty-state button');
    await page.click('dialog .primary');
    await view.untilText('#bookable-name-fault', 'Enter a name.');
    await page.fill('#bookable-name', 'Front desk');
    await page.click('dialog .primary');
    await view.untilText('h1', 'Front desk');
    await view.untilText('main', 'No upcoming appointments.');

    await page.fill(field('slotMinutes'), '20');
    await page.fill(field('leadMinutes'), '0');
    await page.click('.save-bar .primary');
    await view.untilToast('Saved.');
    const [calendar] = await host.service.json<{ _id: string; slotMinutes: number }[]>(
      `${PATH}/calendars`,
    );
    expect(calendar?.slotMinutes).toBe(20);

    await page.click('text=Book …');
    await page.waitForSelector('#book-slot option:nth-child(2)', { state: 'attached' });
    await page.selectOption('#book-slot', { index: 1 });
    await page.fill('#book-name', 'Ada Lovelace');
    await checkPage(view, { name: 'calendar-book' });
    await page.click('dialog .primary');
    await view.untilText('[aria-label=Appointments] tbody', 'Ada Lovelace');
    await page.fill('#appointments-search', 'hopper');
    await view.untilText('main', 'No upcoming appointment matches “hopper”.');
    await page.fill('#appointments-search', 'lovelace');
    await view.untilText('[aria-label=Appointments] tbody', 'Ada Lovelace');
    await checkPage(view, { name: 'calendar' });
    await page.click('[aria-label="Cancel the appointment of Ada Lovelace"]');
    await page.click('dialog .danger');
    await view.untilText('main', 'No upcoming appointment matches “lovelace”.');

    await page.click('[aria-label="Actions for “Front desk”"]');
    await page.click('.menu-item:has-text("Delete")');
    await page.click('dialog .danger');
    await view.untilText('.empty-state', 'No calendar yet');
  });

  test('a wait list takes entries and gives them away in turn', async () => {
    const { _id } = await host.create<{ _id: string }>(`${PATH}/wait-lists`, { name: 'Cancelled' });
    await host.create(`${PATH}/wait-lists/${_id}/entries`, { name: 'Ada', phone: '+49301' });
    await using view = await host.open('/wait-lists');
    const { page } = view;
    await view.untilText('table', 'Cancelled');
    await checkPage(view, { name: 'wait-lists' });
    await page.click('table a');
    await view.untilText('[aria-label=Waiting] tbody', '1. Ada');
    await page.click('text=Add …');
    await page.fill('#entry-name', 'Grace');
    await page.click('dialog .primary');
    await view.untilText('[aria-label=Waiting] tbody', '2. Grace');
    await page.fill('#waiting-search', 'grace');
    await expect.poll(() => page.locator('[aria-label=Waiting] tbody tr').count()).toBe(1);
    await view.untilText('[aria-label=Waiting] tbody', '2. Grace');
    await page.fill('#waiting-search', '');
    await view.untilText('[aria-label=Waiting] tbody', '1. Ada');
    await checkPage(view, { name: 'wait-list' });
    await page.click('text=Take the next');
    await view.untilText('[role=status]', 'Next was Ada');
    await view.untilText('[aria-label=Waiting] tbody', '1. Grace');
    await page.click('[aria-label="Remove Grace"]');
    await view.untilText('main', 'The list is empty.');
  });
});
