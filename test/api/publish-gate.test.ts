import { afterAll, beforeAll, expect, test } from 'vitest';
import { summaryOf, type TestResult } from '../../src/contract/assistant-test-result.ts';
import { createNumber } from '../../src/store/numbers.ts';
import { updateTestRun } from '../../src/store/test-runs.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const ASSISTANTS = '/assistants/v1/assistants';
const SOURCE = `model: [{say: Hello}]
tests: [{name: Greeting, turns: [{say: Hello}]}, {name: Parking, turns: [{say: Hi}]}]`;

withDatabase('publishing only what has passed its tests', ({ db, newTeam }) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi(db(), { limits: { rate: { perSecond: 1e6, burst: 1e6 } } });
  });
  afterAll(() => api.close());

  /** A gated assistant with one draft, version 2. */
  async function start() {
    const client = await api.client(await newTeam());
    const id = (await client.post(ASSISTANTS, { name: 'Desk' })).body._id as string;
    const url = `${ASSISTANTS}/${id}`;
    const gate = await client.put(`${url}/publish-gate`, { requireTests: true });
    expect(gate).toMatchObject({ status: 200, body: { requireTests: true } });
    await client.post(`${url}/versions`, { changes: { welcomeMessage: 'Hi' } });
    const publish = (version: number) => client.post(`${url}/versions/${version}/publish`);
    return { client, id, url, publish };
  }
  const suiteOf = async (client: TestClient, assistantId: string, title = 'Desk') =>
    (await client.post('/tests/v1/suites', { title, assistantId, source: SOURCE })).body
      .id as string;
  /** A run of a suite that ended with these statuses of its tests. */
  async function ran(
    client: TestClient,
    suiteId: string,
    {
      version,
      statuses,
      spoken,
    }: {
      version: number;
      statuses: readonly TestResult['status'][];
      spoken?: { readonly conditions: readonly string[] };
    },
  ) {
    const asked = { suiteId, assistantVersion: String(version), ...(spoken ? { spoken } : {}) };
    const { body, status } = await client.post('/tests/v1/runs', asked);
    expect(status, JSON.stringify(body)).toBe(201);
    const results = statuses.map((status, i) => ({
      ...{ name: ['Greeting', 'Parking'][i] ?? '', status, conditions: [], transcript: [] },
      ...{ tools: [], answersMs: [], durationMs: 1000, notes: [] },
    }));
    const finishedAt = new Date();
    const change = {
      status: 'finished',
      results,
      summary: summaryOf(results),
      finishedAt,
    } as const;
    await updateTestRun(db(), { teamId: client.teamId, id: body.id, change });
  }
  const refused = (message: unknown) => ({
    status: 409,
    body: { error: 'tests-not-passed', message },
  });

  test('a version is refused with its failed tests, and published once all have passed', async () => {
    const { client, id, publish } = await start();
    expect(await publish(2)).toMatchObject(
      refused(expect.stringContaining('the assistant has no tests')),
    );
    const desk = await suiteOf(client, id);
    const night = await suiteOf(client, id, 'Night');
    await suiteOf(client, (await client.post(ASSISTANTS, { name: 'Other' })).body._id, 'Other');
    await ran(client, desk, { version: 1, statuses: ['passed', 'passed'] });
    await ran(client, desk, { version: 2, statuses: ['passed', 'failed'] });
    expect(await publish(2)).toMatchObject(
      refused(
        'Version 2 is not published, because its tests must pass first: “Night” was not run with it; in “Desk” did not pass: “Parking”',
      ),
    );
    await ran(client, night, { version: 2, statuses: ['passed', 'passed'] });
    await ran(client, desk, { version: 2, statuses: ['passed', 'not-judged'] });
    expect(await publish(2)).toMatchObject(refused(expect.stringContaining('“Parking”')));
    await ran(client, desk, { version: 2, statuses: ['passed', 'passed'] });
    expect((await publish(2)).status).toBe(200);
  });

  test('runs that are spoken neither open the gate nor close it', async () => {
    const { client, id, publish } = await start();
    const desk = await suiteOf(client, id);
    const spoken = { conditions: ['clean'] };
    await ran(client, desk, { version: 2, statuses: ['passed', 'passed'], spoken });
    expect(await publish(2)).toMatchObject(
      refused(expect.stringContaining('“Desk” was not run with it')),
    );
    await ran(client, desk, { version: 2, statuses: ['passed', 'passed'] });
    await ran(client, desk, { version: 2, statuses: ['failed', 'failed'], spoken });
    expect((await publish(2)).status).toBe(200);
  });

  test('tests that were changed since have to pass anew', async () => {
    const { client, id, publish } = await start();
    const desk = await suiteOf(client, id);
    await ran(client, desk, { version: 2, statuses: ['passed', 'passed'] });
    await client.patch(`/tests/v1/suites/${desk}`, { source: `${SOURCE}\n` });
    expect(await publish(2)).toMatchObject(
      refused(expect.stringContaining('“Desk” has changed since it was run with it')),
    );
  });

  test('saving and publishing at once is refused, saving a draft is not, and neither is without the switch', async () => {
    const { client, url, publish } = await start();
    const save = () => client.patch(url, { welcomeMessage: 'Hello' });
    expect(await save()).toMatchObject(
      refused(expect.stringContaining('save the change as a draft')),
    );
    await client.put(`${url}/publish-gate`, { requireTests: false });
    expect((await client.get(`${url}/publish-gate`)).body).toEqual({ requireTests: false });
    expect((await save()).status).toBe(200);
    expect((await publish(2)).status).toBe(200);
  });

  test('a label moves freely unless a number answers with it', async () => {
    const { client, id, url } = await start();
    const label = (name: string, version: number) =>
      client.put(`${url}/labels/${name}`, { version });
    expect((await label('production', 1)).status).toBe(200);
    const number = await createNumber(db(), {
      ...{ teamId: client.teamId, number: '+15550100', provider: 'emulator', label: '' },
    });
    const answering = { assistantId: id, assistantVersion: 'production' };
    await client.put(`/assistants/v1/numbers/${number.id}`, answering);
    expect((await label('staging', 2)).status).toBe(200);
    expect(await label('production', 2)).toMatchObject(refused(expect.any(String)));
    const desk = await suiteOf(client, id);
    await ran(client, desk, { version: 2, statuses: ['passed', 'passed'] });
    expect((await label('production', 2)).status).toBe(200);
  });

  test('a number or a call by telephone that names a version is held up, the published one and a trial on the web are not', async () => {
    const { client, id } = await start();
    const { id: numberId } = await createNumber(db(), {
      ...{ teamId: client.teamId, number: '+15550101', provider: 'emulator', label: '' },
    });
    const attach = (assistantVersion: string) =>
      client.put(`/assistants/v1/numbers/${numberId}`, { assistantId: id, assistantVersion });
    const connect = (body: object) =>
      client.post('/calls/v1/conversations/connect', {
        ...{ assistantId: id, assistantVersion: '2', ...body },
      });
    const byPhone = { phoneNumberId: numberId, customer: { number: '+15550102' } };
    const named = expect.stringMatching(
      /^assistantVersion: version 2 .*the assistant has no tests/,
    );
    expect((await attach('1')).status).toBe(200);
    expect(await attach('2')).toMatchObject(refused(named));
    expect(await connect({ direction: 'outbound', ...byPhone })).toMatchObject(refused(named));
    expect(await connect({ direction: 'inbound' })).not.toMatchObject(refused(named));
    const desk = await suiteOf(client, id);
    await ran(client, desk, { version: 2, statuses: ['passed', 'passed'] });
    expect((await attach('2')).status).toBe(200);
    expect(await connect({ direction: 'outbound', ...byPhone })).not.toMatchObject(refused(named));
  });

  test('another team sees no gate', async () => {
    const { url } = await start();
    const eve = await api.client(await newTeam());
    expect((await eve.get(`${url}/publish-gate`)).status).toBe(404);
    expect((await eve.put(`${url}/publish-gate`, { requireTests: false })).status).toBe(404);
  });
});
