import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsoleService } from '../support/console-service.ts';
import { isLong } from '../support/effort.ts';
import { eventually } from '../support/eventually.ts';
import { checkPage } from '../support/page-check.ts';
import { draggedFile } from '../support/page-functions.js';
import type { ServiceApi } from '../support/service-process.ts';

const title = chromiumPath
  ? 'the pages of knowledge bases'
  : 'the pages of knowledge bases (skipped: no Chromium is installed)';

const textFile = (name: string, text: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});

describe.skipIf(!chromiumPath)(title, () => {
  let rig: ConsoleService;
  let service: ServiceApi;

  beforeAll(async () => {
    rig = await ConsoleService.start();
    ({ service } = rig);
  });

  afterAll(() => rig[Symbol.asyncDispose]());

  const open = (at: string) => rig.open(at);
  const create = (base: Record<string, unknown>) =>
    service.json<{ id: string }>('/kb/v1/knowledge-bases', { method: 'POST', body: base });

  test.runIf(isLong)('list all bases, and create a new one', async () => {
    await using view = await open('/knowledge-bases');
    const { page } = view;
    await view.untilText('#knowledge-bases th', 'The inaugural address');
    await view.untilText('#knowledge-bases td', 'Speech guide');
    await view.untilText('#knowledge-bases .badge', 'Trained');
    await checkPage(view, { name: 'knowledge-bases' });

    await page.click('text=New knowledge base');
    await page.click('dialog [type=submit]');
    await page.waitForSelector('#kb-title[aria-invalid=true]:focus');
    await page.fill('#kb-title', 'Opening hours');
    await checkPage(view, { name: 'knowledge-new' });
    await page.press('#kb-title', 'Enter');
    await view.untilText('#page-title', 'Opening hours');
    await view.untilText('#training', 'It is empty');
    await checkPage(view, { name: 'knowledge-empty' });
  });

  test.runIf(isLong)(
    'accept several files, show which are refused and why, and follow the training',
    async () => {
      const { id } = await create({ title: 'Bicycles' });
      await using view = await open(`/knowledge-bases/${id}?tab=files`);
      const { page } = view;
      let sent = 0;
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/kb/v1/files')) sent++;
      });
      await page.setInputFiles('#file-input', [
        textFile('tyres.txt', 'A tyre is changed within the hour. It costs twenty euros.'),
        textFile('brakes.md', '# Brakes\n\nWorn brake pads are replaced while you wait.'),
        textFile('holiday.exe', 'MZ'),
        textFile('nothing.txt', ''),
        textFile('bill.pdf', 'This is no PDF at all.'),
      ]);
      await view.untilText('#files th', 'tyres.txt');
      await view.untilText('#files th', 'brakes.md');
      await view.untilText('#uploads', /holiday\.exe[\s\S]*Files named \.exe are not supported/);
      await view.untilText('#uploads', /nothing\.txt[\s\S]*The file is empty/);
      await view.untilText('#uploads', /bill\.pdf[\s\S]*its content is/);
      // What is known to be refused is not even sent.
      expect(sent).toBe(3);
      await view.untilText('#training .badge', /^Trained$/);
      // The browser's own word about what the service refused. A 412 is no fault: the training had changed the base first.
      const complaints = view.complaints
        .splice(0)
        .filter((complaint) => !complaint.includes('412'));
      expect(complaints).toEqual([expect.stringContaining('422')]);
      await checkPage(view, { name: 'knowledge-files' });
      expect(await page.locator('#uploads li').count()).toBe(3);
      await page.click('[aria-label="Remove bill.pdf from the list"]');

      await page.click('[aria-label="Actions for tyres.txt"]');
      const saved = page.waitForEvent('download');
      await page.click('[role=menuitem]:has-text("Download")');
      expect((await saved).suggestedFilename()).toBe('tyres.txt');
      await page.click('[aria-label="Actions for tyres.txt"]');
      await page.click('[role=menuitem]:has-text("Remove")');
      await page.click('dialog .danger');
      await page.locator('#files th:has-text("tyres.txt")').waitFor({ state: 'detached' });
      const base = await service.json<{ files: unknown[] }>(`/kb/v1/knowledge-bases/${id}`);
      expect(base.files).toHaveLength(1);
      // The page takes the file off the base, then deletes it.
      const names = async () => {
        const { files } = await service.json<{ files: { name: string }[] }>('/kb/v1/files');
        return files.map(({ name }) => name);
      };
      await expect.poll(names).toEqual(['brakes.md']);
    },
  );

  test.runIf(isLong)(
    'show the progress of an upload, cancel it, and retry a failed one',
    async () => {
      const { id } = await create({ title: 'Slow' });
      await using view = await open(`/knowledge-bases/${id}?tab=files`);
      const { page } = view;
      const line = await page.context().newCDPSession(page);
      const throttle = (uploadThroughput: number, offline: boolean) =>
        line.send('Network.emulateNetworkConditions', {
          offline,
          latency: 0,
          downloadThroughput: -1,
          uploadThroughput,
        });
      const large = textFile('large.txt', 'A bell costs five euros. '.repeat(40_000));
      await throttle(100_000, false);
      await page.setInputFiles('#file-input', large);
      await view.untilText('#uploads .progress', /Sending\s+[1-9]\d? %/);
      await page.click('nav a:has-text("Calls")');
      await view.untilText('dialog', 'Leave without saving?');
      await page.click('dialog >> text=Stay');
      await page.click('[aria-label="Stop large.txt"]');
      await page.locator('#uploads').waitFor({ state: 'detached' });
      expect(view.complaints).toEqual([]);

      await throttle(-1, true);
      await page.setInputFiles('#file-input', textFile('bell.txt', 'The bell costs five euros.'));
      await view.untilText('#uploads', 'The service does not answer');
      await throttle(-1, false);
      await page.click('text=Try again');
      await view.untilText('#files th', 'bell.txt');
      const base = await service.json<{ files: unknown[] }>(`/kb/v1/knowledge-bases/${id}`);
      expect(base.files).toHaveLength(1);
    },
  );

  test.runIf(isLong)('accept dropped files', async () => {
    const { id } = await create({ title: 'Dropped' });
    await using view = await open(`/knowledge-bases/${id}?tab=files`);
    const { page } = view;
    const files = await page.evaluateHandle(draggedFile, ['bell.txt', 'It costs five euros.']);
    await page.dispatchEvent('.kb-drop', 'dragenter', { dataTransfer: files });
    await view.untilText('.kb-drop[data-over]', 'Release');
    await page.dispatchEvent('.kb-drop', 'drop', { dataTransfer: files });
    await view.untilText('#files th', 'bell.txt');
    await view.untilText('#files .badge', 'Searchable');
  });

  test.runIf(isLong)(
    'edit questions in place, keep them while another tab is open, and save them together',
    async () => {
      const { id } = await create({ title: 'Questions' });
      await using view = await open(`/knowledge-bases/${id}`);
      const { page } = view;
      const entries = async () =>
        (
          await service.json<{ faq: Record<string, unknown>[] }>(
            `/kb/v1/knowledge-bases/${id}/faq-template`,
          )
        ).faq;
      await checkPage(view, { name: 'knowledge-faq-empty' });
      await page.click('text=Add a question');
      await page.waitForSelector('[data-key=new-0] textarea:focus');
      await page.keyboard.type('Do you have parking?');
      await page.click('.save-bar .primary');
      await view.untilText('#faq .field-fault', 'Enter an answer.');
      await page.waitForSelector('#faq textarea[aria-invalid=true]:focus');
      await page.keyboard.type('Yes, behind the house.');
      await page.keyboard.press('Tab');
      await page.keyboard.type('visit');
      await page.click('[role=tab]:has-text("Files")');
      await page.click('nav a:has-text("Calls")');
      await view.untilText('dialog', 'Leave without saving?');
      await page.click('dialog >> text=Stay');
      await page.click('[role=tab]:has-text("Questions")');
      await page.click('.save-bar .primary');
      await page.locator('.save-bar').waitFor({ state: 'hidden' });
      expect(await entries()).toEqual([
        expect.objectContaining({
          question: 'Do you have parking?',
          answer: 'Yes, behind the house.',
          category: 'visit',
        }),
      ]);

      await page.setInputFiles('#faq-file', {
        name: 'questions.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(
          'question,answer\nWhen do you open?,At nine.\nWhere are you?,In Oak Street.\n',
        ),
      });
      await view.untilText('.save-bar', '2 unsaved changes');
      await page.click('[aria-label="Actions for Do you have parking?"]');
      await page.click('[role=menuitem]:has-text("Remove")');
      await view.untilText('.save-bar', '3 unsaved changes');
      await checkPage(view, { name: 'knowledge-faq' });
      await page.click('.save-bar .primary');
      await page.locator('.save-bar').waitFor({ state: 'hidden' });
      expect((await entries()).map(({ question }) => question)).toEqual([
        'When do you open?',
        'Where are you?',
      ]);
      await view.untilText('#training .badge', /^Trained$/);
      const saved = page.waitForEvent('download');
      await page.click('text=Export CSV');
      expect((await saved).suggestedFilename()).toBe('Questions.csv');
      await page.click('[aria-label="Actions for Where are you?"]');
      await page.click('[role=menuitem]:has-text("Lock")');
      await view.untilText('.save-bar', '1 unsaved change');
      await page.keyboard.press('Control+s');
      await page.locator('.save-bar').waitFor({ state: 'hidden' });
      await view.untilText('#faq .badge', 'Locked');
      expect((await entries())[1]).toMatchObject({ updatable: false });
      await page.fill('#faq textarea >> nth=0', 'Something else');
      await page.click('text=Discard');
      await expect.poll(() => page.inputValue('#faq textarea >> nth=0')).toBe('When do you open?');
    },
  );

  test.runIf(isLong)(
    'show what callers asked in vain, and make it a question with an answer',
    async () => {
      const [guide] = await service.json<{ assistantKnowledgeBaseIds: string[] }[]>(
        '/assistants/v1/assistants',
      );
      const baseId = guide?.assistantKnowledgeBaseIds[0] ?? '';
      await using view = await open('/talk?mode=text');
      const { page } = view;
      for (const [question, answer] of [
        ['Do you sell tandem bicycles?', /do not know/],
        ['How long did the speech take?', /fourteen minutes/],
      ] as const) {
        await page.waitForSelector('#composer:not([disabled])');
        await page.fill('#composer', question);
        await page.press('#composer', 'Enter');
        await view.untilText('.line.assistant .said', answer);
      }
      await page.click('#call');
      await view.untilText('#status', 'Call ended');
      await page.click('text=View call');
      await page.click('[role=tab]:has-text("Tools (2)")');
      await view.untilText('.tool-sources', 'Question');
      await checkPage(view, { name: 'call-sources' });

      await eventually(async () => {
        const { asked } = await service.json<{ asked: number }>(
          `/kb/v1/knowledge-bases/${baseId}/coverage`,
        );
        expect(asked).toBe(2);
      });
      await page.goto(`${service.url}/console/#/knowledge-bases/${baseId}?tab=unanswered`);
      await view.untilText('#coverage', '1 of 2 questions');
      await view.untilText('#unanswered', 'Do you sell tandem bicycles?');
      await checkPage(view, { name: 'knowledge-unanswered' });
      await page.click('#unanswered button:has-text("Answer")');
      expect(await page.inputValue('#faq textarea >> nth=0')).toBe('Do you sell tandem bicycles?');
      await page.fill('#faq textarea >> nth=1', 'No, but we lend them.');
      await page.click('.save-bar .primary');
      await page.locator('.save-bar').waitFor({ state: 'hidden' });
      await page.click('[role=tab]:has-text("Unanswered")');
      await view.untilText('[role=tabpanel]', 'Every question has an answer');
    },
  );

  test('answer a search with passages, and take up a question that they do not answer', async () => {
    await using view = await open('/knowledge-bases');
    const { page } = view;
    await page.click('#knowledge-bases a:has-text("The inaugural address")');
    await page.click('[role=tab]:has-text("Test search")');
    await page.click('form:has(#kb-query) button');
    await page.waitForSelector('#kb-query[aria-invalid=true]');
    await page.fill('#kb-query', 'how long did the speech take');
    await page.press('#kb-query', 'Enter');
    await view.untilText('#hits li >> nth=0', 'fourteen minutes');
    await view.untilText('#hits mark', 'speech');
    await checkPage(view, { name: 'knowledge-search' });
    await page.fill('#kb-query', 'zzyzx quux');
    await page.press('#kb-query', 'Enter');
    await page.click('text=Add this question');
    expect(await page.inputValue('#faq textarea >> nth=0')).toBe('zzyzx quux');
    await checkPage(view, { name: 'knowledge-faq-sample' });
    await page.click('text=Discard');
  });

  test.runIf(isLong)('read web sites, and say at each what is wrong with it', async () => {
    const { id } = await create({ title: 'Sites' });
    await using view = await open(`/knowledge-bases/${id}?tab=web`);
    const { page } = view;
    await page.click('text=Add a web site');
    await page.fill('#kb-url-0', 'help.invalid');
    await page.click('dialog [type=submit]');
    await page.waitForSelector('#kb-url-0[aria-invalid=true]:focus');
    await checkPage(view, { name: 'knowledge-web-new' });
    await page.fill('#kb-url-0', 'http://127.0.0.1:1/help');
    await page.selectOption('dialog select', { label: 'This page and its subpages' });
    await page.press('#kb-url-0', 'Enter');
    await view.untilText('#web-sites .badge', 'Not read');
    await view.untilText('#web-sites .help', 'This page and its subpages');
    await view.untilText('#training .badge', 'Training failed');
    await checkPage(view, { name: 'knowledge-web' });
    await page.selectOption('#kb-retrain', { label: 'Every day' });
    await view.untilToast('Saved.');
    await page.click('[aria-label="Actions for 127.0.0.1:1/help"]');
    await page.click('[role=menuitem]:has-text("Remove")');
    await page.click('dialog .danger');
    await view.untilText('.empty-state', 'Add your web site');
    const base = await service.json<Record<string, unknown>>(`/kb/v1/knowledge-bases/${id}`);
    expect(base).toMatchObject({ docs: [], retrain_frequency_minutes: 1440 });
  });

  test.runIf(isLong)('are given to assistants, and taken away', async () => {
    const { id } = await create({ title: 'Shared' });
    await using view = await open(`/knowledge-bases/${id}?tab=assistants`);
    const { page } = view;
    await page.click('#kb-attach');
    await page.keyboard.type('speech');
    await page.click('[role=option]:has-text("Speech guide")');
    await page.click('.kb-search button[type=submit]');
    await view.untilText('#kb-users li', 'Speech guide');
    await checkPage(view, { name: 'knowledge-users' });
    const bases = async () => {
      const [assistant] = await service.json<{ assistantKnowledgeBaseIds: string[] }[]>(
        '/assistants/v1/assistants',
      );
      return assistant?.assistantKnowledgeBaseIds;
    };
    expect(await bases()).toEqual([expect.any(String), id]);
    await page.click('[aria-label="Remove from Speech guide"]');
    await page.locator('#kb-users').waitFor({ state: 'detached' });
    expect(await bases()).toHaveLength(1);
  });

  test.runIf(isLong)(
    'rename, and delete after confirmation, even with unsaved changes',
    async () => {
      const { id } = await create({ title: 'Old name' });
      await using view = await open(`/knowledge-bases/${id}`);
      const { page } = view;
      await page.click('[aria-label="Actions for Old name"]');
      await page.click('[role=menuitem]:has-text("Rename")');
      await page.fill('#kb-title', 'New name');
      await page.press('#kb-title', 'Enter');
      await view.untilText('#page-title', 'New name');
      await page.click('text=Add a question');
      await page.keyboard.type('Unsaved?');
      await page.click('[aria-label="Actions for New name"]');
      await page.click('[role=menuitem]:has-text("Delete")');
      await checkPage(view, { name: 'knowledge-delete' });
      await page.click('dialog .danger');
      await view.untilText('#knowledge-bases th', 'The inaugural address');
      await expect(service.json(`/kb/v1/knowledge-bases/${id}`)).rejects.toThrow('404');
    },
  );
});
