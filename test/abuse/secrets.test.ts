import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callWithKeys } from '../support/keypad-caller.ts';
import { startLocalServer } from '../support/local-server.ts';
import { SERVICE_KEY, type ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

/** Each stands in a place of its own, so that a leak tells where it came from. */
const SECRETS = {
  toolSecret: 'planted-tool-secret-1f0c',
  toolHeader: 'planted-tool-header-2e1d',
  serverSecret: 'planted-server-secret-3d2e',
  serverHeader: 'planted-server-header-4c3f',
  vendorKey: 'planted-vendor-key-5b40',
  carrierToken: 'planted-carrier-token-6a51',
  apiKey: SERVICE_KEY,
};

/** Whatever the service wrote into its folder, besides the keys that it keeps there. */
async function everythingIn(folder: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    texts.set(path, await readFile(path, 'latin1'));
  }
  return texts;
}

async function textOf(service: ServiceProcess, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${SERVICE_KEY}` };
  const response = await fetch(service.url + path, { headers });
  expect(response.status, path).toBe(200);
  return response.text();
}

test('secrets are in no log, journal, metric or file, whatever fails on the way', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-secrets-'));
  let asked = 0;
  // A server that gives back all it was sent, as its error: vendor, tool and webhook receiver in one.
  await using echo = await startLocalServer((request, response) => {
    asked++;
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: JSON.stringify(request.headers) } }));
  });
  const service = await startTestService(folder, {
    LOG_LEVEL: 'trace',
    ALLOW_PRIVATE_TARGETS: 'true',
    OPENAI_API_KEY: SECRETS.vendorKey,
    OPENAI_BASE_URL: echo.url,
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: SECRETS.carrierToken,
    TWILIO_BASE_URL: echo.url,
  });
  try {
    const tool = await service.json<{ _id: string }>('/assistants/v1/tools', {
      method: 'POST',
      body: {
        function: { name: 'book' },
        server: {
          url: echo.url,
          secret: SECRETS.toolSecret,
          headers: { 'X-Key': SECRETS.toolHeader },
        },
      },
    });
    const assistant = await service.json<{ _id: string }>('/assistants/v1/assistants', {
      method: 'POST',
      body: {
        name: 'Ada',
        welcomeMessage: 'Hello.',
        assistantProvider: 'openai',
        assistantToolIds: [tool._id],
        dtmfInputEnabled: true,
        assistantServer: {
          enabled: true,
          url: echo.url,
          secret: SECRETS.serverSecret,
          headers: { 'X-Key': SECRETS.serverHeader },
        },
      },
    });
    const trial = await service.json<object>(`/assistants/v1/tools/${tool._id}/test`, {
      method: 'POST',
      body: {},
    });
    expect(trial).toMatchObject({ ok: false, status: 401 });
    const { id, over } = await callWithKeys(service, { assistantId: assistant._id, turns: 1 });
    await over;
    await expect.poll(() => asked).toBeGreaterThan(3);

    const call = `/calls/v1/conversations/${id}`;
    // The vendor was asked, and refused with what it was sent.
    await expect
      .poll(() => textOf(service, `${call}/events`), { interval: 300 })
      .toContain('openai refused the credentials');
    const places = new Map([
      ['journal', await textOf(service, `${call}/events`)],
      ['call', await textOf(service, call)],
      ['deliveries', await textOf(service, `${call}/deliveries`)],
      ['metrics', await textOf(service, '/metrics')],
      ['health', await textOf(service, '/readyz')],
    ]);
    await service.stop();
    places.set('log', service.output);
    expect(service.output.length).toBeGreaterThan(1000);
    for (const [path, text] of await everythingIn(join(folder, 'data'))) places.set(path, text);

    const leaks = [...places].flatMap(([place, text]) =>
      Object.entries(SECRETS)
        .filter(([, secret]) => text.includes(secret))
        .map(([name]) => `${name} in ${place}`),
    );
    expect(leaks).toEqual([]);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
