import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newCallId } from '../../src/lib/ids.ts';
import { appendCallEvents } from '../../src/store/call-events.ts';
import { raiseAlerts } from '../../src/store/call-records.ts';
import { createCall, updateCall } from '../../src/store/calls.ts';
import { upsertMessages } from '../../src/store/messages.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const PATH = '/calls/v1/conversations';
const MISSING = { status: 404, body: { message: 'Conversation not found!' } };
const audio = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 256));

withDatabase('calls', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  let eve: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db(), {
      recordings: {
        size: async (path) => (path === 'there.wav' ? audio.length : undefined),
        open: (_path, { first, last }) => Readable.from([audio.subarray(first, last + 1)]),
        link: async () => undefined,
      },
    });
    ada = await api.client(await newTeam());
    eve = await api.client(await newTeam());
  });
  afterAll(() => api.close());

  const startAt = new Date('2026-01-31T08:00:00.000Z');
  const insert = async (
    fields: Partial<Parameters<typeof createCall>[1]> = {},
    change: Parameters<typeof updateCall>[1]['change'] = {},
  ) => {
    const call = await createCall(db(), {
      id: newCallId('web'),
      teamId: ada.teamId,
      callType: 'web',
      direction: 'inbound',
      startAt,
      snapshot: {} as never,
      ...fields,
    });
    return updateCall(db(), { teamId: call.teamId, id: call.id, change });
  };

  test('a finished call shows how it went', async () => {
    const heard = {
      playedMs: 41_000,
      concealedMs: 120,
      concealments: 2,
      stretchedMs: 80,
      cutMs: 60,
      delayMs: 140,
    };
    const { id } = await insert(
      { assistantId: 'a1', metadata: { k: 'v' } },
      {
        status: 'finished',
        endAt: new Date('2026-01-31T08:01:00.000Z'),
        endReason: 'user-hung-up',
        endTrigger: 'user',
        metrics: [{ turn: 1, endpointMs: 300, totalMs: 640.5 }],
        playback: heard,
        recording: { path: 'there.wav', sampleRateHz: 16_000, durationMs: 60_000, bytes: 1000 },
        analysis: { summary: 'Fine.' },
      },
    );
    await upsertMessages(db(), {
      ...{ teamId: ada.teamId, callId: id },
      messages: [
        { messageId: 'm1', role: 'assistant', text: 'Hello.', at: 100 },
        { messageId: 'm2', role: 'user', text: 'Hi.', at: 2000 },
      ],
    });
    const { status, body } = await ada.get(`${PATH}/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      teamId: ada.teamId,
      assistantId: 'a1',
      callType: 'web',
      direction: 'inbound',
      startAt: '2026-01-31T08:00:00.000Z',
      endAt: '2026-01-31T08:01:00.000Z',
      status: 'finished',
      callEndTriggerBy: 'user',
      endReason: 'user-hung-up',
      monitor: { controlUrl: `http://parley.test${PATH}/${id}/control` },
      metadata: { k: 'v' },
      analysis: { summary: 'Fine.' },
      usage: [],
      metrics: [{ turn: 1, endpointMs: 300, totalMs: 640.5 }],
      playback: heard,
      recording: {
        url: `http://parley.test${PATH}/${id}/recording`,
        contentType: 'audio/wav',
        sampleRateHz: 16_000,
        durationMs: 60_000,
        bytes: 1000,
      },
      messages: [
        {
          messageId: 'm1',
          role: 'assistant',
          text: 'Hello.',
          timestamp: '2026-01-31T08:00:00.100Z',
        },
        { messageId: 'm2', role: 'user', text: 'Hi.', timestamp: '2026-01-31T08:00:02.000Z' },
      ],
    });
  });

  test('alerts count from the start of the call, the transcript for people from the answer', async () => {
    const { id, teamId } = await insert({}, { answeredAt: new Date('2026-01-31T08:01:30.000Z') });
    await raiseAlerts(db(), { callId: id, alerts: { 'tool-failed': 5000 } });
    const message = { messageId: 'm1', role: 'user', text: 'Hi.', at: 2000 } as const;
    await upsertMessages(db(), { teamId, callId: id, messages: [message] });
    const { body } = await ada.get(`${PATH}/${id}`);
    expect(body).toMatchObject({
      alerts: [{ kind: 'tool-failed', atMs: 95_000 }],
      messages: [{ timestamp: '2026-01-31T08:01:32.000Z' }],
    });
    expect((await ada.get(`${PATH}/${id}/transcript?format=text`)).text).toBe(
      '[00:02] user: Hi.\n',
    );
  });

  test('a call of another team, or of none, is missing in every way', async () => {
    const { id } = await insert();
    for (const url of [`${PATH}/${id}`, `${PATH}/WC-nope`, `${PATH}/%00`]) {
      for (const part of ['', '/recording', '/transcript', '/events'])
        expect(await eve.get(`${url}${part}`)).toMatchObject(MISSING);
      expect(await eve.post(`${url}/control`, { type: 'end' })).toMatchObject(MISSING);
    }
    expect(api.control.events).toEqual([]);
  });

  describe('the list', () => {
    let carl: TestClient;
    const ids: string[] = [];
    beforeAll(async () => {
      carl = await api.client(await newTeam());
      for (let day = 1; day <= 12; day++) {
        const call = await insert(
          {
            teamId: carl.teamId,
            startAt: new Date(Date.UTC(2026, 0, day)),
            assistantId: day % 2 ? 'odd' : 'even',
            userNumber: day > 10 ? '+4712345678' : null,
          },
          day > 6 ? { status: 'finished', endAt: new Date(Date.UTC(2026, 0, day, 1)) } : {},
        );
        ids.push(call.id);
      }
    });

    const list = async (query = '') => {
      const { status, body } = await carl.get(`${PATH}${query}`);
      expect(status).toBe(200);
      return {
        total: body.totalCount,
        days: body.conversations.map(({ id }: { id: string }) => ids.indexOf(id) + 1),
        body,
      };
    };

    test('is paged by ten, newest first, without messages', async () => {
      const { total, days, body } = await list();
      expect([total, days]).toEqual([12, [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]]);
      expect(body.conversations[0]).not.toHaveProperty('messages');
      expect((await list('?page=2')).days).toEqual([2, 1]);
      expect((await list('?page=3&size=5')).days).toEqual([2, 1]);
      expect((await list('?page=99')).days).toEqual([]);
    });

    test.each([
      ['?sort=startAt&order=asc&size=3', 12, [1, 2, 3]],
      ['?sort=endAt&order=asc&size=3', 12, [7, 8, 9]],
      ['?sort=conversationId&order=asc&size=2', 12, [1, 2]],
      ['?status=finished&size=2', 6, [12, 11]],
      ['?assistantId=odd&size=2', 6, [11, 9]],
      ['?userNumber=%2B4712345678', 2, [12, 11]],
      ['?startDate=2026-01-10', 3, [12, 11, 10]],
      ['?startDate=2026-01-02&endDate=2026-01-03T12:00:00Z', 2, [3, 2]],
      ['?startDate=2026-01-02T00:30:00%2B01:00&endDate=2026-01-02', 1, [2]],
      ['?startDate=2026-01-02T01:30:00%2B01:00&endDate=2026-01-03', 1, [3]],
      ['?startDate=2026-01-02&endDate=2026-01-02T00:00:00Z', 1, [2]],
    ])('%s', async (query, total, days) => {
      expect(await list(query)).toMatchObject({ total, days });
    });

    test.each([
      ['?size=0', 'size: must be at least 1'],
      ['?size=1001', 'size: must be at most 1000'],
      ['?page=-1', 'page: must be a number'],
      ['?sort=name', 'sort: must be one of startAt, endAt, status, conversationId, duration, cost'],
      ['?order=up', 'order: must be one of asc, desc'],
      ['?status=live', 'status: must be one of queued, ongoing, forwarded, finished'],
      ['?startDate=yesterday', 'startDate: must be a date or a date-time'],
      ['?limit=5', 'limit: unknown field'],
    ])('%s is refused', async (query, message) => {
      expect(await carl.get(`${PATH}${query}`)).toMatchObject({ status: 400, body: { message } });
    });
  });

  describe('control', () => {
    test.each([
      [
        { type: 'say', message: 'Hi' },
        { type: 'control.say', text: 'Hi' },
      ],
      [{ type: 'end' }, { type: 'control.end' }],
      [
        { type: 'end', message: 'Bye' },
        { type: 'control.end', text: 'Bye' },
      ],
      [
        { type: 'add-message', message: 'VIP' },
        { type: 'control.addMessage', text: 'VIP' },
      ],
      [{ type: 'mute-user' }, { type: 'control.mute', who: 'user', on: true }],
      [{ type: 'unmute-user' }, { type: 'control.mute', who: 'user', on: false }],
      [{ type: 'mute-assistant' }, { type: 'control.mute', who: 'assistant', on: true }],
      [{ type: 'unmute-assistant' }, { type: 'control.mute', who: 'assistant', on: false }],
    ])('%j reaches the live call', async (body, event) => {
      const { id } = await insert({}, { status: 'ongoing' });
      expect(await ada.post(`${PATH}/${id}/control`, body)).toMatchObject({
        status: 200,
        body: { message: 'Call controlled successfully.', data: { success: true } },
      });
      expect(api.control.events.at(-1)).toEqual({ callId: id, event });
    });

    test('of a call that is over, not live here, or unwilling is refused', async () => {
      const say = { type: 'say', message: 'Hi' };
      const over = await insert({}, { status: 'finished', endAt: new Date() });
      const live = await insert({}, { status: 'ongoing' });
      const refusal = async (id: string, body: object = say) => {
        const answer = await ada.post(`${PATH}/${id}/control`, body);
        expect(answer.status).toBe(409);
        expect(answer.body.data).toEqual({ success: false });
        return answer.body.message;
      };
      expect(await refusal(over.id)).toBe('The call has ended');
      api.control.outcome = { outcome: 'not-live' };
      expect(await refusal(live.id)).toBe('The call is not live');
      api.control.outcome = { outcome: 'refused', reason: 'The call is closing' };
      expect(await refusal(live.id)).toBe('The call is closing');
      api.control.outcome = { outcome: 'accepted' };
      expect(await refusal(live.id, { type: 'dtmf', message: '12#' })).toBe(
        'A web call has no line for dtmf',
      );
    });

    test.each([
      [
        {},
        'type: must be one of say, end, forward, dtmf, sms, add-message, mute-assistant, unmute-assistant, mute-user, unmute-user',
      ],
      [{ type: 'say' }, 'message: is required'],
      [{ type: 'say', message: ' ' }, 'message: must not be blank'],
      [{ type: 'say', message: 'a', voice: 'b' }, 'voice: unknown field'],
      [{ type: 'dtmf', message: 'x' }, 'message: must be 1 to 64 of the digits 0-9 A-D * #'],
    ])('%j is refused', async (body, message) => {
      const { id } = await insert({}, { status: 'ongoing' });
      const answer = await ada.post(`${PATH}/${id}/control`, body);
      expect(answer).toMatchObject({ status: 400, body: { message } });
    });
  });

  describe('the recording', () => {
    const url = async (path: string) => {
      const recording = { path, sampleRateHz: 16_000, durationMs: 1, bytes: 1000 };
      return `${PATH}/${(await insert({}, { recording })).id}/recording`;
    };
    const fetchBytes = async (address: string, range?: string) =>
      api.app.inject({
        url: address,
        headers: { authorization: `Bearer ${ada.key}`, ...(range ? { range } : {}) },
      });

    test('is missing while there is none', async () => {
      const missing = { status: 404, body: { message: 'Recording not found!' } };
      expect(await ada.get(`${PATH}/${(await insert()).id}/recording`)).toMatchObject(missing);
      expect(await ada.get(await url('lost.wav'))).toMatchObject(missing);
    });

    test('is sent whole', async () => {
      const response = await fetchBytes(await url('there.wav'));
      expect(response.statusCode).toBe(200);
      expect(response.headers).toMatchObject({
        'content-type': 'audio/wav',
        'content-length': '1000',
        'accept-ranges': 'bytes',
      });
      expect(response.rawPayload).toEqual(audio);
    });

    test.each([
      ['bytes=0-99', 0, 99],
      ['bytes=990-', 990, 999],
      ['bytes=990-5000', 990, 999],
      ['bytes=-10', 990, 999],
      ['bytes=-5000', 0, 999],
    ])('is sent in part: %s', async (range, first, last) => {
      const response = await fetchBytes(await url('there.wav'), range);
      expect(response.statusCode).toBe(206);
      expect(response.headers['content-range']).toBe(`bytes ${first}-${last}/1000`);
      expect(response.headers['content-length']).toBe(String(last - first + 1));
      expect(response.rawPayload).toEqual(audio.subarray(first, last + 1));
    });

    test.each(['bytes=1000-', 'bytes=-0'])('has no such part: %s', async (range) => {
      const response = await fetchBytes(await url('there.wav'), range);
      expect(response.statusCode).toBe(416);
      expect(response.headers['content-range']).toBe('bytes */1000');
    });

    test.each(['bytes=5-2', 'bytes=a-b', 'items=0-1', 'bytes=0-1,5-6', 'bytes=-'])(
      'is sent whole when the range makes no sense: %s',
      async (range) => {
        const response = await fetchBytes(await url('there.wav'), range);
        expect([response.statusCode, response.rawPayload.length]).toEqual([200, 1000]);
      },
    );
  });

  describe('the transcript', () => {
    let url: string;
    beforeAll(async () => {
      const { id } = await insert();
      url = `${PATH}/${id}/transcript`;
      await upsertMessages(db(), {
        ...{ teamId: ada.teamId, callId: id },
        messages: [
          { messageId: 'm1', role: 'assistant', text: 'Hello.', at: 1000 },
          { messageId: 'm2', role: 'user', text: 'Two\nlines', at: 61_500 },
        ],
      });
    });

    test.each([
      ['', undefined, 'json'],
      ['?format=text', undefined, 'text'],
      ['', 'text/plain', 'text'],
      ['', 'application/json, text/plain', 'json'],
      ['?format=json', 'text/plain', 'json'],
    ])('%s with Accept %s is %s', async (query, accept, form) => {
      const answer = await ada.get(`${url}${query}`, accept ? { accept } : {});
      expect(answer.status).toBe(200);
      if (form === 'json') {
        expect(answer.body.messages).toHaveLength(2);
        return;
      }
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(answer.text).toBe('[00:01] assistant: Hello.\n[01:01] user: Two lines\n');
    });

    test('has no other format', async () => {
      expect((await ada.get(`${url}?format=xml`)).status).toBe(400);
    });
  });

  test('the event log is NDJSON, whole and in order, however long', async () => {
    const { id } = await insert();
    const lines = Array.from({ length: 1203 }, (_, seq) => ({
      seq,
      at: seq * 20,
      kind: 'event' as const,
      type: 'play.mark',
      data: { uttId: 1, playedMs: seq, text: 'with\nnewline' },
    }));
    await appendCallEvents(db(), { teamId: ada.teamId, callId: id, lines });
    const answer = await ada.get(`${PATH}/${id}/events`);
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    expect(
      answer.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(lines);
  });
});
