import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PUBLIC_REFUSALS, type PublicKeyConfig } from '../../src/contract/public-key.ts';
import { finishCall, getCall, updateCall } from '../../src/store/calls.ts';
import { suspendTeam } from '../../src/store/teams.ts';
import { createClient, startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const KEYS = '/auth/v1/public-keys';
const CALLS = '/public/v1/calls';
const SITE = 'https://shop.example';
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

withDatabase('public keys', ({ db, newTeam }) => {
  let nowMs = Date.UTC(2026, 4, 1, 10);
  let api: TestApi;
  let ada: TestClient;
  let assistantId: string;
  beforeAll(async () => {
    api = await startTestApi(db(), { now: () => nowMs });
  });
  beforeEach(async () => {
    ada = await api.client(await newTeam());
    assistantId = (await ada.post('/assistants/v1/assistants', { name: 'Guide' })).body._id;
  });
  afterAll(() => api.close());

  const makeKey = async (fields: Partial<PublicKeyConfig> = {}) => {
    const config = { name: 'Shop', assistantId, origins: [SITE], ...fields };
    const made = await ada.post(KEYS, config);
    expect(made.status, made.text).toBe(201);
    return made.body;
  };
  /** As the page of a site asks. */
  const start = (key: string, headers: Record<string, string> = { origin: SITE }, more = {}) =>
    createClient(api.app, { key: '', teamId: '' }).post(CALLS, { key, ...more }, headers);
  const refused = (code: keyof typeof PUBLIC_REFUSALS, status: number) => ({
    status,
    body: { error: code, message: PUBLIC_REFUSALS[code] },
  });
  const answer = (id: string) =>
    updateCall(db(), {
      ...{ teamId: ada.teamId, id },
      change: { status: 'ongoing', answeredAt: new Date(nowMs) },
    });
  const callIds = async () => {
    const { body } = await ada.get('/calls/v1/conversations?size=100');
    return (body.conversations as { id: string }[]).map(({ id }) => id);
  };

  test('a key is made, listed, changed and deleted', async () => {
    const key = await makeKey();
    expect(key).toMatchObject({
      key: expect.stringMatching(/^parley_public_[\w-]{43}$/),
      ...{ demo: false, callsAtOnce: 3, minutesPerDay: 60, minutesPerCall: 10 },
    });
    expect(key).not.toHaveProperty('demoUrl');
    expect((await ada.get(KEYS)).body).toEqual([key]);
    const changed = await ada.patch(`${KEYS}/${key.id}`, { demo: true, minutesPerDay: 5 });
    expect(changed.body).toEqual({
      ...{ ...key, demo: true, minutesPerDay: 5 },
      demoUrl: `http://parley.test/widget/demo.html#${key.key}`,
    });
    expect((await ada.delete(`${KEYS}/${key.id}`)).body).toEqual({ id: key.id });
    expect((await ada.get(KEYS)).body).toEqual([]);
    expect(await start(key.key)).toMatchObject(refused('unknown-key', 404));
  });

  test.each([
    [{ origins: ['shop.example'] }],
    [{ origins: ['https://shop.example/'] }],
    [{ origins: ['https://*.example'] }],
    [{ origins: ['file://'] }],
    [{ origins: [] }],
    [{ callsAtOnce: 0 }],
    [{ callsAtOnce: 101 }],
    [{ minutesPerDay: 10_001 }],
    [{ minutesPerCall: 121 }],
    [{ name: ' ' }],
    [{ key: 'mine' }],
  ])('%j is refused', async (fields) => {
    const config = { name: 'Shop', assistantId, origins: [SITE], ...fields };
    expect((await ada.post(KEYS, config)).status).toBe(400);
  });

  test('a key that nobody could use is refused when it is changed, too', async () => {
    const { id } = await makeKey();
    const { status, body } = await ada.patch(`${KEYS}/${id}`, { origins: [] });
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^origins: must name/)]);
  });

  test('another team’s keys and assistants are not there', async () => {
    const eve = await api.client(await newTeam());
    const { id } = await makeKey();
    expect((await eve.patch(`${KEYS}/${id}`, { name: 'Mine' })).status).toBe(404);
    expect((await eve.delete(`${KEYS}/${id}`)).status).toBe(404);
    const stolen = await eve.post(KEYS, { name: 'X', assistantId, origins: [SITE] });
    expect(stolen.status).toBe(404);
    const { body: own } = await eve.post('/assistants/v1/assistants', { name: 'Other' });
    expect((await ada.patch(`${KEYS}/${id}`, { assistantId: own._id })).status).toBe(404);
  });

  test('a page gets the address of a call and nothing more; the team sees where it came from', async () => {
    const { key, id } = await makeKey();
    const { status, body, headers } = await start(key);
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['url', 'expiresAt']);
    expect(body.url).toMatch(/^ws:\/\/parley\.test\/media\/web\/[\w-]{43}$/);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    const [callId = ''] = await callIds();
    const call = await getCall(db(), { teamId: ada.teamId, id: callId });
    expect(call).toMatchObject({ publicKeyId: id, assistantId, callType: 'web' });
    expect((await ada.get(`/calls/v1/conversations/${callId}`)).body.metadata).toEqual({
      publicKey: 'Shop',
      origin: SITE,
    });
  });

  test('a browser that asks first is told that it may', async () => {
    const { statusCode, headers } = await api.app.inject({
      method: 'OPTIONS',
      url: CALLS,
      headers: { origin: SITE, 'access-control-request-method': 'POST' },
    });
    expect(statusCode).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type',
    });
    const other = await api.app.inject({ method: 'OPTIONS', url: KEYS, headers: { origin: SITE } });
    expect(other.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('the key opens nothing else, and takes no wishes', async () => {
    const { key } = await makeKey();
    const stranger = createClient(api.app, { key, teamId: ada.teamId });
    expect((await stranger.get('/assistants/v1/assistants')).status).toBe(401);
    expect((await stranger.get(KEYS)).status).toBe(401);
    const wish = { assistantOverrides: { recordingEnabled: false } };
    expect(await start(key, { origin: SITE }, wish)).toMatchObject({
      status: 400,
      body: { error: 'invalid', message: expect.stringContaining('assistantOverrides') },
    });
  });

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['the same site without TLS', { origin: 'http://shop.example' }],
    ['another port', { origin: 'https://shop.example:8443' }],
    ['a sandbox', { origin: 'null' }],
    ['what is no browser', {}],
    ['the demo page, which is off', { origin: 'http://parley.test' }],
  ] as [string, Record<string, string>][])('%s is refused', async (_name, headers) => {
    const { key } = await makeKey();
    expect(await start(key, headers)).toMatchObject(refused('origin-not-allowed', 403));
    expect(await callIds()).toEqual([]);
  });

  test('the demo page may use a key that allows it', async () => {
    const { key } = await makeKey({ demo: true, origins: [] });
    expect((await start(key, { origin: 'http://parley.test' })).status).toBe(201);
    expect(await start(key)).toMatchObject(refused('origin-not-allowed', 403));
  });

  test('no more calls at once than the key allows, however many ask at once', async () => {
    const { key } = await makeKey({ callsAtOnce: 2 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => start(key)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 429, 429, 429, 429]);
    const busy = answers.find(({ status }) => status === 429);
    expect(busy).toMatchObject({
      ...refused('calls-at-once', 429),
      headers: { 'retry-after': '5' },
    });
    const [first = ''] = await callIds();
    await finishCall(db(), {
      teamId: ada.teamId,
      id: first,
      endReason: 'user-hung-up',
      endAt: new Date(nowMs),
    });
    expect((await start(key)).status).toBe(201);
  });

  test('all calls of a day together last no longer than the key allows', async () => {
    const { key } = await makeKey({ minutesPerDay: 15, minutesPerCall: 10 });
    const minutesOf = async (id: string) =>
      (await getCall(db(), { teamId: ada.teamId, id })).snapshot.assistant.maxCallDuration;
    const talked = async (id: string, ms: number) => {
      await answer(id);
      nowMs += ms;
      await finishCall(db(), {
        teamId: ada.teamId,
        id,
        endReason: 'user-hung-up',
        endAt: new Date(nowMs),
      });
    };
    expect((await start(key)).status).toBe(201);
    const [first = ''] = await callIds();
    expect(await minutesOf(first)).toBe(10);
    // The first one may go on for ten minutes, so that five are left.
    expect((await start(key)).status).toBe(201);
    const second = (await callIds()).find((id) => id !== first) ?? '';
    expect(await minutesOf(second)).toBe(5);
    expect(await start(key)).toMatchObject(refused('minutes-per-day', 429));
    await talked(second, 30_000);
    await talked(first, 9.6 * MINUTE_MS);
    expect((await start(key)).status).toBe(201);
    const [third = ''] = (await callIds()).filter((id) => id !== first && id !== second);
    expect(await minutesOf(third)).toBe(4);
    await talked(third, 4 * MINUTE_MS);
    expect(await start(key)).toMatchObject(refused('minutes-per-day', 429));
    nowMs += DAY_MS;
    expect((await start(key)).status).toBe(201);
  });

  test('an assistant’s own limit holds if it is the lower one', async () => {
    await ada.patch(`/assistants/v1/assistants/${assistantId}`, { maxCallDuration: 2 });
    const { key } = await makeKey();
    await start(key);
    const [id = ''] = await callIds();
    const { snapshot } = await getCall(db(), { teamId: ada.teamId, id });
    expect(snapshot.assistant.maxCallDuration).toBe(2);
  });

  test('a key goes with its assistant', async () => {
    const { key } = await makeKey();
    await ada.delete(`/assistants/v1/assistants/${assistantId}`);
    expect((await ada.get(KEYS)).body).toEqual([]);
    expect(await start(key)).toMatchObject(refused('unknown-key', 404));
  });

  test('what is wrong with the team is not told to visitors', async () => {
    const { key } = await makeKey();
    await suspendTeam(db(), {
      teamId: ada.teamId,
      reason: 'unpaid bills',
      farewell: null,
      now: new Date(nowMs),
    });
    const answer = await start(key);
    expect(answer).toMatchObject(refused('not-ready', 503));
    expect(answer.text).not.toContain('unpaid');
    expect(api.log.join('')).toContain('unpaid bills');
  });

  test('a service that is full, or stopping, says so with a code', async () => {
    const { key } = await makeKey();
    for (const [overrides, code, status] of [
      [{ hasRoom: () => false }, 'busy', 429],
      [{ ready: () => false }, 'not-ready', 503],
      [{ limits: { strangers: { perSecond: 1e-9, burst: 0 } } }, 'too-many-requests', 429],
    ] as const) {
      const other = await startTestApi(db(), overrides);
      const stranger = createClient(other.app, { key: '', teamId: '' });
      const answer = await stranger.post(CALLS, { key }, { origin: SITE });
      expect(answer).toMatchObject(refused(code, status));
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      await other.close();
    }
  });
});
