import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newCallId } from '../../src/lib/ids.ts';
import { createCall, updateCall } from '../../src/store/calls.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const PATH = '/calls/v1/conversations';
const NOW = Date.parse('2026-02-01T09:00:00.000Z');

withDatabase('calls as work', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  let eve: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db(), { now: () => NOW });
    ada = await api.client(await newTeam());
    eve = await api.client(await newTeam());
  });
  afterAll(() => api.close());

  const insert = async (
    fields: Partial<Parameters<typeof createCall>[1]> = {},
    change: Parameters<typeof updateCall>[1]['change'] = {},
  ) => {
    const call = await createCall(db(), {
      ...{ id: newCallId('web'), teamId: ada.teamId, callType: 'web', direction: 'inbound' },
      ...{ startAt: new Date(NOW - 3_600_000), snapshot: {} as never },
      ...fields,
    });
    await updateCall(db(), { teamId: call.teamId, id: call.id, change });
    return call.id;
  };

  test('a call is marked as reviewed, by whom and when, and the first review counts', async () => {
    const id = await insert();
    const marked = await ada.patch(`${PATH}/${id}`, { reviewed: true });
    expect(marked).toMatchObject({
      status: 200,
      body: { id, review: { at: new Date(NOW).toISOString(), by: expect.any(String) } },
    });
    expect((await ada.get(`${PATH}/${id}`)).body.review).toEqual(marked.body.review);
    const again = await ada.patch(`${PATH}/${id}`, { reviewed: true, tags: ['refund'] });
    expect(again.body).toMatchObject({ review: marked.body.review, tags: ['refund'] });
    const open = await ada.patch(`${PATH}/${id}`, { reviewed: false });
    expect(open.body.review).toBeUndefined();
    expect(open.body.tags).toEqual(['refund']);
  });

  test('tags are trimmed, each once, and can be taken away', async () => {
    const id = await insert();
    const tagged = await ada.patch(`${PATH}/${id}`, { tags: ['Refund ', 'VIP', 'Refund'] });
    expect(tagged.body.tags).toEqual(['Refund', 'VIP']);
    expect((await ada.patch(`${PATH}/${id}`, { tags: [] })).body.tags).toBeUndefined();
  });

  test.each([
    [{ tags: ['a,b'] }, 'tags'],
    [{ tags: [' '] }, 'tags'],
    [{ tags: ['x'.repeat(51)] }, 'tags'],
    [{ tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }, 'tags'],
    [{ reviewed: 'yes' }, 'reviewed'],
    [{ status: 'finished' }, 'status'],
  ])('refuses the marks %j and names the field', async (body, field) => {
    const id = await insert();
    const refused = await ada.patch(`${PATH}/${id}`, body);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain(field);
  });

  test('notes are written, read with their call, and deleted', async () => {
    const id = await insert();
    const first = await ada.post(`${PATH}/${id}/notes`, { text: 'Call her back.' });
    expect(first).toMatchObject({
      status: 201,
      body: { text: 'Call her back.', createdAt: new Date(NOW).toISOString() },
    });
    const second = await ada.post(`${PATH}/${id}/notes`, { text: 'Done.' });
    expect((await ada.get(`${PATH}/${id}`)).body.notes).toEqual([first.body, second.body]);
    const gone = await ada.delete(`${PATH}/${id}/notes/${first.body.id}`);
    expect(gone).toMatchObject({ status: 200, body: first.body });
    expect((await ada.get(`${PATH}/${id}`)).body.notes).toEqual([second.body]);
    expect((await ada.delete(`${PATH}/${id}/notes/${first.body.id}`)).status).toBe(404);
    const blank = await ada.post(`${PATH}/${id}/notes`, { text: ' ' });
    expect([blank.status, blank.body.message]).toEqual([400, expect.stringContaining('text')]);
  });

  test('a call has at most a hundred notes', async () => {
    const id = await insert();
    for (let i = 0; i < 100; i++)
      expect((await ada.post(`${PATH}/${id}/notes`, { text: `n${i}` })).status).toBe(201);
    expect(await ada.post(`${PATH}/${id}/notes`, { text: 'one more' })).toMatchObject({
      status: 409,
      body: { message: 'A call has at most 100 notes: delete one first' },
    });
  });

  test("another team's call can be neither marked, noted, nor found in an export", async () => {
    const id = await insert({ customerName: 'Ada of Adas' });
    const { body: note } = await ada.post(`${PATH}/${id}/notes`, { text: 'Secret.' });
    const missing = { status: 404, body: { message: 'Conversation not found!' } };
    expect(await eve.patch(`${PATH}/${id}`, { reviewed: true })).toMatchObject(missing);
    expect(await eve.post(`${PATH}/${id}/notes`, { text: 'Hi.' })).toMatchObject(missing);
    expect((await eve.delete(`${PATH}/${id}/notes/${note.id}`)).status).toBe(404);
    expect(await eve.get(`${PATH}/${id}/neighbours`)).toMatchObject(missing);
    expect((await eve.get(`${PATH}/export?format=json`)).body).toEqual([]);
    expect((await ada.get(`${PATH}/${id}`)).body.notes).toEqual([note]);
  });

  test('an export is a table that runs no formulas, with the notes, of the calls that match', async () => {
    const teamId = await newTeam();
    const client = await api.client(teamId);
    const end = new Date(NOW - 3_500_000);
    const failed = await insert(
      { teamId, customerName: '=HYPERLINK("http://evil")', userNumber: '+4930123456' },
      {
        ...{ status: 'finished', endAt: end, endReason: 'model-failed' },
        failure: { code: 'x', message: 'said "no", twice' },
        metrics: [{ turn: 1, totalMs: 640.4 }],
        analysis: { summary: '-1 for us,\nsaid she', successEvaluation: 'fail' },
      },
    );
    await insert({ teamId }, { status: 'finished', endAt: end, endReason: 'user-hung-up' });
    await client.patch(`${PATH}/${failed}`, { reviewed: true, tags: ['refund', 'VIP'] });
    await client.post(`${PATH}/${failed}/notes`, { text: '@SUM(A1)' });

    const query = '?flags=failed,unhappy&format=csv';
    const answer = await client.get(`${PATH}/export${query}`);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="calls.csv"');
    const rows = parse(answer.text, { columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      ...{ id: failed, seconds: '100', channel: 'web', endReason: 'model-failed' },
      ...{ customerName: '\'=HYPERLINK("http://evil")', userNumber: "'+4930123456" },
      ...{ outcome: 'fail', summary: "'-1 for us,\nsaid she", medianAnswerMs: '640' },
      ...{ tags: 'refund, VIP', notes: expect.stringMatching(/: @SUM\(A1\)$/) },
      failure: expect.stringContaining('said "no", twice'),
    });

    const json = await client.get(`${PATH}/export?format=json`);
    expect(json.body.map(({ id }: { id: string }) => id).at(-1)).toBeDefined();
    expect(json.body).toHaveLength(2);
    const exported = json.body.find(({ id }: { id: string }) => id === failed);
    expect(exported.notes).toMatchObject([{ text: '@SUM(A1)' }]);
  });

  test('an export goes over many pages, each call once, newest first', async () => {
    const teamId = await newTeam();
    const client = await api.client(teamId);
    const ids: string[] = [];
    // Many at the same instant, so that pages divide calls of one time.
    for (let i = 0; i < 230; i++)
      ids.push(await insert({ teamId, startAt: new Date(NOW + Math.floor(i / 60) * 1000) }));
    const { body } = await client.get(`${PATH}/export?format=json`);
    expect(body.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
  });

  test('refuses unknown flags and names them', async () => {
    const refused = await ada.get(`${PATH}?flags=failed,angry`);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('flags')]);
  });
});
