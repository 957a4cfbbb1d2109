import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundlePage } from '../../src/api/console-bundle.ts';
import type { PublicKey } from '../../src/contract/public-key.ts';
import { openChromium } from '../support/chromium.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { docSamples } from '../support/doc-samples.ts';
import { isLong } from '../support/effort.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { axeFaults } from '../support/page-functions.js';
import { sharedService } from '../support/shared-service.ts';

const MOST_BYTES = 20_000;
/** For what happens in real time, on a machine that may be busy. */
const WAIT_MS = 60_000;
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

test('the widget is small', async () => {
  const files = await bundlePage('widget');
  const scripts = [...files].filter(([name]) => name.endsWith('.js') && name !== 'demo.js');
  const bytes = scripts.reduce((sum, [, { body }]) => sum + gzipSync(body).length, 0);
  expect(bytes).toBeGreaterThan(5000);
  expect(bytes).toBeLessThan(MOST_BYTES);
});

const title = chromiumPath
  ? 'the widget on the page of another site'
  : 'the widget on the page of another site (skipped: no Chromium is installed)';

describe.skipIf(!chromiumPath)(title, () => {
  let service: Awaited<ReturnType<typeof sharedService>>;
  let assistantId: string;
  let site: LocalServer;
  /** What the site answers with. */
  let html = '';
  beforeAll(async () => {
    service = await sharedService();
    const [assistant] = await service.json<{ _id: string }[]>('/assistants/v1/assistants');
    assistantId = assistant?._id ?? '';
    site = await startLocalServer((_request, response) => {
      const { host } = new URL(service.url);
      const policy = `default-src 'none'; script-src ${service.url}; connect-src ${service.url} ws://${host}; img-src data:; require-trusted-types-for 'script'`;
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy });
      response.end(html);
    });
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  const makeKey = (fields: object = {}) =>
    service.json<PublicKey>('/auth/v1/public-keys', {
      method: 'POST',
      body: { name: 'Shop', assistantId, origins: [site.url], ...fields },
    });
  /** The sample of the documentation, with this service and key. */
  const showSample = (key: string) => {
    const [sample = ''] = docSamples('widget.md', 'html');
    html = sample
      .replace('https://parley.example.com', service.url)
      .replace(/parley_public_…/, key);
    expect(html).toContain(key);
    expect(html).toContain(service.url);
  };
  const judge = async (page: Page) => {
    // By the debugger, which the page's policy does not bind.
    await page.evaluate(await readFile(AXE, 'utf8'));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const faults = await page.evaluate<string[], string>(axeFaults, 'all');
      // Of the page around the widget.
      expect(faults.filter((fault) => fault.includes('parley-call'))).toEqual([]);
    }
  };

  test('calls by one script tag, with captions, and ends by the same button', async () => {
    const { key } = await makeKey();
    showSample(key);
    await using browser = await openChromium();
    const page = await browser.context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(site.url);
    const button = page.getByRole('button', { name: 'Talk to us' });
    await button.waitFor();
    await judge(page);
    // By keyboard alone.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'In call' }).waitFor();
    await page.getByRole('log').filter({ hasText: 'Hello, I am the speech guide' }).waitFor();
    await page.getByRole('textbox').fill('What your country can do for you?');
    await page.getByRole('textbox').press('Enter');
    await page.getByRole('log').filter({ hasText: 'What your country can do for you?' }).waitFor();
    await page.getByRole('button', { name: 'Mute' }).click();
    await page.getByRole('button', { name: 'Mute', pressed: true }).waitFor();
    await judge(page);
    await page.getByRole('button', { name: 'End call' }).click();
    await page.getByRole('status').filter({ hasText: 'Call ended' }).waitFor();
    await button.waitFor();
    // The browser wants an icon, which the site's policy does not give it.
    expect(complaints.filter((complaint) => !complaint.includes('favicon'))).toEqual([]);
  });

  test('says what the service refuses, in a sentence', async () => {
    const { key } = await makeKey({ origins: ['https://shop.example'] });
    showSample(key);
    await using browser = await openChromium();
    const page = await browser.context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    await page.goto(site.url);
    await page.getByRole('button', { name: 'Talk to us' }).click();
    const alert = page
      .getByRole('alert')
      .filter({ hasText: 'The public key is not for this site.' });
    await alert.waitFor();
    await judge(page);
  });

  test.runIf(isLong)('the demo page calls with the key of its link', async () => {
    const { demoUrl = '' } = await makeKey({ origins: [], demo: true });
    await using browser = await openChromium();
    const page = await browser.context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    await page.goto(demoUrl);
    await page.getByRole('button', { name: 'Talk to us' }).click();
    await page.getByRole('log').filter({ hasText: 'Hello, I am the speech guide' }).waitFor();
    await page.evaluate(await readFile(AXE, 'utf8'));
    expect(await page.evaluate<string[], string>(axeFaults, 'all')).toEqual([]);
  });
});
