import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { newCallId } from '../../src/lib/ids.ts';
import { createCall, updateCall } from '../../src/store/calls.ts';
import { suspendTeam } from '../../src/store/teams.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { withDatabase } from '../support/postgres.ts';
import { join, type Visitor } from '../support/visitor.ts';

const KEYS = '/auth/v1/api-keys';
const PEOPLE = '/auth/v1/people';

let counter = 0;

withDatabase('who listens', ({ db, newTeam }) => {
  const clock = new ManualClock(Date.now());
  let api: TestApi;
  let url: string;
  beforeAll(async () => {
    api = await startTestApi(db(), {
      clock,
      publicUrl: () => url,
      monitor: { listen: () => ({ sampleRateHz: 8000, stop: () => undefined }) },
    });
    url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => api.close());

  const start = async () => {
    const admin = await api.client(await newTeam());
    const { teamId } = admin;
    const id = newCallId('web');
    const call = { id, teamId, callType: 'web', direction: 'inbound' } as const;
    await createCall(db(), { ...call, snapshot: callSnapshot });
    await updateCall(db(), { teamId, id, change: { status: 'ongoing' } });
    return { admin, teamId, path: `/calls/v1/conversations/${id}/listen` };
  };
  const opened = async (socket: WebSocket) => {
    const state = { code: 0 };
    socket.once('close', (code) => {
      state.code = code;
    });
    await once(socket, 'open');
    return state;
  };
  /** Somebody who has signed in, with a token for the socket. */
  const person = async (admin: TestClient, path: string) => {
    const email = `listener${++counter}@example.com`;
    const visitor = await join(api.app, admin, { email, role: 'reviewer' });
    const { id } = (await visitor.get('/auth/v1/me')).body.person;
    const { body } = await visitor.post(path);
    return { visitor, id, state: await opened(new WebSocket(body.url)) };
  };
  const look = () => clock.advance(1000);

  describe('by a session is put out within a second when', () => {
    test.each<[string, (by: TestClient, id: string, own: Visitor) => Promise<unknown>]>([
      ['the role becomes less', (by, id) => by.patch(`${PEOPLE}/${id}`, { role: 'viewer' })],
      ['they are removed', (by, id) => by.delete(`${PEOPLE}/${id}`)],
      ['they sign out', (_by, _id, own) => own.post('/auth/v1/sign-out')],
      [
        'the team is suspended',
        ({ teamId }) =>
          suspendTeam(db(), { teamId, reason: 'unpaid', farewell: null, now: new Date() }),
      ],
    ])('%s, and nobody else', async (_, act) => {
      const { admin, path } = await start();
      const { visitor, id, state } = await person(admin, path);
      const other = await start();
      const others = await person(other.admin, other.path);
      await look();
      expect(state.code).toBe(0);
      await act(admin, id, visitor);
      await expect
        .poll(async () => {
          await look();
          return state.code;
        })
        .toBe(1008);
      expect(others.state.code).toBe(0);
    });
  });

  test.each<[string, (admin: TestClient, id: string) => Promise<unknown>]>([
    ['is revoked', (admin, id) => admin.delete(`${KEYS}/${id}`)],
    ['gets another role', (admin, id) => admin.patch(`${KEYS}/${id}`, { role: 'viewer' })],
  ])('by a key that %s is put out', async (_, act) => {
    const { admin, path } = await start();
    const { body } = await admin.post(KEYS, { name: 'Wallboard', role: 'reviewer' });
    const headers = { authorization: `Bearer ${body.key}` };
    const state = await opened(new WebSocket(url.replace('http', 'ws') + path, { headers }));
    await look();
    expect(state.code).toBe(0);
    await act(admin, body.id);
    await expect
      .poll(async () => {
        await look();
        return state.code;
      })
      .toBe(1008);
  });
});
