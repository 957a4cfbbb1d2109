import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import type { ConsolePage } from '../support/console-page.ts';
import { ConsoleService } from '../support/console-service.ts';
import { isLong } from '../support/effort.ts';
import { checkPage, expectQuiet } from '../support/page-check.ts';

const title = chromiumPath
  ? 'the editor of an assistant'
  : 'the editor of an assistant (skipped: no Chromium is installed)';
const PATH = '/assistants/v1/assistants';

interface Made {
  readonly _id: string;
  readonly [field: string]: unknown;
}

const field = (path: string) => `[id="field-${path}"]`;
const openGroup = (view: ConsolePage, name: string) =>
  view.page.click(`.editor-groups button:has-text("${name}")`);

describe.skipIf(!chromiumPath)(title, { timeout: 180_000 }, () => {
  let host: ConsoleService;
  const make = (body: object) => host.create<Made>(PATH, body);
  const read = (id: string) => host.service.json<Made>(`${PATH}/${id}`);

  beforeAll(async () => {
    host = await ConsoleService.start();
  });

  afterAll(() => host[Symbol.asyncDispose]());

  test.runIf(isLong)(
    'every group is accessible and readable, in both themes, wide and narrow',
    async () => {
      const { _id } = await make({
        name: 'Reception',
        welcomeMessage: 'Good morning, {{customer.name}}. This is {{clinic}}.',
        assistantSystemPrompt: 'You answer the phone of {{clinic}}. Today is {{date}}.',
        assistantPredefinedTools: { endCall: true, knowledgeBase: true, callForward: true },
        endCallPhrases: ['Goodbye.', 'Have a nice day.'],
        hints: ['Parley', 'Dr. Okonkwo'],
        userInterruptionAckPlan: { enabled: true, phrases: ['Sure, go ahead.'] },
        assistantAnalysis: {
          summary: { enabled: true },
          successEvaluation: { enabled: true },
          structuredData: { enabled: true },
        },
        assistantServer: { enabled: true, url: 'https://example.com/calls', secret: 'hush' },
        smsConfiguration: { enabled: true, sameAsAssistant: false },
        persistHistory: { enabled: true },
        assistantOverrides: { recordingEnabled: false, dynamicVariables: { clinic: 'Elm Street' } },
      });
      await using view = await host.open(`/assistants/${_id}`);
      const { page } = view;
      await view.untilText('h1', 'Reception');
      const groups = await page.locator('.editor-group').allInnerTexts();
      expect(groups.length).toBe(12);
      for (const name of groups) {
        await openGroup(view, name);
        await view.untilText('.editor-panel h2', name);
        await checkPage(view, { name: `assistant-${name.toLowerCase().replaceAll(' ', '-')}` });
      }
    },
  );

  test('saves only what changed, and by the keyboard', async () => {
    const made = await make({ name: 'Sales', assistantTemperature: 0.3 });
    await using view = await host.open(`/assistants/${made._id}`);
    const { page } = view;
    const bodies: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') bodies.push(request.postDataJSON());
    });
    await page.waitForSelector(field('welcomeMessage'));
    expect(await view.layoutShift()).toBeLessThan(0.05);
    await page.fill(field('welcomeMessage'), 'Hello.');
    await view.untilText('.save-bar', '1 unsaved change');
    await openGroup(view, 'Model');
    await page.fill(field('assistantTemperature'), '');
    await openGroup(view, 'Voice');
    await page.click('.form-folded summary');
    await page.fill(field('config.speech.ttsData.0.config.speed'), '1.25');
    await view.untilText('.save-bar', '3 unsaved changes');
    await checkPage(view, { name: 'assistant-unsaved' });
    await page.keyboard.press('Control+s');
    await view.untilToast('Saved.');
    await page.locator('.save-bar').waitFor({ state: 'hidden' });
    const [body] = bodies as Record<string, unknown>[];
    expect(Object.keys(body ?? {}).sort()).toEqual([
      'assistantTemperature',
      'config',
      'welcomeMessage',
    ]);
    const saved = await read(made._id);
    expect(saved).toMatchObject({
      welcomeMessage: 'Hello.',
      assistantTemperature: 0.7,
      config: { speech: { ttsData: [{ config: { speed: 1.25 } }] } },
    });
    expectQuiet(view);
  });

  test('shows errors at their fields before and after submitting, with links to them', async () => {
    const { _id } = await make({ name: 'Support' });
    await using view = await host.open(`/assistants/${_id}?part=telephone`);
    const { page } = view;
    await page.fill(field('callForwardData.phoneNumber'), 'reception');
    await page.press(field('callForwardData.phoneNumber'), 'Tab');
    await view.untilText('.field-fault', 'Must be a phone number in E.164 form');
    await openGroup(view, 'Webhooks');
    // Only the service knows of this rule between two fields.
    await page.click(field('assistantServer.enabled'));
    await page.keyboard.press('Control+s');
    await view.untilText('.fault-summary', 'Fix 1 field');
    await page.click('.fault-summary button:has-text("Transfer to, Phone number")');
    await page.waitForSelector(`${field('callForwardData.phoneNumber')}:focus`);
    await page.fill(field('callForwardData.phoneNumber'), '+14155550123');
    await page.click('.save-bar .primary');
    await view.untilText('.fault-summary', 'Webhooks, URL');
    // The browser itself notes each answer that refuses.
    expect(view.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await checkPage(view, { name: 'assistant-faults' });
    await page.click('.fault-summary button:has-text("URL")');
    await page.waitForSelector(`${field('assistantServer.url')}:focus`);
    await page.fill(field('assistantServer.url'), 'https://example.com');
    await page.click('.save-bar .primary');
    await view.untilToast('Saved.');
    await page.locator('.fault-summary').waitFor({ state: 'detached' });
    expect(await read(_id)).toMatchObject({
      callForwardData: { phoneNumber: '+14155550123' },
      assistantServer: { enabled: true, url: 'https://example.com' },
    });
  });

  test.runIf(isLong)(
    'keeps other people’s changes, and asks when both changed the same field',
    async () => {
      const { _id } = await make({ name: 'Two hands' });
      await using view = await host.open(`/assistants/${_id}`);
      const { page } = view;
      const others = (body: object) =>
        host.service.json(`${PATH}/${_id}`, { method: 'PATCH', body });
      await page.fill(field('welcomeMessage'), 'Mine.');
      await others({ maxCallDuration: 42 });
      await page.click('.save-bar .primary');
      await view.untilToast('Saved.');
      expect(await read(_id)).toMatchObject({ welcomeMessage: 'Mine.', maxCallDuration: 42 });

      await page.fill(field('welcomeMessage'), 'Mine again.');
      await others({ welcomeMessage: 'Theirs.' });
      await page.click('.save-bar .primary');
      await view.untilText('.callout', 'Someone else has changed the same fields: Welcome message');
      expect(await read(_id)).toMatchObject({ welcomeMessage: 'Theirs.' });
      expect(await page.inputValue(field('welcomeMessage'))).toBe('Mine again.');
      await page.click('.save-bar .primary');
      await page.locator('.callout').waitFor({ state: 'detached' });
      expect(await read(_id)).toMatchObject({ welcomeMessage: 'Mine again.' });
    },
  );

  test.runIf(isLong)(
    'asks before leaving unsaved changes, and restores the stored values on discard',
    async () => {
      const { _id } = await make({ name: 'Careful' });
      await using view = await host.open(`/assistants/${_id}`);
      const { page } = view;
      await page.fill(field('name'), 'Careless');
      await page.click('nav a:has-text("Calls")');
      await page.waitForSelector('dialog');
      await page.keyboard.press('Escape');
      await page.click('.save-bar button:has-text("Discard")');
      expect(await page.inputValue(field('name'))).toBe('Careful');
      await page.click('nav a:has-text("Calls")');
      await view.untilText('h1', 'Calls');
    },
  );

  test.runIf(isLong)(
    'has no sound behind it, the built-in one or a file of one’s own',
    async () => {
      const { _id } = await make({ name: 'Hall' });
      await using view = await host.open(`/assistants/${_id}`);
      const { page } = view;
      const sound = field('backgroundSound');
      const save = async (value: string) => {
        await page.click('.save-bar .primary');
        await page.locator('.save-bar').waitFor({ state: 'hidden' });
        expect(await read(_id)).toMatchObject({ backgroundSound: value });
      };
      await openGroup(view, 'Voice');
      expect(await page.locator(field('backgroundSoundVolume')).count()).toBe(0);
      await page.selectOption(sound, { label: 'Built-in ambience' });
      await page.waitForSelector(field('backgroundSoundVolume'));
      await save('enable');
      await page.selectOption(sound, { label: 'Your own audio file' });
      expect(await page.inputValue(sound)).toBe('https://');
      await page.fill(sound, 'https://example.com/hall.mp3');
      await save('https://example.com/hall.mp3');
      const choice = field('backgroundSound.choice');
      await page.selectOption(choice, { label: 'None' });
      // The address is remembered as long as the page is open.
      await page.selectOption(sound, { label: 'Your own audio file' });
      expect(await page.inputValue(sound)).toBe('https://example.com/hall.mp3');
      await page.selectOption(choice, { label: 'None' });
      await save('disable');
    },
  );

  test.runIf(isLong)('edits a workflow: steps, transitions, picture and errors', async () => {
    const { _id } = await make({ name: 'Led' });
    await using view = await host.open(`/assistants/${_id}`);
    const { page } = view;
    await page.selectOption(field('assistantType'), 'workflow_based');
    await openGroup(view, 'Workflow');
    await view.untilText('.workflow-step', 'Greeting');
    await page.fill(field('assistantWorkflow.nodes.0.id'), 'hello');
    await page.press(field('assistantWorkflow.nodes.0.id'), 'Tab');
    expect(await page.inputValue(field('assistantWorkflow.start'))).toBe('hello');
    await checkPage(view, { name: 'assistant-workflow-picture' });
    await page.click('button:has-text("Add a step")');
    await page.fill(field('assistantWorkflow.nodes.2.name'), 'Booking');
    await view.untilText('.workflow-step[data-kind=stray]', 'Booking');
    await page.click('.save-bar .primary');
    await view.untilText('.fault-summary', 'Has neither an edge nor end');
    expect(view.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    for (const [index, from, to] of [
      [1, 'hello', 'step-3'],
      [2, 'step-3', 'farewell'],
    ] as const) {
      await page.click('button:has-text("Add a transition")');
      await page.selectOption(field(`assistantWorkflow.edges.${index}.from`), from);
      await page.selectOption(field(`assistantWorkflow.edges.${index}.to`), to);
    }
    await page.fill(field('assistantWorkflow.edges.1.condition.description'), 'Wants to book.');
    await page.selectOption(field('assistantWorkflow.edges.2.condition.type'), 'variable');
    await page.fill(field('assistantWorkflow.edges.2.condition.name'), 'day');
    await page.selectOption(field('assistantWorkflow.edges.2.condition.operator'), 'exists');
    await checkPage(view, { name: 'assistant-workflow' });
    await page.click('.save-bar .primary');
    await view.untilToast('Saved.');
    expect(await read(_id)).toMatchObject({
      assistantType: 'workflow_based',
      assistantWorkflow: {
        start: 'hello',
        nodes: [{ id: 'hello' }, { id: 'farewell' }, { id: 'step-3', name: 'Booking' }],
        edges: [
          { from: 'hello', to: 'farewell' },
          { from: 'hello', to: 'step-3', condition: { description: 'Wants to book.' } },
          { from: 'step-3', condition: { type: 'variable', name: 'day', operator: 'exists' } },
        ],
      },
    });
    await openGroup(view, 'Conversation');
    await page.selectOption(field('assistantType'), 'single_prompt');
    await page.click('.save-bar .primary');
    await expect.poll(async () => (await read(_id)).assistantWorkflow).toBeUndefined();
  });
});
