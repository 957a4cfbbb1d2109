import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Health } from '../../src/contract/health.ts';
import { newCallId } from '../../src/lib/ids.ts';
import type { ServiceFigures } from '../../src/ports/service-health.ts';
import { createCall, updateCall } from '../../src/store/calls.ts';
import { claimDeliveries, settleAttempt } from '../../src/store/due-deliveries.ts';
import { createNumber } from '../../src/store/numbers.ts';
import { calls } from '../../src/store/schema/calls.ts';
import { readTeamFigures } from '../../src/store/team-health.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { createCallWithServer } from '../support/call-with-server.ts';
import { withDatabase } from '../support/postgres.ts';
import { withRarePlans } from '../support/rare-plans.ts';

const PATH = '/health/v1/health';
const MINUTE_MS = 60_000;

const whole: ServiceFigures = {
  ...{ processes: 2, silent: 0, own: 2, wanted: 2, jobs: [] },
  ...{ isDiskFull: false, freeBytes: 3 * 1024 ** 3, unwrittenAudit: 0 },
};

withDatabase('health', ({ db, database, newTeam }) => {
  let api: TestApi;
  let service = whole;
  let hasRoom = true;
  let ready = true;
  const asked: string[] = [];
  beforeAll(async () => {
    api = await startTestApi(db(), {
      serviceFigures: async () => service,
      hasRoom: () => hasRoom,
      ready: () => ready,
      hasAccount: (vendor) => vendor === 'deepgram',
      vendorTrials: {
        refresh: async () => {},
        parts: () => [
          { part: 'recogniser', name: 'deepgram', account: 'deepgram', ready: true },
          { part: 'recogniser', name: 'offline', ready: true },
          { part: 'model', name: 'openai', account: 'openai', ready: false },
        ],
        async test() {
          asked.push('test');
          return [];
        },
        models: async () => void asked.push('models'),
        voices: async () => void asked.push('voices'),
        speak: async () => void asked.push('speak'),
      },
      vendorProblems: ({ assistantProvider: vendor }) =>
        vendor === 'openai'
          ? [
              {
                ...{ path: 'assistantProvider', vendor, code: 'no_key' },
                ...{ message: 'openai needs a key', blocks: true },
              },
            ]
          : [],
    });
  });
  afterAll(() => api.close());

  const newClient = async () => api.client(await newTeam());
  const read = async (client: TestClient): Promise<Health> => {
    const { status, body } = await client.get(PATH);
    expect(status).toBe(200);
    return body;
  };
  const codesOf = ({ problems }: Health) => problems.map(({ code }) => code);

  const fail = async (
    teamId: string,
    change: Parameters<typeof updateCall>[1]['change'],
    agoMs = MINUTE_MS,
  ) => {
    const { id } = await createCall(db(), {
      ...{ id: newCallId('web'), teamId, callType: 'web', direction: 'inbound' },
      ...{ startAt: new Date(Date.now() - agoMs), snapshot: {} as never },
    });
    await updateCall(db(), { teamId, id, change: { status: 'finished', ...change } });
    return id;
  };

  test('of a new team is good in every part', async () => {
    const health = await read(await newClient());
    expect(health).toMatchObject({ problems: [], vendors: [] });
    expect(health.parts.map(({ part, status }) => `${part} ${status}`)).toEqual([
      'vendors ok',
      'carriers ok',
      'webhooks ok',
      'jobs ok',
      'processes ok',
    ]);
    expect(health.parts.at(-1)?.summary).toBe('2 processes, 3.0 GB of disk free.');
  });

  test('names what vendors lack once, however many assistants name them, and asks none', async () => {
    const client = await newClient();
    for (const name of ['One', 'Two'])
      await client.post('/assistants/v1/assistants', { name, assistantProvider: 'openai' });
    const speech = { stt: { vendor: 'deepgram' } };
    await client.post('/assistants/v1/assistants', { name: 'Three', config: { speech } });
    const { problems, parts, vendors } = await read(client);
    expect(problems).toEqual([
      {
        part: 'vendors',
        code: 'vendor-not-usable',
        severity: 'error',
        message: 'openai needs a key.',
        help: expect.stringContaining('Vendors page'),
        count: 2,
        vendor: 'openai',
        assistantId: expect.any(String),
      },
    ]);
    expect(parts[0]).toMatchObject({ part: 'vendors', status: 'error' });
    expect(parts[0]?.summary).toBe('3 assistants, 0 calls in the last 24 hours.');
    expect(vendors).toEqual(['deepgram']);
    expect(asked).toEqual([]);
  });

  test('groups failed calls by how they failed, and tells the last hour from the day', async () => {
    const client = await newClient();
    const { teamId } = client;
    const failure = { code: 'http_401', message: 'the key is wrong', provider: 'openai' };
    await fail(teamId, { endReason: 'model-failed', failure }, 30 * MINUTE_MS);
    const last = await fail(teamId, { endReason: 'model-failed', failure });
    await fail(teamId, { endReason: 'no-media' }, 300 * MINUTE_MS);
    await fail(teamId, { endReason: 'internal-error' }, 30 * 60 * MINUTE_MS);
    await fail(teamId, { endReason: 'busy' });
    await fail(teamId, { endReason: 'user-hung-up' });
    const { problems } = await read(client);
    expect(problems).toMatchObject([
      {
        ...{ part: 'vendors', code: 'model-failed', severity: 'error', count: 2, callId: last },
        message: expect.stringContaining('in a row: the key is wrong.'),
        vendor: 'openai',
      },
      { part: 'carriers', code: 'no-media', severity: 'warning', count: 1 },
    ]);
  });

  test('sees what numbers lack', async () => {
    const client = await newClient();
    const { teamId } = client;
    const number = (n: number, provider: 'twilio' | 'emulator') =>
      createNumber(db(), { teamId, number: `+150055502${n}`, provider, label: '' });
    const { id } = await number(1, 'twilio');
    await number(2, 'emulator');
    const health = await read(client);
    expect(codesOf(health).sort()).toEqual([
      'carrier-no-account',
      'carrier-no-address',
      'number-no-assistant',
      'number-no-assistant',
    ]);
    expect(health.problems.find(({ code }) => code === 'carrier-no-account')).toMatchObject({
      severity: 'error',
      numberId: id,
      message: '1 number at twilio cannot be called or call: there are no credentials.',
    });
    expect(health.parts[1]?.summary).toBe('1 number at emulator, 1 number at twilio.');
  });

  test('sees webhooks that were given up and that are sent again, by their server', async () => {
    const client = await newClient();
    const { teamId } = client;
    const callTo = async (url: string) => {
      const call = await createCallWithServer(db(), {
        ...{ teamId, url },
        server: { messages: ['status-update'] },
      });
      await call.write([{ type: 'status', status: 'ongoing' }], { status: 'ongoing' });
      return call.id;
    };
    const lost = await callTo('https://shop.example/hook');
    const late = await callTo('https://desk.example/hook');
    const claimed = await claimDeliveries(db(), {
      now: new Date(Date.now() + 1000),
      leasedUntil: new Date(Date.now() + MINUTE_MS),
      ...{ nodeId: 'sender', limit: 100, busyOrigins: [], busyTeams: [] },
    });
    for (const { id, callId } of claimed.filter((one) => one.teamId === teamId))
      await settleAttempt(db(), {
        ...{ id, teamId, nodeId: 'sender', number: 1 },
        outcome: {
          at: new Date(),
          latencyMs: 5,
          ...(callId === lost ? { httpStatus: 410 } : { error: 'no answer within 20 s' }),
        },
        ...(callId === lost
          ? { status: 'dead' }
          : { status: 'pending', nextAttemptAt: new Date(Date.now() + MINUTE_MS) }),
      });
    const { problems, parts } = await read(client);
    expect(problems).toMatchObject([
      {
        ...{ code: 'webhook-lost', callId: lost },
        message: '1 webhook to https://shop.example was given up; the last answer: status 410.',
      },
      {
        ...{ code: 'webhook-retrying', callId: late },
        message: expect.stringContaining('the last answer: no answer within 20 s.'),
      },
    ]);
    const { webhooks } = await withRarePlans(database(), (rare) =>
      readTeamFigures(rare, { teamId, since: new Date(0) }),
    );
    expect(webhooks.map(({ callId }) => callId)).toEqual([lost, late]);
    expect(parts[2]?.summary).toBe('1 webhook waits to be sent.');
    expect((await read(await newClient())).problems).toEqual([]);
  });

  test('counts calls that went on although a tool failed', async () => {
    const client = await newClient();
    const { teamId } = client;
    const id = await fail(teamId, { endReason: 'user-hung-up' });
    await db()
      .update(calls)
      .set({ alerts: { 'tool-failed': 12 } })
      .where(eq(calls.id, id));
    expect((await read(client)).problems).toMatchObject([
      { part: 'webhooks', code: 'tool-error', severity: 'warning', count: 1 },
    ]);
  });

  test('sees jobs that failed or wait, processes that are gone, and a full disk', async () => {
    const client = await newClient();
    const idle = { waiting: 0, active: 0, failed: 0, dueSeconds: 0 };
    service = {
      ...whole,
      ...{ silent: 1, own: 1, isDiskFull: true, unwrittenAudit: 4 },
      jobs: [
        { ...idle, kind: 'train', failed: 2 },
        { ...idle, kind: 'analyse', waiting: 5, dueSeconds: 660 },
        { ...idle, kind: 'sweep', waiting: 1, dueSeconds: 30 },
      ],
    };
    try {
      const { problems } = await read(client);
      expect(problems.map(({ code, severity }) => `${severity} ${code}`).sort()).toEqual([
        'error disk-full',
        'error process-silent',
        'warning audit-unwritten',
        'warning job-failed',
        'warning job-late',
        'warning process-missing',
      ]);
      expect(problems.map(({ message }) => message)).toContain(
        '5 jobs “analyse” waiting, the oldest for 11 minutes.',
      );
    } finally {
      service = whole;
    }
  });

  test('says that no further call is taken', async () => {
    const client = await newClient();
    hasRoom = false;
    expect(codesOf(await read(client))).toEqual(['no-room']);
    ready = false;
    expect(codesOf(await read(client))).toEqual(['not-ready']);
    hasRoom = true;
    ready = true;
  });
});
