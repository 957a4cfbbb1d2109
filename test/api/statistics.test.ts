import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EndReason } from '../../src/contract/failures.ts';
import { newCallId } from '../../src/lib/ids.ts';
import { createCall, updateCall } from '../../src/store/calls.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const PATH = '/calls/v1/statistics';

withDatabase('the statistics of calls', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  let eve: TestClient;

  const call = async (
    startAt: string,
    change: Parameters<typeof updateCall>[1]['change'] = {},
    assistantId = 'a1',
  ) => {
    const { id, teamId } = await createCall(db(), {
      id: newCallId('web'),
      teamId: ada.teamId,
      callType: 'web',
      direction: 'inbound',
      startAt: new Date(startAt),
      snapshot: {} as never,
      assistantId,
    });
    await updateCall(db(), { teamId, id, change });
  };
  const ended = (startAt: string, endReason: EndReason, totalMs: readonly number[] = []) => ({
    status: 'finished' as const,
    endReason,
    answeredAt: new Date(startAt),
    endAt: new Date(Date.parse(startAt) + 60_000),
    metrics: totalMs.map((ms, index) => ({ turn: index + 1, totalMs: ms })),
  });

  beforeAll(async () => {
    api = await startTestApi(db(), {});
    ada = await api.client(await newTeam());
    eve = await api.client(await newTeam());
    const first = '2026-03-01T10:30:00.000Z';
    const late = '2026-03-01T23:30:00.000Z';
    const third = '2026-03-03T08:00:00.000Z';
    await call(first, ended(first, 'user-hung-up', [400, 600, 800]));
    await call(late, ended(late, 'connection-lost'), 'a2');
    await call(third, {
      ...ended(third, 'model-failed', [2000]),
      failure: {
        type: 'model',
        code: 'E',
        message: 'no',
        provider: 'x',
        retryable: false,
      } as never,
    });
    await call('2026-03-03T09:00:00.000Z', { status: 'ongoing' });
  });
  afterAll(() => api.close());

  const march = 'startDate=2026-03-01&endDate=2026-03-03';

  test('count by day, with days that had none, and as a whole', async () => {
    const { status, body } = await ada.get(`${PATH}?${march}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      startDate: '2026-03-01T00:00:00.000Z',
      endDate: '2026-03-03T23:59:59.999Z',
      live: 1,
      calls: 4,
      failed: 2,
      talkSeconds: 180,
      turns: 4,
      p50Ms: 700,
      p95Ms: 1820,
      intervals: [
        {
          startAt: '2026-03-01T00:00:00.000Z',
          calls: 2,
          failed: 1,
          talkSeconds: 120,
          turns: 3,
          p50Ms: 600,
          p95Ms: 780,
        },
        { startAt: '2026-03-02T00:00:00.000Z', calls: 0, failed: 0, talkSeconds: 0, turns: 0 },
        {
          startAt: '2026-03-03T00:00:00.000Z',
          calls: 2,
          failed: 1,
          talkSeconds: 60,
          turns: 1,
          p50Ms: 2000,
          p95Ms: 2000,
        },
      ],
      endReasons: [
        { endReason: 'connection-lost', calls: 1, failed: 1 },
        { endReason: 'model-failed', calls: 1, failed: 1 },
        { endReason: 'user-hung-up', calls: 1, failed: 0 },
      ],
    });
  });

  test('take the days of the asker’s time zone, over a change of its clocks', async () => {
    const { body } = await ada.get(`${PATH}?${march}&timeZone=Europe/Berlin`);
    // Half past eleven at night in UTC is the next day in Berlin.
    expect(body.intervals.map((each: { calls: number }) => each.calls)).toEqual([1, 1, 2, 0]);
    const spring = await ada.get(
      `${PATH}?startDate=2026-03-28T23:00:00Z&endDate=2026-03-30T21:59:59Z&timeZone=Europe/Berlin`,
    );
    expect(spring.body.intervals.map((each: { startAt: string }) => each.startAt)).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
  });

  test('are of one assistant, by the hour, and of one’s own team alone', async () => {
    const { body } = await ada.get(`${PATH}?${march}&interval=hour&assistantId=a2`);
    expect(body.intervals).toHaveLength(72);
    expect(body.intervals[23]).toMatchObject({ startAt: '2026-03-01T23:00:00.000Z', calls: 1 });
    expect(body).toMatchObject({ calls: 1, live: 0 });
    expect((await eve.get(`${PATH}?${march}`)).body).toMatchObject({ calls: 0, live: 0, turns: 0 });
  });

  test.each([
    ['startDate=2020-01-01&endDate=2026-01-01', 'startDate: must be at most 400 days'],
    ['timeZone=Nowhere/Else', 'timeZone: must be a time zone'],
    ['interval=week', 'interval: must be one of hour, day'],
  ])('refuse %s', async (query, message) => {
    const { status, body } = await ada.get(`${PATH}?${query}`);
    expect(status).toBe(400);
    expect(body.message).toContain(message);
  });

  test('are of the last seven days, unless asked otherwise', async () => {
    const { body } = await ada.get(PATH);
    expect(Date.parse(body.endDate) - Date.parse(body.startDate)).toBe(7 * 86_400_000);
    expect(body.intervals).toHaveLength(8);
  });
});
