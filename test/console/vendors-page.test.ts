import { expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsoleService } from '../support/console-service.ts';
import { isLong } from '../support/effort.ts';
import { checkPage } from '../support/page-check.ts';

interface Vendors {
  readonly accounts: readonly { readonly vendor: string; readonly account: string }[];
}

test.skipIf(!chromiumPath)(
  'a key is set, its test says what is wrong, the editor says that it is ready, and it is removed',
  { timeout: 120_000 },
  async () => {
    await using host = await ConsoleService.start();
    const { service } = host;
    const accountOf = async (name: string) =>
      (await service.json<Vendors>('/vendors/v1/vendors')).accounts.find(
        ({ vendor }) => vendor === name,
      )?.account;
    const { _id } = await host.create<{ _id: string }>('/assistants/v1/assistants', {
      name: 'With a vendor',
      assistantProvider: 'custom-llm',
      assistantLLMUrl: 'https://models.example/v1',
    });
    await using view = await host.open(`/assistants/${_id}?part=model`);
    const { page } = view;
    await page.selectOption('#field-assistantProvider', 'deepseek');
    await view.untilText('#field-assistantProvider option:checked', 'DeepSeek – needs a key');
    await view.untilText('main', 'DeepSeek needs a key: until then, calls are refused.');
    const warning = page.locator('.toast:has-text("calls with this assistant are refused")');
    const save = async (provider: string) => {
      await page.selectOption('#field-assistantProvider', provider);
      await page.click('.save-bar .primary');
    };
    await save('deepseek');
    await warning.waitFor();
    // It goes once it is not true any more, and when the page is left.
    await save('offline');
    await warning.waitFor({ state: 'detached' });
    await save('deepseek');
    await warning.waitFor();
    await expect
      .poll(async () => {
        await page.click('nav a:has-text("Overview")');
        await page.click('nav a:has-text("Vendors")');
        return warning.count();
      })
      .toBe(0);

    await page.click('nav a:has-text("Vendors")');
    await view.untilText('#vendor-deepseek .badge', 'needs a key');
    await page.click('[aria-label="Set key of DeepSeek"]');
    await page.click('dialog [type=submit]');
    await page.waitForSelector('#vendor-key[aria-invalid="true"]');
    await page.fill('#vendor-key', 'sk-of-the-page-0123456789');
    await page.press('#vendor-key', 'Enter');
    await view.untilText('#vendor-deepseek .badge', 'ready: your key');
    expect(await accountOf('deepseek')).toBe('team');
    // There is no way out of this network, which the test says.
    await page.click('[aria-label="Test DeepSeek"]');
    await view.untilText('#vendor-deepseek .vendor-tests', /failed\s*DeepSeek, language model/);
    await checkPage(view, { name: 'vendors' });

    await page.click('[aria-label="Remove key of DeepSeek"]');
    await page.click('dialog .danger');
    await view.untilText('#vendor-deepseek .badge', 'needs a key');
    expect(await accountOf('deepseek')).toBe('none');
    expect(await page.content()).not.toContain('sk-of-the-page');
  },
);

test.runIf(isLong && chromiumPath)(
  'a voice is chosen by its name and language, and heard',
  { timeout: 120_000 },
  async () => {
    await using host = await ConsoleService.start();
    const { _id } = await host.create<{ _id: string }>('/assistants/v1/assistants', { name: 'V' });
    await using view = await host.open(`/assistants/${_id}?part=voice`);
    const { page } = view;
    await view.untilText('#page-title', 'V');
    const voice = page.locator('[id="field-config.speech.ttsData.0.voice"]');
    await voice.click();
    await page.locator('[role=option]:has-text("awb")').click();
    await expect.poll(() => voice.inputValue()).toBe('awb');
    const heard = page.waitForResponse((response) => response.url().endsWith('/vendors/v1/speech'));
    await page.click('.voice-choice >> text=Play');
    expect((await heard).headers()['content-type']).toBe('audio/wav');
    expect(JSON.parse((await heard).request().postData() ?? '')).toMatchObject({
      vendor: 'offline',
      voice: 'awb',
    });
    await checkPage(view, { name: 'voices' });
  },
);
