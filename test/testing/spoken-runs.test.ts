import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestRun, TestRunInput } from '../../src/client/api.generated.ts';
import { Client } from '../../src/client/client.ts';
import { SteadyTime } from '../../src/testing/spoken/steady-time.ts';
import { isLong } from '../support/effort.ts';
import { sharedService } from '../support/shared-service.ts';

const RUN_MS = 120_000;

/** One order, in words that the offline recogniser knows well. */
const ORDER = {
  model: [
    { tool: 'dictateVoicemail', say: 'It is not there.' },
    {
      heard: 'order',
      say: 'A large one is nine euros, and the oven is hot. Shall I order it for you now?',
    },
    { heard: 'yes', say: 'Thank you, your order is placed.' },
  ],
  tests: [
    {
      name: 'An order by voice',
      turns: [
        { say: 'I want to order a large pizza', expect: [{ contains: 'nine euros' }] },
        { say: 'Yes please', expect: [{ contains: 'order is placed' }, { answerWithinMs: 2500 }] },
      ],
    },
  ],
};

/** The same with its first question alone. */
const QUESTION = {
  ...ORDER,
  tests: ORDER.tests.map((order) => ({ ...order, turns: order.turns.slice(0, 1) })),
};

test('time stands still until those who were asked have answered, who was asked first first', async () => {
  const time = new SteadyTime(1000);
  const order: string[] = [];
  const slow = Promise.withResolvers<string>();
  const told = (name: string, answer: Promise<string>) =>
    time.outside(answer).then(async (text) => {
      order.push(`${name} ${text} at ${time.clock.now()}`);
      await time.delay(50);
      order.push(`${name} later at ${time.clock.now()}`);
    });
  const all = time.delay(10).then(() => {
    setTimeout(() => slow.resolve('slow'), 30);
    return Promise.all([told('first', slow.promise), told('second', Promise.resolve('quick'))]);
  });
  await time.runUntil(all, new AbortController().signal);
  expect(order).toEqual([
    'first slow at 1010',
    'second quick at 1010',
    'first later at 1060',
    'second later at 1060',
  ]);
  const never = new Promise<void>(() => undefined);
  await expect(time.runUntil(never, new AbortController().signal)).rejects.toThrow('nothing');
});

describe('a run that is spoken in virtual time', () => {
  let service: Awaited<ReturnType<typeof sharedService>>;
  let client: Client;
  let assistantId: string;
  beforeAll(async () => {
    service = await sharedService();
    client = new Client({ baseUrl: `${service.url}/`, apiKey: service.key });
    const { _id } = await client.call('createAssistant', {
      body: {
        name: 'Pizza',
        welcomeMessage: 'Pizza Roma, good day.',
        assistantProvider: 'offline',
        config: { speech: { stt: { vendor: 'offline' }, ttsData: [{ vendor: 'offline' }] } },
      },
    });
    assistantId = _id;
  });
  afterAll(() => service[Symbol.asyncDispose]());

  async function run(source: object, conditions: readonly 'clean'[] | readonly string[]) {
    const spoken = { conditions } as { readonly conditions: readonly 'clean'[] };
    return runOf({ assistantId, source: JSON.stringify(source), seed: 3, spoken });
  }

  async function runOf(body: TestRunInput): Promise<TestRun> {
    const { id } = await client.call('startTestRun', { body });
    const finished = () => client.call('getTestRun', { path: { id } });
    await expect.poll(async () => (await finished()).status, { timeout: RUN_MS }).toBe('finished');
    return finished();
  }

  const of = (all: TestRun, name: string) =>
    all.results.find(({ condition }) => condition === name);

  test.runIf(isLong)(
    'the caller is recognised and answered, is faster than speech, and twice the same byte for byte',
    async () => {
      const names = ['clean', 'interruptions', 'loss', 'telephone'];
      const first = await run(ORDER, names);
      expect(first.results.map(({ condition }) => condition).toSorted()).toEqual(names.toSorted());
      expect(of(first, 'clean')).toMatchObject({
        status: 'passed',
        figures: { wordsSaid: 9, wordsHeard: 9, turns: 2, answered: 2, cutIns: 0, lostReplies: 0 },
      });
      const { figures } = of(first, 'clean') ?? {};
      for (const ms of figures?.answersMs ?? []) expect(ms).toBeGreaterThan(300);
      // Who says the same again over the answer stops it.
      expect(of(first, 'interruptions')?.figures?.stopsMs[0]).toBeGreaterThan(0);
      const second = await run(ORDER, names);
      expect(JSON.stringify(second.results)).toBe(JSON.stringify(first.results));
    },
    2 * RUN_MS,
  );

  test.skipIf(isLong)('what is not expected is found by ear as well', async () => {
    const [order] = ORDER.tests;
    const model = ORDER.model.filter(({ heard }) => heard !== 'yes');
    const broken = await run({ model, tests: [order] }, ['clean']);
    expect(broken.summary).toMatchObject({ tests: 1, failed: 1 });
    expect(
      of(broken, 'clean')?.conditions.filter(({ verdict }) => verdict !== 'met')[0],
    ).toMatchObject({ turn: 2, condition: 'says “order is placed”' });
  });

  test.runIf(isLong)(
    'a suite is spoken as well: its report by condition, and beside its runs without sound',
    async () => {
      const { id: suiteId } = await client.call('createTestSuite', {
        body: { title: 'Pizza', assistantId, source: JSON.stringify(QUESTION) },
      });
      const spoken = { conditions: ['clean', 'telephone'] } as const;
      const first = await runOf({ suiteId, seed: 3, spoken });
      expect(first).toMatchObject({ suiteId, spoken, summary: { tests: 2 }, regressed: [] });
      expect(first.conditions).toEqual([
        expect.objectContaining({
          ...{ condition: 'clean', calls: 1, passed: 1, recognised: 1, answered: 1 },
          ...{ heardP50Ms: expect.any(Number), cutIns: 0, lostReplies: 0 },
        }),
        expect.objectContaining({ condition: 'telephone', calls: 1 }),
      ]);
      // Without the answer to it: red in every condition in which it was green.
      const model = ORDER.model.filter(({ heard }) => heard !== 'order');
      await client.call('updateTestSuite', {
        path: { id: suiteId },
        body: { source: JSON.stringify({ ...QUESTION, model }) },
      });
      const silent = await runOf({ suiteId, seed: 3 });
      expect(silent).toMatchObject({ summary: { tests: 1, failed: 1 }, regressed: [] });
      expect(silent.spoken).toBeUndefined();
      expect(silent.conditions).toBeUndefined();
      const second = await runOf({ suiteId, seed: 3, spoken: { conditions: ['noise', 'clean'] } });
      expect(second.regressed).toEqual(['An order by voice (clean)']);
      const runs = await client.call('listTestRuns', { query: { suiteId } });
      expect(runs.map((each) => each.spoken?.conditions)).toEqual([
        ['noise', 'clean'],
        undefined,
        ['clean', 'telephone'],
      ]);
    },
    2 * RUN_MS,
  );

  test.skipIf(isLong)(
    'the call that the model ends by its tool is ended when it is spoken, too',
    async () => {
      const { _id } = await client.call('createAssistant', {
        body: {
          ...{ name: 'Short', welcomeMessage: 'Good day.', assistantProvider: 'offline' },
          assistantPredefinedTools: { endCall: true },
        },
      });
      const source = JSON.stringify({
        model: [
          { heard: 'order', say: 'A large one is nine euros.' },
          { heard: 'yes', say: 'Goodbye.', call: { name: 'endCall' } },
        ],
        tests: [
          {
            name: 'A short call',
            turns: [
              { say: 'I want to order a large pizza', expect: [{ noTool: 'endCall' }] },
              { say: 'Yes please', expect: [{ tool: { name: 'endCall', times: 1 } }] },
            ],
            expect: [{ outcome: 'assistant-ended-call' }],
          },
        ],
      });
      const spoken = { conditions: ['clean'] } as const;
      const { results } = await runOf({ assistantId: _id, source, spoken });
      expect(results).toMatchObject([{ status: 'passed', tools: [{ name: 'endCall', turn: 2 }] }]);
    },
    RUN_MS,
  );

  test('models of vendors and too many calls are refused with their field, by a run and by a suite', async () => {
    const source = JSON.stringify({ tests: [{ name: 'x', turns: [{ say: 'Hello' }] }] });
    const send = (path: string, body: object) =>
      fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const start = (body: object) => send('/tests/v1/runs', { assistantId, ...body });
    const { _id } = await client.call('createAssistant', {
      body: { name: 'Vendor', assistantProvider: 'openai' },
    });
    const vendor = await start({ assistantId: _id, source, spoken: {} });
    expect(await vendor.text()).toMatch(/spoken.*needs a scripted model/);
    const many = {
      tests: Array.from({ length: 50 }, (_, n) => ({ name: `${n}`, turns: [{ say: 'Hello' }] })),
    };
    const tooMany = await start({ source: JSON.stringify(many), spoken: {} });
    expect(await tooMany.text()).toContain('makes 700 calls');
    const keep = async (suite: object) => {
      const answer = await send('/tests/v1/suites', { title: 'Night', nightly: true, ...suite });
      return `${answer.status} ${await answer.text()}`;
    };
    expect(await keep({ source: JSON.stringify(many), spoken: {} })).toMatch(
      /^400 .*spoken: makes 700 calls: one run speaks 600 at most/,
    );
    expect(await keep({ source, assistantId: _id, spoken: {} })).toMatch(
      /^400 .*spoken: spoken tests ask no vendor/,
    );
    const twice = { conditions: ['clean', 'clean'] };
    expect(await keep({ source, spoken: twice })).toMatch(
      /^400 .*spoken.conditions: must not name/,
    );
    expect(await keep({ source, assistantId, spoken: { conditions: ['clean'] } })).toMatch(/^201 /);
  });
});
