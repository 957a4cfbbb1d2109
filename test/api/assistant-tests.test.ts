import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const SOURCE = 'tests: [{name: Greeting, turns: [{say: Hello}]}]';
const BROKEN = 'tests:\n  - name: a\n    turns: [{sey: Hello}]';

withDatabase('tests of assistants', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  let eve: TestClient;
  let assistantId: string;
  beforeAll(async () => {
    api = await startTestApi(db());
    ada = await api.client(await newTeam());
    eve = await api.client(await newTeam());
    const body = { name: 'Desk', assistantProvider: 'offline' };
    assistantId = (await ada.post('/assistants/v1/assistants', body)).body._id;
  });
  afterAll(() => api.close());

  describe('suites', () => {
    test('are kept with their number of tests, and only for their team', async () => {
      const { status, body } = await ada.post('/tests/v1/suites', {
        title: 'Desk',
        source: SOURCE,
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({ title: 'Desk', tests: 1, nightly: false });
      const path = `/tests/v1/suites/${body.id}`;
      expect((await ada.get(path)).body).toEqual(body);
      expect((await eve.get(path)).status).toBe(404);
      expect((await eve.get('/tests/v1/suites')).body).toEqual([]);
      const changed = await ada.patch(path, { assistantId, nightly: true });
      expect(changed.body).toMatchObject({ assistantId, nightly: true, source: SOURCE });
      const { source: _, ...head } = changed.body;
      expect((await ada.get(`/tests/v1/suites?assistantId=${assistantId}`)).body).toEqual([head]);
      expect((await ada.get('/tests/v1/suites?assistantId=other')).body).toEqual([]);
      expect((await ada.delete(path)).status).toBe(200);
      expect((await ada.get(path)).status).toBe(404);
    });

    test('that do not parse are refused with line and field', async () => {
      const { status, body } = await ada.post('/tests/v1/suites', { title: 'x', source: BROKEN });
      expect(status).toBe(400);
      expect(body.message).toContain('line 3:14: tests.0.turns.0.sey unknown field');
      const check = await ada.post('/tests/v1/check', { source: BROKEN });
      expect(check.body.faults).toContainEqual({
        line: 3,
        column: 14,
        field: 'tests.0.turns.0.sey',
        message: 'unknown field',
      });
    });

    test('name no assistant of another team', async () => {
      const body = { title: 'x', source: SOURCE, assistantId };
      expect((await eve.post('/tests/v1/suites', body)).status).toBe(404);
    });
  });

  describe('runs', () => {
    test('wait with an estimate that costs nothing for the offline responder', async () => {
      const { status, body } = await ada.post('/tests/v1/runs', { assistantId, source: SOURCE });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        status: 'queued',
        seed: 1,
        estimate: { requests: 0, vendors: [] },
        summary: { tests: 1, passed: 0 },
        results: [],
      });
      const { results: _, ...head } = body;
      expect((await ada.get('/tests/v1/runs')).body).toContainEqual(head);
      expect((await eve.get(`/tests/v1/runs/${body.id}`)).status).toBe(404);
    });

    test('test the version that is named, or the one that was published at the time', async () => {
      const name = `/assistants/v1/assistants/${assistantId}`;
      const draft = await ada.post(`${name}/versions`, { changes: { welcomeMessage: 'Hi' } });
      await ada.put(`${name}/labels/next`, { version: draft.body.version });
      const run = async (assistantVersion?: string) =>
        ada.post('/tests/v1/runs', { assistantId, assistantVersion, source: SOURCE });
      expect((await run()).body.assistantVersion).toBe(1);
      expect((await run('next')).body.assistantVersion).toBe(2);
      expect((await run('2')).body.assistantVersion).toBe(2);
      expect((await run('9')).status).toBe(404);
    });

    test('that ask vendors need a budget, and say what they would ask', async () => {
      const paid = { name: 'Paid', assistantProvider: 'openai', assistantModel: 'gpt-4o-mini' };
      const { _id } = (await ada.post('/assistants/v1/assistants', paid)).body;
      const asked = { assistantId: _id, source: SOURCE };
      const refused = await ada.post('/tests/v1/runs', asked);
      expect(refused.status).toBe(400);
      expect(refused.body.message).toMatch(/budget.*asks openai\/gpt-4o-mini some 2 times/);
      const unpriced = await ada.post('/tests/v1/runs', { ...asked, budget: { cost: 1 } });
      expect(unpriced.body.message).toContain('no price of openai/gpt-4o-mini');
      const capped = await ada.post('/tests/v1/runs', { ...asked, budget: { tokens: 1000 } });
      expect(capped.status).toBe(201);
    });

    test('have either a suite or a text, and an assistant', async () => {
      expect((await ada.post('/tests/v1/runs', { assistantId })).status).toBe(400);
      expect((await ada.post('/tests/v1/runs', { source: SOURCE })).status).toBe(400);
      const suiteId = 'none';
      expect((await ada.post('/tests/v1/runs', { assistantId, suiteId })).status).toBe(404);
    });
  });

  test('the samples in fixtures parse', async () => {
    for (const name of ['speech-guide', 'pizza-orders']) {
      const file = join(import.meta.dirname, `../../fixtures/assistant-tests/${name}.yaml`);
      const source = await readFile(file, 'utf8');
      const { body } = await ada.post('/tests/v1/check', { source });
      expect(body.faults).toEqual([]);
    }
  });
});
