import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assistantConfigSchema } from '../../src/contract/assistant.ts';
import { TestsFailedMessageSchema } from '../../src/contract/tests-failed.ts';
import type { JobKind, JobSender, SendJobOptions } from '../../src/jobs/job-sender.ts';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { SchemaChecker } from '../../src/lib/schema-checker.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { createProviders } from '../../src/providers/registry.ts';
import { createAssistant, updateAssistant } from '../../src/store/assistants.ts';
import { listTestRuns, updateTestRun } from '../../src/store/test-runs.ts';
import { createTestSuite } from '../../src/store/test-suites.ts';
import { failedTestsJob } from '../../src/testing/failed-tests-job.ts';
import { createNightlyTests } from '../../src/testing/nightly.ts';
import { parseTests } from '../../src/testing/parse-tests.ts';
import { createRunTests } from '../../src/testing/run-job.ts';
import { runTestsJob, speakTestsJob, startRun } from '../../src/testing/start-run.ts';
import { createTellFailedTests } from '../../src/testing/tell-failed-tests.ts';
import { testVendors } from '../support/api.ts';
import { isLong } from '../support/effort.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { withDatabase } from '../support/postgres.ts';
import { searcherOnThisThread } from '../support/searcher.ts';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBzZXJ2ZXI=';
const SOURCE = `tests:
  - {name: Greeting, turns: [{say: Hello}], expect: [{contains: Aurora}]}
  - {name: Unknown, turns: [{say: Hello}], expect: [{contains: garage}]}
`;
const log = { debug() {}, info() {}, warn() {}, error() {} };
const attempt = { signal: new AbortController().signal, number: 1, last: false };

withDatabase('the nightly run', ({ db, newTeam }) => {
  const received: { readonly body: string; readonly headers: Record<string, string> }[] = [];
  let status = 200;
  let server: LocalServer;
  const outbound = createGuardedFetch({ allowPrivate: true, clock: systemClock });
  const vendors = { llm: {}, stt: {}, tts: {} } as never;
  const providers = createProviders({
    vendors,
    allowPrivateTargets: true,
    clock: systemClock,
    log,
  });

  beforeAll(async () => {
    server = await startLocalServer(async (request, response) => {
      const headers = request.headers as Record<string, string>;
      received.push({ body: await text(request), headers });
      response.writeHead(status).end();
    });
  });
  afterAll(async () => {
    await providers.close();
    await outbound.close();
    await server[Symbol.asyncDispose]();
  });

  interface Sent {
    readonly kind: string;
    readonly data: never;
    readonly priority?: number;
  }

  /** What runs of tests need; their jobs are noted and not done. */
  function depsOf(sent: Sent[]) {
    const jobs: JobSender = {
      async send<Data extends object>(
        _db: unknown,
        kind: JobKind<Data>,
        data: Data,
        { priority }: SendJobOptions = {},
      ) {
        const order = priority === undefined ? {} : { priority };
        sent.push({ kind: kind.name, data: data as never, ...order });
        return true;
      },
    };
    return {
      ...{ db: db(), jobs, providers, log, clock: systemClock, prices: undefined },
      reader: { read: async (source: string) => parseTests(source) },
      knowledge: { ...searcherOnThisThread(db()), warm() {} },
      toolFetch: outbound.fetch,
      toolResponseBytes: 65_536,
      schemas: new SchemaChecker(),
      assistantSchema: assistantConfigSchema(testVendors),
      vendorProblems: () => [],
      stopwatch: () => 0,
      spokenThread: new URL('../../src/service/spoken-tests-thread.ts', import.meta.url),
    };
  }

  /** Everything that a night does: starts the runs, does them, and leaves what is to be told. */
  async function night() {
    const sent: Sent[] = [];
    const deps = depsOf(sent);
    await createNightlyTests(deps)({}, attempt);
    const of = (kind: { readonly name: string }) => sent.filter((job) => job.kind === kind.name);
    for (const { data } of [...of(runTestsJob), ...of(speakTestsJob)])
      await createRunTests(deps)(data, attempt);
    const started = sent.filter(({ kind }) => kind !== failedTestsJob.name);
    return { told: of(failedTestsJob).map(({ data }) => data), started };
  }

  test('tells once of a test that passed the night before: in the run, and by a signed webhook', async () => {
    const teamId = await newTeam();
    const config = (welcomeMessage: string) =>
      assistantConfigSchema(testVendors).parse({
        ...{ name: 'Desk', welcomeMessage, assistantProvider: 'offline' },
        assistantServer: { enabled: true, url: server.url, secret: SECRET, messages: ['error'] },
      });
    const { id } = await createAssistant(db(), { teamId, config: config('Hotel Aurora.') });
    const suite = { title: 'Desk', assistantId: id, source: SOURCE, nightly: true };
    await createTestSuite(db(), { teamId, config: suite, tests: 2, callIds: [] });
    expect((await night()).told).toEqual([]);
    await updateAssistant(db(), { teamId, id, config: config('Hotel Boreal.') });
    const { told: toTell } = await night();
    const { items } = await listTestRuns(db(), { teamId });
    expect(items.map(({ regressed, by }) => [by, ...regressed])).toEqual([
      ['nightly', 'Greeting'],
      ['nightly'],
    ]);
    expect(toTell).toEqual([{ teamId, runId: items[0]?.id }]);
    // It fails as it did: that is known.
    expect((await night()).told).toEqual([]);

    const tell = createTellFailedTests({
      db: db(),
      clock: systemClock,
      fetch: outbound.fetch,
      log,
    });
    status = 500;
    await expect(tell(toTell[0] as never, attempt)).rejects.toThrow('status 500');
    status = 200;
    await tell(toTell[0] as never, attempt);
    const [first, last] = received;
    expect(last?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const { message } = new Webhook(SECRET).verify(last?.body ?? '', last?.headers ?? {}) as {
      message: unknown;
    };
    expect(TestsFailedMessageSchema.parse(message)).toMatchObject({
      assistantVersion: 2,
      suite: { title: 'Desk' },
      summary: { tests: 2, passed: 0, failed: 2 },
      tests: [
        {
          name: 'Greeting',
          status: 'failed',
          reasons: [expect.stringMatching(/^The call: says “Aurora”, but said “Hotel Boreal\./)],
        },
      ],
    });
    expect(last?.body).not.toContain(SECRET);
  });

  test('ends the runs whose processes were killed each time, and no others', async () => {
    const teamId = await newTeam();
    const config = assistantConfigSchema(testVendors).parse({ name: 'Desk' });
    const { id: assistantId } = await createAssistant(db(), { teamId, config });
    const deps = depsOf([]);
    const begin = async (status: 'queued' | 'running') => {
      const input = { assistantId, source: SOURCE, seed: 1, budget: {} };
      const { id } = await startRun(deps, { teamId, by: 'request', input });
      await updateTestRun(db(), { teamId, id, change: { status } });
      return id;
    };
    const [lost, waiting] = [await begin('running'), await begin('queued')];
    const states = async () =>
      (await listTestRuns(db(), { teamId })).items.map(({ id, status }) => [id, status]);
    const at = (hours: number) => ({
      ...systemClock,
      now: () => systemClock.now() + hours * 3_600_000,
    });
    await createNightlyTests({ ...deps, clock: at(5) })({}, attempt);
    expect(await states()).toEqual([
      [waiting, 'queued'],
      [lost, 'running'],
    ]);
    await createNightlyTests({ ...deps, clock: at(7) })({}, attempt);
    expect(await states()).toEqual([
      [waiting, 'queued'],
      [lost, 'failed'],
    ]);
  });

  // Before the suites of the next test, which a night would speak again.
  test('a suite that cannot be run at night says so among its runs', async () => {
    const teamId = await newTeam();
    const config = { title: 'Desk', assistantId: 'gone', source: SOURCE, nightly: true };
    await createTestSuite(db(), { teamId, config, tests: 2, callIds: [] });
    await night();
    const { items } = await listTestRuns(db(), { teamId });
    expect(items).toMatchObject([
      {
        ...{ by: 'nightly', status: 'failed', reason: 'assistant not found: gone' },
        ...{ summary: { tests: 2 }, finishedAt: expect.any(Date) },
      },
    ]);
  });

  test.runIf(isLong)(
    'a suite says that its nights are spoken: compared by condition with the spoken night before, and told',
    async () => {
      const teamId = await newTeam();
      const config = (welcomeMessage: string) =>
        assistantConfigSchema(testVendors).parse({
          ...{ name: 'Desk', welcomeMessage, assistantProvider: 'offline' },
          assistantServer: { enabled: true, url: server.url, secret: SECRET, messages: ['error'] },
        });
      const { id } = await createAssistant(db(), { teamId, config: config('Hotel Aurora.') });
      const source = `model: [{say: At your service.}]
tests: [{name: Greeting, turns: [{say: Hello}], expect: [{contains: Aurora}]}]`;
      const suite = { title: 'Desk', assistantId: id, source, nightly: true };
      const spoken = { conditions: ['clean' as const, 'telephone' as const] };
      const kept = { teamId, tests: 1, callIds: [] };
      await createTestSuite(db(), { ...kept, config: { ...suite, spoken } });
      await createTestSuite(db(), { ...kept, config: { ...suite, source: SOURCE } });
      const own = (all: Awaited<ReturnType<typeof night>>) =>
        all.started.filter(({ data }) => (data as { teamId: string }).teamId === teamId);
      // The second run of a team waits for the first ones of the others.
      expect(own(await night()).map(({ kind, priority }) => [kind, priority])).toEqual([
        ['speak-tests', -0],
        ['run-tests', -1],
      ]);
      await updateAssistant(db(), { teamId, id, config: config('Hotel Boreal.') });
      const { told } = await night();
      const { items } = await listTestRuns(db(), { teamId });
      expect(items.map((run) => [run.spoken?.conditions, run.regressed])).toEqual([
        [undefined, ['Greeting']],
        [spoken.conditions, ['Greeting (clean)', 'Greeting (telephone)']],
        [undefined, []],
        [spoken.conditions, []],
      ]);
      const runId = items[1]?.id;
      const tell = createTellFailedTests({
        db: db(),
        clock: systemClock,
        fetch: outbound.fetch,
        log,
      });
      await tell(told.find((job: { runId: string }) => job.runId === runId) as never, attempt);
      const { message } = JSON.parse(received.at(-1)?.body ?? '') as { message: unknown };
      expect(TestsFailedMessageSchema.parse(message)).toMatchObject({
        runId,
        tests: [
          { name: 'Greeting', condition: 'clean', status: 'failed' },
          { name: 'Greeting', condition: 'telephone', status: 'failed' },
        ],
      });
    },
  );

  test('a run that fails again on its last attempt ends as failed, and does not stay open', async () => {
    const teamId = await newTeam();
    const config = assistantConfigSchema(testVendors).parse({
      ...{ name: 'Desk', assistantProvider: 'offline' },
    });
    const { id: assistantId } = await createAssistant(db(), { teamId, config });
    const sent: Sent[] = [];
    const deps = depsOf(sent);
    const input = { assistantId, source: SOURCE, seed: 1, budget: {} };
    await startRun(deps, { teamId, by: 'request', input });
    const fails = { ...deps, reader: { read: () => Promise.reject(new Error('no database')) } };
    const work = (last: boolean) =>
      createRunTests(fails)(sent[0]?.data as never, { ...attempt, last });
    const only = async () => (await listTestRuns(db(), { teamId })).items[0];
    await expect(work(false)).rejects.toThrow('no database');
    expect(await only()).toMatchObject({ status: 'running' });
    await expect(work(true)).rejects.toThrow('no database');
    const reason = 'the service stopped or failed while the tests ran';
    expect(await only()).toMatchObject({ status: 'failed', reason, finishedAt: expect.any(Date) });
  });
});
