import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createContract, operationsOf } from '../../src/contract/contract.ts';
import type { TeamLimits } from '../../src/contract/team.ts';
import { finishCall, updateCall } from '../../src/store/calls.ts';
import { markTeamDeleted } from '../../src/store/teams.ts';
import {
  createClient,
  startTestApi,
  type TestApi,
  type TestClient,
  testVendors,
} from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const TEAMS = '/admin/v1/teams';
const CONNECT = '/calls/v1/conversations/connect';
const KEY = 'operator-key-of-the-test';
const NO_TEAM = '00000000-0000-7000-8000-000000000000';
const DAY_MS = 24 * 3600_000;

withDatabase('the operator’s API', ({ db, newTeam }) => {
  let api: TestApi;
  let operator: TestClient;
  let nowMs = Date.parse('2026-03-15T12:00:00Z');
  beforeAll(async () => {
    api = await startTestApi(db(), { operatorKey: KEY, now: () => nowMs });
    operator = createClient(api.app, { key: KEY, teamId: '' });
    // The oldest team cannot be deleted.
    await newTeam();
  });
  afterAll(() => api.close());

  /** A team with these limits, and its client. */
  async function makeTeam(limits: TeamLimits = {}) {
    const { body } = await operator.post(TEAMS, { name: 'Clinic', limits });
    const client = createClient(api.app, { key: body.apiKey.key, teamId: body.id });
    return { id: body.id as string, client, url: `${TEAMS}/${body.id}` };
  }
  const call = (client: TestClient, assistant: object = {}) =>
    client.post(CONNECT, {
      direction: 'inbound',
      assistant: { name: 'A', recordingEnabled: false, ...assistant },
    });

  test('teams are found by their names and ids, a page at a time', async () => {
    const make = async (name: string) => (await operator.post(TEAMS, { name })).body.id as string;
    const north = await make('Umbrella Clinic North');
    const south = await make('Umbrella clinic South');
    await make('Bakery');
    const ids = async (query: string) =>
      ((await operator.get(`${TEAMS}?${query}`)).body as { id: string }[]).map(({ id }) => id);
    expect(await ids('search=CLINIC%20umbrella')).toEqual([south, north]);
    expect(await ids('search=umbrella%20south')).toEqual([south]);
    expect(await ids(`search=${north}`)).toEqual([north]);
    expect(await ids('search=%25')).toEqual([]);
    const first = await operator.get(`${TEAMS}?search=umbrella&limit=1`);
    const next = /<([^>]+)>/.exec(first.headers.link ?? '')?.[1] ?? '';
    expect((await operator.get(next)).body).toMatchObject([{ id: north }]);
  });

  describe('access', () => {
    const operations = operationsOf(createContract(testVendors));
    const ofOperator = operations.filter(({ role }) => role === 'operator');
    const address = (path: string) => path.replaceAll(/\{\w+\}/g, NO_TEAM);

    test.each(ofOperator.map(({ id, method, path }) => [id, method, address(path)] as const))(
      '%s is refused without the operator’s key, to admins too',
      async (_id, method, url) => {
        const { client } = await makeTeam();
        const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
        expect((await client.send(method, url, body)).status).toBe(401);
        const { status } = await operator.send(method, url, body);
        expect([200, 400, 404]).toContain(status);
      },
    );

    test('the operator’s key opens no team', async () => {
      expect((await operator.get('/assistants/v1/assistants')).status).toBe(401);
    });

    test('guesses of one address are slowed down, and the right key is not', async () => {
      const limits = { strangers: { perSecond: 1e-6, burst: 3 } };
      const other = await startTestApi(db(), { operatorKey: KEY, limits });
      const guess = createClient(other.app, { key: 'guess-guess-guess', teamId: '' });
      const answers = [];
      for (let i = 0; i < 4; i++) answers.push((await guess.get(TEAMS)).status);
      expect(answers).toEqual([401, 401, 401, 429]);
      const right = createClient(other.app, { key: KEY, teamId: '' });
      expect((await right.get(TEAMS)).status).toBe(200);
      await other.close();
    });

    test('without a key in the configuration there is no such API', async () => {
      const other = await startTestApi(db());
      const client = createClient(other.app, { key: KEY, teamId: '' });
      expect((await client.get(TEAMS)).status).toBe(404);
      await other.close();
    });
  });

  describe('a team', () => {
    test('is made with a key of its own, listed, and found', async () => {
      const limits = { liveCalls: 3, storageMiB: 10 };
      const made = await operator.post(TEAMS, { name: 'Clinic', limits });
      expect(made.status).toBe(201);
      const { apiKey, ...team } = made.body;
      expect(team).toMatchObject({ name: 'Clinic', status: 'active', limits });
      expect(apiKey).toMatchObject({ role: 'admin', origin: { type: 'operator' } });
      expect((await operator.get(`${TEAMS}/${team.id}`)).body).toEqual(team);
      const page = await operator.get(`${TEAMS}?limit=1`);
      expect(page.body).toEqual([team]);
      expect(page.text).not.toContain(apiKey.key);
      const next = /^<([^>]+)>/.exec(page.headers.link ?? '')?.[1] as string;
      expect((await operator.get(next)).body).toHaveLength(1);
      const client = createClient(api.app, { key: apiKey.key, teamId: team.id });
      expect((await client.get('/auth/v1/me')).body).toMatchObject({ teamName: 'Clinic' });
    });

    test('is changed by a merge patch: null lifts a limit', async () => {
      const { url } = await makeTeam({ liveCalls: 3, callsPerDay: 9 });
      const { body } = await operator.patch(url, { name: 'Praxis', limits: { liveCalls: null } });
      expect(body).toMatchObject({ name: 'Praxis', limits: { callsPerDay: 9 } });
      expect(body.limits.liveCalls).toBeUndefined();
      expect((await operator.patch(url, { limits: { liveCalls: -1 } })).status).toBe(400);
      expect((await operator.patch(url, { limits: { nonsense: 1 } })).status).toBe(400);
    });

    test('that lost its keys gets another', async () => {
      const { url, id } = await makeTeam();
      const { body, status } = await operator.post(`${url}/api-keys`, { name: 'Again' });
      expect(status).toBe(201);
      const client = createClient(api.app, { key: body.key, teamId: id });
      expect((await client.get('/auth/v1/me')).status).toBe(200);
    });

    test.each(['GET', 'PATCH', 'DELETE'])(
      '%s of one that is not there is missing',
      async (method) => {
        const answer = await operator.send(
          method,
          `${TEAMS}/none`,
          method === 'PATCH' ? { body: {} } : {},
        );
        expect(answer).toMatchObject({ status: 404, body: { message: 'Team not found!' } });
      },
    );
  });

  describe('an account of a team at a vendor', () => {
    const account = { apiKey: 'planted-vendor-key', baseUrl: 'https://eu.vendor.example/v1' };

    test('is listed by name and whose it is, and its key is shown nowhere', async () => {
      const { url } = await makeTeam();
      const set = await operator.send('PUT', `${url}/vendors/openai`, { body: account });
      expect(set.body).toEqual({
        ...{ vendor: 'openai', account: 'team', baseUrl: account.baseUrl },
        updatedAt: expect.any(String),
      });
      const list = await operator.get(`${url}/vendors`);
      expect(list.body).toContainEqual(set.body);
      expect(list.body).toContainEqual({ vendor: 'deepgram', account: 'none' });
      expect(set.text + list.text).not.toContain(account.apiKey);
      const { rows } = await db().execute(sql`select to_jsonb(t) from vendor_credentials t`);
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(rows)).not.toContain(account.apiKey);
      const gone = await operator.delete(`${url}/vendors/openai`);
      expect(gone.body).toEqual({ vendor: 'openai', account: 'none' });
      expect((await operator.delete(`${url}/vendors/openai`)).status).toBe(404);
    });

    test.each([
      ['nobody', account, 404],
      ['openai', { apiKey: '' }, 400],
      ['openai', { apiKey: 'k', baseUrl: 'ftp://x' }, 400],
      ['openai', { apiKey: 'k', concurrency: 0 }, 400],
    ])('at %s with %j answers %i', async (vendor, body, status) => {
      const { url } = await makeTeam();
      const answer = await operator.send('PUT', `${url}/vendors/${vendor}`, { body });
      expect(answer.status).toBe(status);
    });
  });

  describe('a suspended team', () => {
    test('is refused with the reason, and let in again', async () => {
      const { url, client } = await makeTeam();
      const { body } = await operator.post(`${url}/suspend`, { reason: 'unpaid since January' });
      expect(body).toMatchObject({
        status: 'suspended',
        suspension: { since: new Date(nowMs).toISOString(), reason: 'unpaid since January' },
      });
      for (const answer of [await client.get('/assistants/v1/assistants'), await call(client)])
        expect(answer).toMatchObject({
          status: 403,
          body: { message: 'The team is suspended: unpaid since January' },
        });
      expect((await client.get('/kb/v1/files')).body).toEqual({
        detail: 'The team is suspended: unpaid since January',
      });
      expect((await operator.post(`${url}/resume`)).body).toMatchObject({ status: 'active' });
      expect((await call(client)).status).toBe(201);
    });

    test('has no call left for which a client could come', async () => {
      const { url, client } = await makeTeam();
      const { body } = await call(client);
      await operator.post(`${url}/suspend`, { reason: 'unpaid' });
      await operator.post(`${url}/resume`);
      const record = await client.get(`/calls/v1/conversations/${body.id}`);
      expect(record.body).toMatchObject({ status: 'finished', endReason: 'team-suspended' });
    });
  });

  describe('deletion', () => {
    test('suspends at once, cannot be undone, and can be asked for again', async () => {
      const { url, client } = await makeTeam();
      expect((await operator.delete(url)).body).toMatchObject({ status: 'deleting' });
      expect((await client.get('/auth/v1/me')).status).toBe(403);
      expect((await operator.post(`${url}/resume`)).status).toBe(409);
      expect((await operator.post(`${url}/suspend`, { reason: 'x' })).status).toBe(409);
      expect((await operator.delete(url)).body).toMatchObject({ status: 'deleting' });
    });

    test('of the first team is refused, since a configured key is given to it', async () => {
      const teams = (await operator.get(TEAMS)).body;
      const first = teams.at(-1).id;
      expect((await operator.delete(`${TEAMS}/${first}`)).status).toBe(409);
      const now = new Date();
      await expect(markTeamDeleted(db(), { teamId: first, now })).rejects.toThrow('first team');
    });
  });

  describe('a call over a limit is refused with the reason', () => {
    const refusal = (error: string, message: string) => ({ status: 429, body: { error, message } });

    test('live calls', async () => {
      const { client } = await makeTeam({ liveCalls: 2 });
      const first = await call(client);
      await call(client);
      const over = refusal('live-calls', 'The team has as many live calls as it may have (2)');
      expect(await call(client)).toMatchObject(over);
      const { teamId } = client;
      await finishCall(db(), { teamId, id: first.body.id, endReason: 'user-hung-up' });
      expect((await call(client)).status).toBe(201);
    });

    test('live calls, when many begin at once', async () => {
      const { client } = await makeTeam({ liveCalls: 3 });
      const answers = await Promise.all(Array.from({ length: 12 }, () => call(client)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(9);
    });

    test('calls a day, by the day in UTC', async () => {
      const { client } = await makeTeam({ callsPerDay: 1 });
      expect((await call(client)).status).toBe(201);
      expect(await call(client)).toMatchObject(
        refusal('calls-per-day', 'The team has made as many calls today as it may make (1)'),
      );
      nowMs += DAY_MS;
      expect((await call(client)).status).toBe(201);
      nowMs -= DAY_MS;
    });

    test('minutes a month, those of live calls included', async () => {
      const { client } = await makeTeam({ minutesPerMonth: 5 });
      const { teamId } = client;
      const { body } = await call(client);
      const answeredAt = new Date(nowMs - 4 * 60_000);
      await updateCall(db(), { teamId, id: body.id, change: { answeredAt } });
      expect((await call(client)).status).toBe(201);
      nowMs += 60_000;
      expect(await call(client)).toMatchObject({
        status: 429,
        body: { error: 'minutes-per-month' },
      });
    });

    test('storage, where the call would be recorded', async () => {
      const { client } = await makeTeam({ storageMiB: 0 });
      expect((await call(client)).status).toBe(201);
      expect(await call(client, { recordingEnabled: true })).toMatchObject(
        refusal('storage', 'The team’s files and recordings take the space that it has (0)'),
      );
    });

    test('other teams are not concerned', async () => {
      const [full, other] = [await makeTeam({ liveCalls: 0 }), await makeTeam({ liveCalls: 1 })];
      expect((await call(full.client)).status).toBe(429);
      expect((await call(other.client)).status).toBe(201);
    });
  });

  describe('other limits', () => {
    test('an upload that does not fit is refused, and leaves nothing', async () => {
      const { client } = await makeTeam({ storageMiB: 0 });
      const form = [
        ...['--x', 'content-disposition: form-data; name="file"; filename="a.txt"', '', 'Hello.'],
        ...['--x--', ''],
      ].join('\r\n');
      const type = { 'content-type': 'multipart/form-data; boundary=x' };
      const answer = await client.sendBytes('/kb/v1/files', Buffer.from(form), type);
      expect(answer).toMatchObject({ status: 429, body: { detail: { error: 'storage' } } });
      expect((await client.get('/kb/v1/files')).body).toEqual({ files: [] });
    });

    test('FAQ entries beyond the passages of a team are refused, and none is kept', async () => {
      const { client } = await makeTeam({ knowledgePassages: 2 });
      const { body } = await client.post('/kb/v1/knowledge-bases', { title: 'B' });
      const url = `/kb/v1/knowledge-bases/${body.id}/faq-template`;
      const faq = (count: number) => ({
        faq: Array.from({ length: count }, (_, i) => ({ question: `q${i}`, answer: 'a' })),
      });
      expect(await client.post(url, faq(3))).toMatchObject({
        status: 429,
        body: { detail: { error: 'knowledge-passages' } },
      });
      expect((await client.post(url, faq(2))).status).toBe(200);
      expect((await client.get(url)).body.faq).toHaveLength(2);
    });

    test('requests: ten seconds of a team’s rate at once, then it waits', async () => {
      const { client, url } = await makeTeam({ requestsPerSecond: 1 });
      const other = await makeTeam();
      const statuses = async (one: TestClient) => {
        const all = Array.from({ length: 12 }, () => one.get('/auth/v1/me'));
        return (await Promise.all(all)).map(({ status }) => status).sort();
      };
      expect(await statuses(client)).toEqual([...Array(10).fill(200), 429, 429]);
      expect(await statuses(other.client)).toEqual(Array(12).fill(200));
      await operator.patch(url, { limits: { requestsPerSecond: null } });
      nowMs += 1000;
      expect(await statuses(client)).toEqual(Array(12).fill(200));
    });
  });

  test('usage is counted now and by day, of the team alone', async () => {
    const { client, url } = await makeTeam();
    const other = await makeTeam();
    await call(other.client);
    const { body } = await call(client);
    const { teamId } = client;
    await updateCall(db(), {
      ...{ teamId, id: body.id },
      change: {
        answeredAt: new Date(nowMs - 90_000),
        endAt: new Date(nowMs),
        recording: { path: 'x.wav', sampleRateHz: 16_000, durationMs: 90_000, bytes: 12_345 },
        usage: [
          { kind: 'llm', vendor: 'openai', model: 'm', requests: 2, inputTokens: 10 },
          { kind: 'tts', vendor: 'cartesia', requests: 1, characters: 40 },
        ],
        cost: { currency: 'EUR', total: 0.25, lines: [], unpriced: [] },
      },
    });
    await call(client);
    const today = new Date(nowMs).toISOString().slice(0, 10);
    const usage = await operator.get(`${url}/usage?from=${today}&to=${today}`);
    expect(usage.body).toEqual({
      now: {
        liveCalls: 1,
        callsToday: 2,
        minutesThisMonth: 1.5,
        fileBytes: 0,
        recordingBytes: 12_345,
        knowledgePassages: 0,
      },
      days: [
        {
          day: today,
          calls: 2,
          minutes: 1.5,
          vendors: [
            { kind: 'llm', vendor: 'openai', model: 'm', requests: 2, inputTokens: 10 },
            { kind: 'tts', vendor: 'cartesia', requests: 1, characters: 40 },
          ],
          cost: { EUR: 0.25 },
        },
      ],
    });
    expect((await operator.get(`${url}/usage?from=2026-01-02&to=2026-01-01`)).status).toBe(400);
    expect((await operator.get(`${url}/usage?from=1999-01-02&to=2026-01-01`)).status).toBe(400);
    expect((await operator.get(`${url}/usage?from=today`)).status).toBe(400);
  });
});
