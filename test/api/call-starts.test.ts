import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CallStarts, callStartDefaults } from '../../src/calls/call-starts.ts';
import { probationDefaults } from '../../src/calls/probation.ts';
import { updateTeam } from '../../src/store/teams.ts';
import { createClient, startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const CONNECT = '/calls/v1/conversations/connect';
const SITE = 'https://shop.example';
const BROKEN = probationDefaults.brokenInARow + 2;
const ON_PROBATION = {
  status: 429,
  body: {
    error: 'broken-calls',
    message:
      'More calls of the team in a row than are let pass broke the protocol of their media sockets; the next one has to wait (5)',
  },
};

withDatabase('the pace of calls that begin', ({ db, newTeam }) => {
  let nowMs = Date.UTC(2026, 4, 1);
  let starts: CallStarts;
  let api: TestApi;
  let ada: TestClient;
  let teamId: string;
  beforeAll(async () => {
    starts = new CallStarts(() => nowMs);
    api = await startTestApi(db(), { callStarts: starts, now: () => nowMs });
  });
  beforeEach(async () => {
    nowMs += 3600_000;
    teamId = await newTeam();
    ada = await api.client(teamId);
  });
  afterAll(() => api.close());

  const call = (fields: object = {}) =>
    ada.post(CONNECT, { direction: 'inbound', assistant: { name: 'A' }, ...fields });
  const setLimit = (callsPerSecond: number) =>
    updateTeam(db(), { teamId, change: { name: 'Clinic', limits: { callsPerSecond } } });
  const announce = async (times: number, of = teamId) => {
    for (let i = 0; i < times; i++) await starts.announced(db(), { teamId: of });
  };
  const breakCalls = (of: Parameters<CallStarts['follow']>[0]) => {
    for (let i = 0; i < BROKEN; i++) starts.follow(of).broke();
  };
  const tooFast = (limit: number) => ({
    status: 429,
    headers: { 'retry-after': '1' },
    body: {
      error: 'calls-per-second',
      message: `The team begins more calls in a second than it may begin (${limit})`,
    },
  });

  test('two hundred calls at once and twenty a second are let pass, more are told when to come', async () => {
    await announce(callStartDefaults.burst);
    expect(await call()).toMatchObject(tooFast(20));
    nowMs += 1000;
    await announce(callStartDefaults.perSecond);
    expect(await call()).toMatchObject(tooFast(20));
    await announce(1, await newTeam());
  });

  test('a team may have a limit of its own, which holds within ten seconds', async () => {
    await announce(1);
    await setLimit(2);
    nowMs += 10_000;
    await announce(20);
    expect(await call()).toMatchObject(tooFast(2));
    await setLimit(50);
    nowMs += 10_000;
    await announce(500);
    expect(await call()).toMatchObject(tooFast(50));
    await setLimit(0);
    nowMs += 20_000;
    await announce(10);
    expect(await call()).toMatchObject(tooFast(1));
  });

  test('tokens that were collected cannot be used faster either', async () => {
    for (let i = 0; i < callStartDefaults.burst; i++) await starts.came(db(), { teamId });
    await expect(starts.came(db(), { teamId })).rejects.toThrow('more calls in a second');
    await announce(1);
  });

  test('after calls that broke the protocol the next one waits, on whatever way it comes', async () => {
    breakCalls({ teamId });
    expect(await call()).toMatchObject({ ...ON_PROBATION, headers: { 'retry-after': '2' } });
    const phone = { phoneNumberId: 'none', customer: { number: '+15550100' } };
    expect(await call({ direction: 'outbound', ...phone })).toMatchObject(ON_PROBATION);
    await expect(starts.came(db(), { teamId })).rejects.toThrow('has to wait');
    await expect(starts.placed(db(), { teamId })).rejects.toThrow('has to wait');
    nowMs += 2000;
    // One is let in; the others wait again.
    expect((await call()).status).toBe(201);
    await starts.came(db(), { teamId });
    await expect(starts.came(db(), { teamId })).rejects.toThrow('has to wait');
    expect(await call()).toMatchObject(ON_PROBATION);
  });

  test('a call that keeps the protocol to its end sets the team free, and a broken one does not', async () => {
    breakCalls({ teamId });
    const broken = starts.follow({ teamId });
    broken.broke();
    broken.over();
    expect(await call()).toMatchObject(ON_PROBATION);
    starts.follow({ teamId }).over();
    expect((await call()).status).toBe(201);
  });

  test('visitors with a public key keep out visitors with that key, and not the team', async () => {
    const { body: assistant } = await ada.post('/assistants/v1/assistants', { name: 'Guide' });
    const makeKey = async () =>
      (
        await ada.post('/auth/v1/public-keys', {
          ...{ name: 'Shop', assistantId: assistant._id, origins: [SITE] },
        })
      ).body;
    const visit = ({ key }: { key: string }) =>
      createClient(api.app, { key: '', teamId: '' }).post(
        '/public/v1/calls',
        { key },
        { origin: SITE },
      );
    const [shop, blog] = [await makeKey(), await makeKey()];
    breakCalls({ teamId, publicKeyId: shop.id });
    expect(await visit(shop)).toMatchObject({ status: 429, body: { error: 'busy' } });
    expect((await visit(blog)).status).toBe(201);
    expect((await call()).status).toBe(201);
  });
});
