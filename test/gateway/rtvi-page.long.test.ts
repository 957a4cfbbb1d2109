import { resolve } from 'node:path';
import * as esbuild from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PublicKey } from '../../src/contract/public-key.ts';
import { openChromium } from '../support/chromium.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { docSamples } from '../support/doc-samples.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { sharedService } from '../support/shared-service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const WAIT_MS = 60_000;
/** What the test needs of the page beside what stands in the documentation. */
const TOLD = `
globalThis.client = client;
globalThis.told = [];
for (const event of Object.values(RTVIEvent))
  client.on(event, (data) => { if (!/Level/.test(event)) told.push([event, data]); });
`;

const title = chromiumPath
  ? 'a page of client-js'
  : 'a page of client-js (skipped: no Chromium is installed)';

describe.skipIf(!chromiumPath)(title, () => {
  let service: Awaited<ReturnType<typeof sharedService>>;
  let site: LocalServer;
  let html = '';
  beforeAll(async () => {
    service = await sharedService();
    site = await startLocalServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    });
    const [assistant] = await service.json<{ _id: string }[]>('/assistants/v1/assistants');
    const { key } = await service.json<PublicKey>('/auth/v1/public-keys', {
      method: 'POST',
      body: { name: 'Pipecat', assistantId: assistant?._id, origins: [site.url], callsAtOnce: 20 },
    });
    html = await built(key, service.url);
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  /** Begins a call in a page that was just opened; its id. */
  const begin = async (page: Page): Promise<string> => {
    await page.goto(site.url);
    await page.click('button');
    await page.waitForFunction(`told.some(([name]) => name === 'botReady')`);
    return page.evaluate<string>(`told.find(([name]) => name === 'botReady')[1].about.call_id`);
  };
  const eventsOf = async (callId: string): Promise<string> => {
    const headers = { authorization: `Bearer ${service.key}` };
    const path = `/calls/v1/conversations/${callId}/events`;
    return (await fetch(service.url + path, { headers })).text();
  };
  /** A call with a recogniser: to load it may take longer, on a busy machine, than a call waits for it. */
  const beginHeard = async (page: Page): Promise<string> => {
    for (;;) {
      const callId = await begin(page);
      const settled = /"type":"(stt\.ready|stt\.error)"/;
      await expect.poll(() => eventsOf(callId)).toMatch(settled);
      if (settled.exec(await eventsOf(callId))?.[1] === 'stt.ready') return callId;
    }
  };

  test('is answered, writes, is told what happens, and hangs up', async () => {
    await using browser = await openChromium();
    const page = await browser.context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    const callId = await beginHeard(page);
    const event = async (name: string, test = 'true') => {
      const isTold = `told.some(([name, data]) => name === '${name}' && ${test})`;
      await page.waitForFunction(isTold).catch(async (cause: unknown) => {
        const told = await page.evaluate<string>('told.map((one) => JSON.stringify(one)).join()');
        throw new Error(`${name} was not told, but ${told}`, { cause });
      });
    };
    await event('botReady', `data.version === '2.1.0' && data.about.library === 'parley'`);
    await event('botStartedSpeaking');
    await event('botOutput', `data.spoken_status === 'new'`);
    await page.locator('ol', { hasText: 'Hello, I am the speech guide' }).waitFor();
    await page.evaluate(`client.sendText('What your country can do for you?')`);
    await event('userTranscript', `data.final && /your country/.test(data.text)`);
    await event('botLlmStarted');
    await event('botLlmText', 'data.text.includes("ask not")');
    await event(
      'llmFunctionCallStopped',
      'data.tool_call_id !== undefined && data.result === undefined',
    );
    await event('metrics', 'data.processing[0].value > 0');
    await event('botTtsText');
    const answer = await page.evaluate(
      `client.sendClientRequest('anything').catch((error) => error.data.error)`,
    );
    expect(answer).toBe('Nobody answers this.');
    await page.evaluate(`client.sendDTMF('5#')`);
    await page.evaluate('client.disconnectBot()');
    await event('serverMessage', `data.type === 'ended'`);
    const reasons = await page.evaluate<string[]>(
      `told.filter(([name, data]) => name === 'serverMessage' && data.type === 'ended').map(([, data]) => data.reason)`,
    );
    expect(reasons).toEqual(['user-hung-up']);
    await expect
      .poll(() => service.json(`/calls/v1/conversations/${callId}`))
      .toMatchObject({ status: 'finished', endReason: 'user-hung-up' });
    expect(
      asked.filter(
        (url) =>
          ![site.url, service.url].some((own) => url.startsWith(own)) && !url.startsWith('blob:'),
      ),
    ).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('hangs up by closing its socket', async () => {
    await using browser = await openChromium();
    const page = await browser.context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    const callId = await begin(page);
    await page.evaluate('client.disconnect()');
    await expect
      .poll(() => service.json(`/calls/v1/conversations/${callId}`))
      .toMatchObject({ status: 'finished', endReason: 'user-hung-up' });
  });
});

/** The page of the documentation as a bundler makes it, with this key and service. */
async function built(key: string, serviceUrl: string): Promise<string> {
  const [sample = ''] = docSamples('rtvi.md', 'html');
  const [, script = ''] = /<script type="module">(.*)<\/script>/s.exec(sample) ?? [];
  const own = script
    .replace('parley_public_…', key)
    .replace('https://parley.example.com', serviceUrl)
    .replace('{ PipecatClient }', '{ PipecatClient, RTVIEvent }');
  const { outputFiles } = await esbuild.build({
    stdin: { contents: own + TOLD, resolveDir: ROOT },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
  const [file] = outputFiles;
  // A replacement as text would read its dollar signs.
  return sample.replace(script, () => (file?.text ?? '').replaceAll('</script', '<\\/script'));
}
