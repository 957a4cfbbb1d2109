import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimDeliveries, settleAttempt } from '../../src/store/due-deliveries.ts';
import { registerNode } from '../../src/store/nodes.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { createCallWithServer } from '../support/call-with-server.ts';
import { withDatabase } from '../support/postgres.ts';

withDatabase('deliveries', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  let nudges = 0;
  beforeAll(async () => {
    api = await startTestApi(db(), { onRedeliver: () => nudges++ });
    ada = await api.client(await newTeam());
    const node = { id: 'sender', serviceId: 'sender', place: 'here', pid: 1, address: 'none' };
    await registerNode(db(), { node, leaseMs: 600_000 });
  });
  afterAll(() => api.close());

  const newCall = async () => {
    const call = await createCallWithServer(db(), {
      teamId: ada.teamId,
      url: 'https://shop.example/hook',
      server: { messages: ['status-update'] },
    });
    await call.write([{ type: 'status', status: 'ongoing' }], { status: 'ongoing' });
    return { id: call.id, path: `/calls/v1/conversations/${call.id}/deliveries` };
  };
  const claim = async (callId: string) => {
    const now = new Date(Date.now() + 1000);
    const leasedUntil = new Date(now.getTime() + 60_000);
    const claimed = await claimDeliveries(db(), {
      now,
      leasedUntil,
      nodeId: 'sender',
      limit: 100,
      busyOrigins: [],
      busyTeams: [],
    });
    return claimed.find((delivery) => delivery.callId === callId);
  };

  test('lists what a server was told and every try', async () => {
    const { id, path } = await newCall();
    const delivery = await claim(id);
    const outcome = { at: new Date(), latencyMs: 12.4, httpStatus: 500, response: 'oops' };
    const nextAttemptAt = new Date(Date.now() + 5000);
    const settled = {
      id: `${delivery?.id}`,
      ...{ teamId: ada.teamId, nodeId: 'sender' },
      number: 1,
      outcome,
      status: 'pending',
    } as const;
    await settleAttempt(db(), { ...settled, nextAttemptAt });
    const { status, body } = await ada.get(path);
    expect(status).toBe(200);
    expect(body).toEqual({
      deliveries: [
        {
          id: delivery?.id,
          type: 'status-update',
          status: 'pending',
          createdAt: expect.any(String),
          nextAttemptAt: nextAttemptAt.toISOString(),
          attempts: [
            { at: outcome.at.toISOString(), latencyMs: 12, status: 500, response: 'oops' },
          ],
        },
      ],
    });
  });

  test('sends a settled message again, under the same id', async () => {
    const { id, path } = await newCall();
    const delivery = await claim(id);
    const outcome = { at: new Date(), latencyMs: 5, httpStatus: 410 };
    await settleAttempt(db(), {
      id: `${delivery?.id}`,
      ...{ teamId: ada.teamId, nodeId: 'sender' },
      number: 1,
      outcome,
      status: 'dead',
    });
    const [dead] = (await ada.get(path)).body.deliveries;
    expect(dead).toMatchObject({ status: 'dead', settledAt: expect.any(String) });
    nudges = 0;
    const { status, body } = await ada.post(`${path}/${dead.id}/redeliver`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: dead.id, status: 'pending', attempts: dead.attempts });
    expect(nudges).toBe(1);
    expect((await claim(id))?.id).toBe(dead.id);
    // An attempt of a living process is in progress, so the delivery cannot be repeated now.
    expect((await ada.post(`${path}/${dead.id}/redeliver`)).status).toBe(409);
  });

  test('what is not there, or of another team, is missing', async () => {
    const { id, path } = await newCall();
    const delivery = await claim(id);
    const missing = { status: 404, body: { message: 'Delivery not found!' } };
    expect(await ada.post(`${path}/nothing/redeliver`)).toMatchObject(missing);
    const other = await newCall();
    expect(await ada.post(`${other.path}/${delivery?.id}/redeliver`)).toMatchObject(missing);
    const eve = await api.client(await newTeam());
    const noCall = { status: 404, body: { message: 'Conversation not found!' } };
    expect(await eve.get(path)).toMatchObject(noCall);
    expect(await eve.post(`${path}/${delivery?.id}/redeliver`)).toMatchObject(noCall);
  });
});
