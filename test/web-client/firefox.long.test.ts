import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PublicKey } from '../../src/contract/public-key.ts';
import { docSamples } from '../support/doc-samples.ts';
import { type Firefox, firefoxMissing, openFirefox } from '../support/firefox.ts';
import { installLibraries, serveTenLines } from '../support/library-folder.ts';
import type { LocalServer } from '../support/local-server.ts';
import { showsText } from '../support/page-functions.js';
import { sharedService } from '../support/shared-service.ts';

const AUDIBLE = 0.01;

/** A page that keeps all that it is told of its call, and every socket. */
const WATCHED = `<!doctype html>
<button>Call</button>
<output></output>
<script type="module">
  import { WebCall } from './node_modules/@parley/web/index.js';
  const Socket = WebSocket;
  const sockets = [];
  globalThis.WebSocket = class extends Socket {
    constructor(...args) {
      super(...args);
      sockets.push(this);
    }
  };
  const seen = (globalThis.seen = { phases: [], said: [], silenced: 0, stats: undefined, level: -1000 });
  globalThis.loseSocket = () => sockets.at(-1).close();
  const connect = async () => (await fetch('/call', { method: 'POST' })).text();
  const handlers = {
    onPhase: (phase) => seen.phases.push(phase),
    onTranscript: ({ role, text, final }) => final && seen.said.push(role + ': ' + text),
    onSilenced: () => seen.silenced++,
    onStats: (stats) => (seen.stats = stats),
    onLevel: ({ role, db }) => role === 'user' && (seen.level = db),
  };
  document.querySelector('button').onclick = async () => {
    try {
      globalThis.call = await WebCall.start(connect, handlers);
    } catch (error) {
      document.querySelector('output').textContent = String(error);
    }
  };
</script>`;

describe.skipIf(firefoxMissing)(
  `in Firefox${firefoxMissing ? ` (skipped: ${firefoxMissing})` : ''}`,
  () => {
    let service: Awaited<ReturnType<typeof sharedService>>;
    let libraries: Awaited<ReturnType<typeof installLibraries>>;
    let site: LocalServer;
    let firefox: Firefox;
    beforeAll(async () => {
      service = await sharedService();
      libraries = await installLibraries();
      site = await serveTenLines(libraries.folder, service);
      await writeFile(join(libraries.folder, 'watched.html'), WATCHED);
      firefox = await openFirefox();
    });
    afterAll(async () => {
      for (const one of [firefox, site, libraries, service]) await one?.[Symbol.asyncDispose]();
    });

    const shows = (page: Page, selector: string, text: string) =>
      page.waitForFunction(showsText, {}, selector, text);
    const untilLoud = (loud: boolean) =>
      expect.poll(() => firefox.loudness() > AUDIBLE, { interval: 20 }).toBe(loud);

    test('the page of ten lines talks: it hears a voice, and is heard', async () => {
      const { page, complaints } = await firefox.openPage(site.url);
      await page.click('button');
      await untilLoud(true);
      await shows(page, 'ol', 'assistant: Hello, I am the speech guide');
      await untilLoud(false);
      // Again, for a machine that is too busy to hear it the first time.
      const heard = shows(page, 'ol', 'user: What your country can do for you?');
      let isHeard = false;
      void heard.then(() => (isHeard = true));
      for (let tries = 0; tries < 3 && !isHeard; tries++) {
        await firefox.say('what-your-country-can-do.wav');
        await Promise.race([heard, new Promise((later) => setTimeout(later, 12_000))]);
      }
      await heard;
      await shows(page, 'ol', 'assistant: That is the wrong way round');
      await untilLoud(true);
      expect(complaints.filter((one) => !one.includes('favicon'))).toEqual([]);
      await page.close();
    });

    test('a reply is cleared when it is interrupted, a lost connection is taken up again', async () => {
      const { page, complaints } = await firefox.openPage(`${site.url}/watched.html`);
      const seen = () =>
        page.evaluate(() => {
          const { seen: all } = globalThis as unknown as { seen: Record<string, never> };
          return all as unknown as {
            readonly phases: readonly string[];
            readonly said: readonly string[];
            readonly silenced: number;
            readonly level: number;
            readonly stats: { readonly playedMs: number } | undefined;
          };
        });
      const tell = (code: string) => page.evaluate(`void (${code})`);
      const said = (text: string) =>
        expect.poll(async () => (await seen()).said.join('\n')).toContain(text);
      await page.click('button');
      await said('assistant: Hello, I am the speech guide');
      expect((await seen()).phases).toEqual(['live']);
      // The answer is to be what is loud, not the end of the welcome.
      await untilLoud(false);
      await tell(`call.sendText('What your country can do for you?')`);
      await untilLoud(true);
      const { silenced } = await seen();
      await tell(`call.sendText('Ask what you can do for your country.')`);
      await expect.poll(async () => (await seen()).silenced).toBeGreaterThan(silenced);
      // Who interrupts before a word was heard is answered both questions at once.
      await said('That is the most famous line');
      expect((await seen()).stats).toMatchObject({ playedMs: expect.any(Number) });

      await tell('loseSocket()');
      await expect
        .poll(async () => (await seen()).phases)
        .toEqual(['live', 'reconnecting', 'live']);
      await tell(`call.setMuted(true)`);
      await expect.poll(async () => (await seen()).level).toBeLessThan(-80);
      await tell(`call.sendText('When was the speech given?')`);
      await said('user: When was the speech given?');
      await untilLoud(true);
      await tell('call.hangUp()');
      await expect.poll(async () => (await seen()).phases.at(-1)).toBe('ended');
      await untilLoud(false);
      expect(complaints.filter((one) => !one.includes('favicon'))).toEqual([]);
      await page.close();
    });

    test('the widget calls from another site, and ends by the same button', async () => {
      const [assistant] = await service.json<{ _id: string }[]>('/assistants/v1/assistants');
      const body = { name: 'Shop', assistantId: assistant?._id, origins: [site.url] };
      const { key } = await service.json<PublicKey>('/auth/v1/public-keys', {
        method: 'POST',
        body,
      });
      const [sample = ''] = docSamples('widget.md', 'html');
      const html = sample
        .replace('https://parley.example.com', service.url)
        .replace(/parley_public_…/, key);
      await writeFile(join(libraries.folder, 'shop.html'), html);
      const { page } = await firefox.openPage(`${site.url}/shop.html`);
      const inside = (text: string) => shows(page, 'parley-call', text);
      const button = page.locator('parley-call >>> .call');
      await inside('Talk to us');
      await button.click();
      await inside('End call');
      await inside('Hello, I am the speech guide');
      await untilLoud(true);
      await button.click();
      await inside('Call ended');
      await page.close();
    });

    test('the console’s page for talking holds a call by microphone', async () => {
      const { page, complaints } = await firefox.openPage(`${service.url}/console/#/talk`);
      await page.locator('#key').fill(service.key);
      await page.keyboard.press('Enter');
      await page.locator('#call:not([disabled])').click();
      await shows(page, '#status', 'In call');
      await shows(page, 'main', 'Hello, I am the speech guide');
      await untilLoud(true);
      await page.locator('#call').click();
      await shows(page, '#status', 'Call ended');
      expect(complaints).toEqual([]);
      await page.close();
    });

    test('a page learns it where nothing can play sound, instead of waiting for ever', async () => {
      await using silent = await openFirefox({ soundCard: false });
      const { page } = await silent.openPage(`${site.url}/watched.html`);
      await page.click('button');
      await shows(page, 'output', 'InvalidStateError: The browser plays no sound');
    });
  },
);
