import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestRun } from '../../src/client/api.generated.ts';
import { ApiError } from '../../src/client/api-error.ts';
import { Client } from '../../src/client/client.ts';
import { type ChatEmulator, startChatEmulator } from '../support/chat-completions-emulator.ts';
import { sharedService } from '../support/shared-service.ts';

const RUN_MS = 60_000;
const CALLER = /You play a person who calls/;
const JUDGE = /You judge a telephone conversation/;
const ENOUGH = { tokens: 1_000_000 };

/** Models that answer over the network, each in its own way: the assistant's, the caller's and the judge's. */
describe('tests of assistants that ask models', () => {
  let service: Awaited<ReturnType<typeof sharedService>>;
  let client: Client;
  let model: ChatEmulator;
  let assistantId: string;
  beforeAll(async () => {
    service = await sharedService();
    client = new Client({ baseUrl: `${service.url}/`, apiKey: service.key });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  /** An assistant with a model of its own, which says what the test scripts. */
  async function create(...script: Parameters<ChatEmulator['script']>): Promise<AsyncDisposable> {
    model = await startChatEmulator();
    model.script(...script, { deltas: ['For ', 'which day?'] });
    const body = {
      name: 'Tables',
      assistantProvider: 'custom-llm',
      assistantModel: 'own',
      assistantLLMUrl: model.baseUrl,
      welcomeMessage: 'The tavern, good day.',
    } as const;
    assistantId = (await client.call('createAssistant', { body }))._id;
    return model;
  }

  const start = (tests: readonly object[], budget: object) =>
    client.call('startTestRun', {
      body: { assistantId, source: JSON.stringify({ tests }), seed: 1, budget },
    });

  async function run(tests: readonly object[], budget: object = ENOUGH): Promise<TestRun> {
    const { id } = await start(tests, budget);
    const read = () => client.call('getTestRun', { path: { id } });
    await expect.poll(async () => (await read()).status, { timeout: RUN_MS }).toBe('finished');
    return read();
  }

  const judged = (name: string) => ({
    name,
    turns: [{ say: 'A table please', expect: [{ contains: 'which day' }] }],
    expect: [{ judge: 'The assistant is friendly.' }],
  });

  test('a model plays a caller with a goal, until it has what it wants', async () => {
    await using _ = await create(
      { about: CALLER, times: 1, deltas: ['A table ', 'for two please.'] },
      { about: CALLER, times: 1, deltas: ['On Friday at eight.'] },
      { about: CALLER, times: 1, deltas: ['DONE'] },
    );
    const persona = { goal: 'A table for two on Friday.', about: 'In a hurry.', maxTurns: 5 };
    const { results } = await run([
      { name: 'Played', persona, expect: [{ contains: 'which day' }] },
    ]);
    expect(results[0]).toMatchObject({ name: 'Played', status: 'passed' });
    const said = results[0]?.transcript.filter(({ role }) => role === 'user');
    expect(said?.map(({ text }) => text)).toEqual([
      'A table for two please.',
      'On Friday at eight.',
    ]);
    const asked = model.requests.filter(({ raw }) => CALLER.test(raw));
    expect(asked).toHaveLength(3);
    expect(asked[0]?.raw).toContain('A table for two on Friday.');
    expect(asked[0]?.raw).toContain('In a hurry.');
  });

  test('a caller whose model is down breaks the test', async () => {
    await using _ = await create({
      about: CALLER,
      status: 401,
      body: { error: { message: 'no' } },
    });
    const { results } = await run([{ name: 'Unplayed', persona: { goal: 'A table.' } }]);
    expect(results[0]).toMatchObject({ status: 'broken' });
  });

  test.each([
    ['true', { deltas: ['{"reason":"It greets.","met":true}'] }, 'passed', 'met'],
    ['false', { deltas: ['{"reason":"It is curt.","met":false}'] }, 'failed', 'unmet'],
    ['down', { status: 401, body: { error: { message: 'no' } } }, 'not-judged', 'not-judged'],
    ['silly', { deltas: ['I think so!'] }, 'not-judged', 'not-judged'],
  ] as const)('a judge that is %s', async (_name, reply, status, verdict) => {
    await using _ = await create({ about: JUDGE, ...reply });
    const { results, summary } = await run([judged('Judged')]);
    expect(results[0]).toMatchObject({ status });
    expect(results[0]?.conditions.at(-1)).toMatchObject({ verdict });
    expect(summary.passed).toBe(status === 'passed' ? 1 : 0);
  });

  test('what is not met is failed, whether a judge can be asked or not', async () => {
    await using _ = await create({ about: JUDGE, status: 401, body: { error: { message: 'no' } } });
    const turns = [{ say: 'A table please', expect: [{ contains: 'tomorrow' }] }];
    const { results } = await run([{ ...judged('Both'), turns }]);
    expect(results[0]).toMatchObject({ status: 'failed' });
  });

  test('without a budget nothing is asked, and the refusal says what would be', async () => {
    await using _ = await create({ about: JUDGE, deltas: ['{"reason":"x","met":true}'] });
    const refused = await start([judged('One')], {}).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(String(refused)).toMatch(/budget.*custom-llm\/own.*some \d+ times/);
    expect(model.requests).toEqual([]);
    const { estimate } = await start([judged('One')], ENOUGH);
    expect(estimate).toMatchObject({ vendors: ['custom-llm/own'] });
    expect(estimate.requests).toBeGreaterThan(1);
    expect(estimate.inputTokens).toBeGreaterThan(0);
  });

  test('a budget that is spent ends the run: the rest is not run, and nothing unjudged is passed', async () => {
    await using _ = await create({ about: JUDGE, deltas: ['{"reason":"x","met":true}'] });
    const tests = Array.from({ length: 30 }, (_, n) => judged(`Number ${n}`));
    const { results, summary, reason } = await run(tests, { tokens: 1 });
    expect(reason).toBe('the budget was spent');
    expect(summary).toMatchObject({ tests: 30, passed: 0 });
    expect(summary.notRun).toBeGreaterThan(0);
    expect(results.at(-1)).toMatchObject({ status: 'not-run' });
    // Those that had begun asked once each, and no more.
    expect(model.requests.length).toBeLessThan(20);
  });
});
