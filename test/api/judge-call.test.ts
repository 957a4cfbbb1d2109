import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Llm } from '../../src/ports/llm.ts';
import type { VendorMeter } from '../../src/ports/vendor-meter.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { createCallWithServer } from '../support/call-with-server.ts';
import { withDatabase } from '../support/postgres.ts';

const PATH = '/tests/v1/judgements';
const judge = { provider: 'openai', model: 'gpt-4o-mini' };
const statement = 'The assistant is friendly.';
const llm = { 'openai/gpt-4o-mini': { inputPerMillion: 1e5, outputPerMillion: 1e5 } };
const prices = { currency: 'EUR', llm, stt: {}, tts: {} };

withDatabase('the judgement of a call', ({ db, newTeam }) => {
  let api: TestApi;
  let client: TestClient;
  let teamId: string;
  let callId: string;
  /** What the model says, or why it can't be asked; each answer costs 30 tokens. */
  let answer: string | Error = '';
  const asked: { readonly messages: readonly { readonly content: unknown }[] }[] = [];
  const modelOf = (
    { assistantProvider: provider, assistantModel: model }: { readonly [key: string]: unknown },
    _teamId: string,
    meter?: VendorMeter,
  ): Llm => ({
    provider: String(provider),
    async *stream(request) {
      asked.push(request as never);
      if (answer instanceof Error) throw answer;
      yield { type: 'text', text: answer };
      const name = { kind: 'llm', vendor: String(provider), model: String(model) } as const;
      meter?.finished(name, 'ok', { inputTokens: 20, outputTokens: 10 });
      yield { type: 'finish', reason: 'stop' };
    },
  });
  beforeAll(async () => {
    api = await startTestApi(db(), { modelOf: modelOf as never, prices });
    teamId = await newTeam();
    client = await api.client(teamId);
    const call = await createCallWithServer(db(), { teamId, url: 'https://shop.example' });
    await call.write(call.turn('A table please', 'With pleasure!'), {
      status: 'finished',
      endAt: Date.now(),
      settled: true,
    });
    callId = call.id;
  });
  afterAll(() => api.close());
  const ask = (body: object = {}) =>
    client.post(PATH, { callId, statement, judge, budget: { tokens: 1000 }, ...body });

  test.each([
    ['{"reason":"It greets.","met":true}', 'met'],
    ['{"reason":"It is curt.","met":false}', 'unmet'],
    ['I think so!', 'not-judged'],
    [new Error('down'), 'not-judged'],
  ] as const)('a model that answers %s', async (given, verdict) => {
    answer = given;
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body).toMatchObject({ verdict });
    if (verdict === 'unmet') expect(body.reason).toBe('It is curt.');
  });

  test('is asked about what was said, and nothing without a budget', async () => {
    answer = '{"reason":"x","met":true}';
    const { body } = await ask({ budget: { cost: 10 } });
    expect(body).toMatchObject({ tokens: 30, cost: { currency: 'EUR', total: 3 } });
    const content = JSON.stringify(asked.at(-1)?.messages);
    expect(content).toContain(statement);
    expect(content).toContain('Caller: A table please');
    expect(content).toContain('Assistant: With pleasure!');
    const before = asked.length;
    const refused = await ask({ budget: {} });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(/budget.*openai\/gpt-4o-mini some 1 times/);
    expect(asked).toHaveLength(before);
  });

  test('an answer that has to be asked for again is not, once the budget is spent', async () => {
    answer = 'I think so!';
    const before = asked.length;
    const { body } = await ask({ budget: { cost: 1 } });
    expect(body).toMatchObject({ verdict: 'not-judged', tokens: 30 });
    expect(asked).toHaveLength(before + 1);
  });

  test('the offline model judges nothing', async () => {
    const { body } = await ask({ judge: { provider: 'offline', model: 'x' }, budget: {} });
    expect(body).toMatchObject({ verdict: 'not-judged', tokens: 0 });
  });

  test('a call of another team is not found, and one that goes on is not judged', async () => {
    const stranger = await api.client(await newTeam());
    expect((await stranger.post(PATH, { callId, statement, judge })).status).toBe(404);
    const live = await createCallWithServer(db(), { teamId, url: 'https://shop.example' });
    expect((await ask({ callId: live.id })).status).toBe(409);
  });
});
