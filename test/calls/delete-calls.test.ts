import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteCallerData, findCallerData } from '../../src/calls/caller-data.ts';
import { createDeleteAgain } from '../../src/calls/delete-again.ts';
import { DeletionLedger } from '../../src/calls/deletion-ledger.ts';
import { describeHistory } from '../../src/calls/history.ts';
import { createRemoveCallFiles } from '../../src/calls/remove-call-files.ts';
import { createSweepRetention } from '../../src/calls/sweep-retention.ts';
import { createWrapUp, type WrapUpDeps } from '../../src/calls/wrap-up-call.ts';
import type { AssistantConfig } from '../../src/contract/assistant.ts';
import { summaryOf } from '../../src/contract/assistant-test-result.ts';
import { insertAppointment } from '../../src/store/appointments.ts';
import { createAssistant } from '../../src/store/assistants.ts';
import { createCalendar } from '../../src/store/calendars.ts';
import { appendCallEvents } from '../../src/store/call-events.ts';
import type { CallRecord } from '../../src/store/calls.ts';
import { findCall, getCall } from '../../src/store/calls.ts';
import { addDoNotCall } from '../../src/store/do-not-call.ts';
import { HISTORY_HEADING } from '../../src/store/history.ts';
import { listExpired, listTeamsWithRules } from '../../src/store/retention.ts';
import { updateTeam } from '../../src/store/teams.ts';
import { createTestRun, listTestRuns, updateTestRun } from '../../src/store/test-runs.ts';
import { createText } from '../../src/store/texts.ts';
import { addToWaitList } from '../../src/store/wait-list-entries.ts';
import { createWaitList } from '../../src/store/wait-lists.ts';
import { forgetDeletedCalls } from '../../src/testing/forget-calls.ts';
import { parseTests } from '../../src/testing/parse-tests.ts';
import { withoutCalls } from '../../src/testing/without-calls.ts';
import { allRows } from '../support/all-rows.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { createCallWithServer } from '../support/call-with-server.ts';
import { clearFiles } from '../support/clear-files.ts';
import { withDatabase } from '../support/postgres.ts';

const DAY_MS = 24 * 3600_000;
const HOUR_MS = 3600_000;
const CONVERSATIONS = '/calls/v1/conversations';
const reader = {
  read: async (source: string) => parseTests(source),
  withoutCalls: async (task: Parameters<typeof withoutCalls>[0]) => withoutCalls(task),
};
const attempt = { signal: new AbortController().signal, number: 1, last: false };

withDatabase('what is kept', ({ db, newTeam }) => {
  let api: TestApi;
  let folder: string;
  let recordingsDir: string;
  let ledger: DeletionLedger;
  /** How far the clock is ahead. */
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const queued: { readonly kind: string; readonly data: object; readonly startAfter?: Date }[] = [];
  const jobs = {
    send: async (_db: unknown, { name: kind }: { name: string }, data: object, options = {}) => {
      queued.push({ kind, data, ...options });
      return true;
    },
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-kept-'));
    recordingsDir = join(folder, 'recordings');
    await mkdir(recordingsDir);
    ledger = new DeletionLedger(join(folder, 'deleted-calls'));
    api = await startTestApi(db(), { jobs, now });
  });
  afterAll(async () => {
    await api.close();
    await rm(folder, { recursive: true, force: true });
  });

  const unsaved = () => join(folder, 'unsaved');
  /** Does what is queued. */
  const work = async () => {
    const handler = createRemoveCallFiles({
      ...{ db: db(), now, recordingsDir, files: clearFiles, ledger, jobs },
      removeUnsaved: (id) => rm(`${unsaved()}.${id}.json`, { force: true }),
      forgetInTests: (team, signal) => forgetDeletedCalls({ db: db(), reader }, team, signal),
    });
    for (const { kind, data } of queued.splice(0))
      if (kind === 'remove-call-files') await handler(data as { teamId: string }, attempt);
  };
  const sweep = () =>
    createSweepRetention({ db: db(), now, jobs, recordingsDir, files: clearFiles })(
      {},
      attempt,
    ).then(work);

  /** A call that has ended, with a recording and a transcript file. */
  const ended = async (
    teamId: string,
    {
      daysAgo = 0,
      assistant = {},
      said = 'Hello.',
      isWrappedUp = true,
      ...call
    }: Partial<CallRecord> & {
      readonly daysAgo?: number;
      readonly assistant?: object;
      readonly said?: string;
      readonly isWrappedUp?: boolean;
    } = {},
  ) => {
    const startAt = new Date(Date.now() - daysAgo * DAY_MS - HOUR_MS);
    const made = await createCallWithServer(db(), {
      ...{ teamId, url: 'https://shop.example/hook' },
      assistant: { ...assistant },
      call: { startAt, userNumber: '+4930123456', assistantId: 'ada', ...call },
    });
    const path = join(recordingsDir, `${made.id}.wav`);
    await made.write(made.turn(said, 'I see.'), {
      status: 'finished',
      endAt: startAt.getTime() + 60_000,
      settled: true,
      recording: { path, sampleRateHz: 8000, durationMs: 1000, bytes: 100 },
    });
    if (isWrappedUp)
      await db().execute(sql`update calls set wrap_up = 'done' where id = ${made.id}`);
    await writeFile(path, `RIFF ${said}`);
    await writeFile(path.replace('.wav', '.txt'), said);
    return made;
  };
  const ownOf = async () => {
    const teamId = await newTeam();
    return { teamId, client: await api.client(teamId) };
  };
  const filesOf = async (id: string) =>
    (await readdir(recordingsDir)).filter((name) => name.includes(id));
  const exists = async (teamId: string, id: string) =>
    (await findCall(db(), { teamId, id })) !== undefined;
  const remove = (client: TestClient, id: string) => client.delete(`${CONVERSATIONS}/${id}`);

  /** All that stands in the database, the files and the log. */
  const everything = async () => {
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = await Promise.all(
      names
        .filter((entry) => entry.isFile())
        .map(async ({ parentPath, name }) => [
          name,
          await readFile(join(parentPath, name), 'latin1'),
        ]),
    );
    return [await allRows(db()), files.join('\n'), api.log.join('\n')].join('\n');
  };

  test('nothing that was said in a deleted call is found in database, files or log, and it was there before', async () => {
    const { teamId, client } = await ownOf();
    const number = '+4930777001';
    const call = await ended(teamId, {
      ...{ said: 'caller marzipan', userNumber: number, customerName: 'name lavender' },
      metadata: { note: 'metadata saffron' },
    });
    await call.write([
      {
        ...{ type: 'log', level: 'info', message: 'tool result cardamom' },
      } as never,
    ]);
    await db().execute(sql`update calls set analysis = '{"summary":"summary tarragon"}'
      where id = ${call.id}`);
    const base = await client.post('/kb/v1/knowledge-bases', { title: 'Base' });
    await db().execute(sql`insert into knowledge_questions
      (call_id, tool_call_id, knowledge_base_id, question, answered, asked_at)
      values (${call.id}, 't', ${base.body._id ?? base.body.id}, 'question juniper', false, now())`);
    await createText(db(), {
      ...{ teamId, numberId: 'n', userNumber: number, role: 'assistant', callId: call.id },
      ...{ text: 'text verbena', status: 'sent', assistantId: 'ada' },
    });
    const appointment = await insertAppointment(db(), {
      calendarId: (await createCalendar(db(), { teamId, config: {} as never })).id,
      ...{ startAt: new Date(), endAt: new Date(), name: 'Ada', phone: number, notes: '' },
      ...{ callId: call.id, requestKey: null },
    });
    await client.patch(`${CONVERSATIONS}/${call.id}`, { tags: ['tag oregano'], reviewed: true });
    await client.post(`${CONVERSATIONS}/${call.id}/notes`, { text: 'note hyssop' });
    await db().execute(sql`insert into idempotency_keys
      (team_id, key, request_hash, response_status, response_body, created_at) values
      (${teamId}, 'k', 'h', 201, ${`{"id":"${call.id}","number":"answer sorrel"}`}, now())`);
    await writeFile(join(recordingsDir, `${call.id}.100.part.wav`), 'part chervil');
    await writeFile(join(recordingsDir, `${call.id}.txt.part`), 'half angelica');
    await writeFile(`${unsaved()}.${call.id}.json`, 'unsaved fennel');
    await db().execute(sql`update calls set epoch = 2 where id = ${call.id}`);
    // A later call of the caller, which was told of this one.
    const later = await ended(teamId, { userNumber: number, said: 'later' });
    const history = describeHistory([
      { startAt: new Date(), messages: [{ role: 'user', text: 'caller "marzipan"\nagain' }] },
    ]);
    await db().execute(sql`insert into call_events (call_id, seq, at, kind, type, data) values
      (${later.id}, 1000, 0, 'note', 'call.created', ${JSON.stringify({
        settings: { systemPrompt: `Be kind.\n\n${history}` },
      })}::json),
      (${later.id}, 1001, 0, 'command', 'llm.start', ${JSON.stringify({
        messages: [{ role: 'system', content: `Be kind.\n\n${history}\n\nStep two.` }],
      })}::json)`);

    const planted = [
      ...['caller marzipan', 'name lavender', 'metadata saffron', 'tool result cardamom'],
      ...['summary tarragon', 'question juniper', 'text verbena', 'answer sorrel'],
      ...['tag oregano', 'note hyssop'],
      ...['part chervil', 'half angelica', 'unsaved fennel', 'marzipan'],
    ];
    const before = await everything();
    for (const words of planted) expect(before.includes(words), words).toBe(true);

    const { status, body } = await remove(client, call.id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: call.id, cause: 'request' });
    expect(body.filesRemovedAt).toBeUndefined();
    await work();

    const after = await everything();
    for (const words of planted) expect(after.includes(words), words).toBe(false);
    expect(after).toContain('Be kind.');
    expect(after).toContain('Step two.');
    expect(await filesOf(later.id)).toHaveLength(2);
    // The appointment is the business's, and names the call no more.
    const { rows } = await db().execute(
      sql`select call_id from appointments where id = ${appointment.id}`,
    );
    expect(rows).toEqual([{ call_id: null }]);
    const again = await remove(client, call.id);
    expect(again.body.filesRemovedAt).toBeDefined();
    expect(again.body.deletedAt).toBe(body.deletedAt);
    expect((await client.get(`${CONVERSATIONS}/${call.id}`)).status).toBe(404);
    expect((await client.get('/privacy/v1/deleted-calls')).body).toEqual([again.body]);
  });

  test('a test that was made of a deleted call goes with it, with its runs; what else is in the suite stays', async () => {
    const { teamId, client } = await ownOf();
    const call = await ended(teamId, { said: 'made of marzipan' });
    const other = await ended(teamId, { said: 'made of saffron' });
    const testOf = async ({ id }: { readonly id: string }) =>
      (await client.get(`${CONVERSATIONS}/${id}/test`)).body.source as string;
    const alone = await testOf(call);
    const both = alone + (await testOf(other)).split('tests:\n')[1];
    const suite = async (source: string) => {
      const made = await client.post('/tests/v1/suites', { title: 'T', source });
      expect(made.status).toBe(201);
      return made.body.id as string;
    };
    const [first, second] = [await suite(alone), await suite(both)];
    const run = (suiteId: string, callIds: readonly string[]) =>
      createTestRun(db(), {
        ...{ teamId, suiteId, assistantId: 'ada', assistantVersion: 1, by: 'nightly', callIds },
        ...{ source: 'made of marzipan', seed: 1, budget: {}, judge: null, spoken: null },
        estimate: { requests: 0, inputTokens: 0, outputTokens: 0, vendors: [] },
        summary: summaryOf([]),
      });
    const [gone, kept] = [await run(second, [call.id]), await run(second, [other.id])];
    await db().execute(sql`update test_runs set source = '' where id = ${kept.id}`);
    expect(await everything()).toContain('made of marzipan');

    await remove(client, call.id);
    await work();

    expect(await everything()).not.toContain('marzipan');
    expect((await client.get(`/tests/v1/suites/${first}`)).status).toBe(404);
    const left = (await client.get(`/tests/v1/suites/${second}`)).body;
    expect(left).toMatchObject({ tests: 1, source: expect.stringContaining('made of saffron') });
    const runs = (await client.get('/tests/v1/runs')).body;
    expect(JSON.stringify(runs)).toContain(kept.id);
    expect(JSON.stringify(runs)).not.toContain(gone.id);

    // Stored again afterwards: it stays until the next round of the rules.
    await suite(alone);
    expect(await everything()).toContain('made of marzipan');
    await sweep();
    expect(await everything()).not.toContain('marzipan');
  });

  test('runs of tests are deleted by the shortest rule of operator, team and assistant', async () => {
    const { teamId, client } = await ownOf();
    const { id: strict } = await createAssistant(db(), {
      teamId,
      config: { retentionDays: { text: 2 } } as AssistantConfig,
    });
    const run = async (assistantId: string, daysAgo: number | undefined) => {
      const { id } = await createTestRun(db(), {
        ...{ teamId, suiteId: null, assistantId, assistantVersion: 1, by: 'request' },
        ...{ source: 'x', callIds: [], seed: 1, budget: {}, judge: null, spoken: null },
        estimate: { requests: 0, inputTokens: 0, outputTokens: 0, vendors: [] },
        summary: summaryOf([]),
      });
      const finishedAt = daysAgo === undefined ? null : new Date(Date.now() - daysAgo * DAY_MS);
      await updateTestRun(db(), { teamId, id, change: { finishedAt } });
      return id;
    };
    const ids = await Promise.all([
      ...[run('ada', 6), run('ada', 4), run(strict, 3), run(strict, 1)],
      run('ada', undefined),
    ]);
    const left = async () => {
      await sweep();
      const { items } = await listTestRuns(db(), { teamId });
      const kept = items.map(({ id }) => id);
      return ids.flatMap((id, index) => (kept.includes(id) ? [index] : []));
    };
    expect(await left()).toEqual([0, 1, 3, 4]);
    await client.put('/privacy/v1/retention', { text: 5 });
    expect(await left()).toEqual([1, 3, 4]);
    const change = { name: 'T', limits: {}, retentionDays: { text: 3 } };
    await updateTeam(db(), { teamId, change });
    expect(await left()).toEqual([3, 4]);
  });

  test("another team's call is not found, and its files stay", async () => {
    const { teamId } = await ownOf();
    const { client: stranger } = await ownOf();
    const { id } = await ended(teamId);
    expect((await remove(stranger, id)).status).toBe(404);
    const many = await stranger.post(`${CONVERSATIONS}/delete`, { ids: [id] });
    expect(many.body).toEqual({ deleted: 0, held: 0, live: 0, remaining: 0 });
    expect(await exists(teamId, id)).toBe(true);
  });

  test('a call whose process may still write keeps its trace open until its files are removed again', async () => {
    const { teamId, client } = await ownOf();
    const { id } = await ended(teamId);
    await db().execute(sql`update calls set end_at = now() where id = ${id}`);
    await remove(client, id);
    await work();
    expect((await remove(client, id)).body.filesRemovedAt).toBeUndefined();
    // Written late.
    await writeFile(join(recordingsDir, `${id}.wav`), 'late');
    expect(queued).toMatchObject([{ kind: 'remove-call-files', startAfter: expect.any(Date) }]);
    aheadMs = HOUR_MS;
    await work();
    aheadMs = 0;
    expect(await filesOf(id)).toEqual([]);
    expect((await remove(client, id)).body.filesRemovedAt).toBeDefined();
  });

  test('a live call is refused with the reason, and deleted once it is ended', async () => {
    const { teamId, client } = await ownOf();
    const assistant = { name: 'A', recordingEnabled: false };
    const connect = { direction: 'inbound', assistant };
    const { body: waiting } = await client.post(`${CONVERSATIONS}/connect`, connect);
    const refused = await remove(client, waiting.id);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('The call is live');
    const done = await client.delete(`${CONVERSATIONS}/${waiting.id}?end=true`);
    expect(done.body).toMatchObject({ id: waiting.id, cause: 'request' });
    const { body: live } = await client.post(`${CONVERSATIONS}/connect`, connect);
    await db().execute(sql`update calls set node_id = 'n' where id = ${live.id}`);
    const removing = client.delete(`${CONVERSATIONS}/${live.id}?end=true`);
    await expect.poll(() => api.control.events.some(({ callId }) => callId === live.id)).toBe(true);
    await db().execute(sql`update calls set end_at = now(), status = 'finished'
      where id = ${live.id}`);
    expect((await removing).status).toBe(200);
    expect(await exists(teamId, live.id)).toBe(false);
  });

  test('a filter deletes what it matches and nothing else; a dry run and an empty filter nothing', async () => {
    const { teamId, client } = await ownOf();
    const old = await ended(teamId, { daysAgo: 10 });
    const fresh = await ended(teamId);
    const other = await ended(teamId, { daysAgo: 10, userNumber: '+4930999999' });
    const filter = { endDate: new Date(Date.now() - 5 * DAY_MS).toISOString() };
    const url = `${CONVERSATIONS}/delete`;
    expect((await client.post(url, {})).status).toBe(400);
    const dry = await client.post(url, { ...filter, dryRun: true });
    expect(dry.body).toEqual({ deleted: 0, held: 0, live: 0, remaining: 2 });
    const one = await client.post(url, { ...filter, userNumber: '+4930123456' });
    expect(one.body).toEqual({ deleted: 1, held: 0, live: 0, remaining: 0 });
    const left = [old, fresh, other].map(({ id }) => exists(teamId, id));
    expect(await Promise.all(left)).toEqual([false, true, true]);
  });

  test('what is on hold is deleted by no request and no rule, until it is released', async () => {
    const { teamId, client } = await ownOf();
    const held = await ended(teamId, { daysAgo: 10 });
    const byNumber = await ended(teamId, { daysAgo: 10, userNumber: '+4930555555' });
    const reason = 'Case 12';
    const hold = `${CONVERSATIONS}/${held.id}/hold`;
    expect((await client.put(hold, { reason })).body.hold).toMatchObject({ reason });
    await client.put('/privacy/v1/holds/+4930555555', { reason });
    expect((await client.get('/privacy/v1/holds')).body).toMatchObject([
      { number: '+4930555555', reason },
    ]);
    await client.put('/privacy/v1/retention', { sound: 1, text: 1 });
    await sweep();
    for (const { id } of [held, byNumber]) {
      const refused = await remove(client, id);
      expect(refused.status).toBe(409);
      expect(refused.text).toContain('on hold');
      expect(await filesOf(id)).toHaveLength(2);
    }
    const many = await client.post(`${CONVERSATIONS}/delete`, { callType: 'web' });
    expect(many.body).toMatchObject({ deleted: 0, held: 2 });
    const caller = await client.delete('/privacy/v1/callers/+4930555555');
    expect(caller.body).toMatchObject({
      ...{ found: { calls: 1 }, deleted: { calls: 0 } },
      kept: [{ what: 'calls', count: 1, reason: 'on hold: Case 12' }],
    });
    expect((await client.delete(hold)).body.hold).toBeUndefined();
    expect((await client.delete(hold)).status).toBe(404);
    await client.delete('/privacy/v1/holds/+4930555555');
    await sweep();
    expect(await exists(teamId, held.id)).toBe(false);
    expect(await exists(teamId, byNumber.id)).toBe(false);
  });

  test('a number on hold keeps calls in which it was written nationally', async () => {
    const { teamId, client } = await ownOf();
    const national = await ended(teamId, { userNumber: '030555777' });
    await client.put('/privacy/v1/holds/+4930555777', { reason: 'Case 13' });
    expect((await remove(client, national.id)).status).toBe(409);
    await client.delete('/privacy/v1/holds/+4930555777');
    expect((await remove(client, national.id)).status).toBe(200);
  });

  test('a call on hold keeps what it was told of a deleted one, until it is released', async () => {
    const { teamId, client } = await ownOf();
    const userNumber = '+4930555888';
    const earlier = await ended(teamId, { userNumber });
    const later = await ended(teamId, { userNumber });
    const settings = { systemPrompt: `Be kind.\n\n${HISTORY_HEADING}\nplums` };
    await appendCallEvents(db(), {
      ...{ teamId, callId: later.id },
      lines: [
        { seq: 900, at: 0, kind: 'event', type: 'call.created', data: { settings } } as never,
      ],
    });
    const told = async () => (await allRows(db())).includes('plums');
    const hold = `${CONVERSATIONS}/${later.id}/hold`;
    await client.put(hold, { reason: 'Case 14' });
    expect((await remove(client, earlier.id)).status).toBe(200);
    expect(await told()).toBe(true);
    await client.delete(hold);
    expect(await told()).toBe(false);
  });

  test('a rule deletes sound of which the record says nothing, and looks at a call without any once', async () => {
    const { teamId, client } = await ownOf();
    const call = await ended(teamId, { daysAgo: 4 });
    const path = join(recordingsDir, `${call.id}.wav`);
    await rm(path);
    await writeFile(`${path}.sealed`, 'sealed');
    await db().execute(sql`update calls set recording = null where id = ${call.id}`);
    await client.put('/privacy/v1/retention', { sound: 3 });
    const left = () => listExpired(db(), { teamId, kind: 'sound', now: new Date(now()), limit: 9 });
    expect(await left()).toEqual([call.id]);
    await sweep();
    expect(await filesOf(call.id)).toEqual([`${call.id}.txt`]);
    expect(await left()).toEqual([]);
  });

  test('an expired call is found by the rule of its team, of its assistant, or its own', async () => {
    const { teamId } = await ownOf();
    const assistantId = await createAssistant(db(), {
      teamId,
      config: { retentionDays: { sound: 2, text: 5 } } as AssistantConfig,
    }).then(({ id }) => id);
    const [byAssistant, own, other] = [
      await ended(teamId, { daysAgo: 6, assistantId }),
      await ended(teamId, {
        ...{ daysAgo: 6, assistantId: null, assistant: { retentionDays: { text: 5 } } },
      }),
      await ended(teamId, { daysAgo: 6 }),
    ];
    const found = async (kind: 'sound' | 'text', limit = 9) =>
      listExpired(db(), { teamId, kind, now: new Date(now()), limit });
    expect(await found('text')).toEqual([byAssistant.id, own.id].toSorted());
    expect(await found('text', 1)).toHaveLength(1);
    expect(await found('sound')).toEqual([byAssistant.id]);
    expect(await listTeamsWithRules(db(), { kind: 'sound' })).toContain(teamId);
    const change = { name: 'T', limits: {}, retentionDays: { text: 5 } };
    await updateTeam(db(), { teamId, change });
    expect(await found('text')).toEqual([byAssistant.id, own.id, other.id].toSorted());
    expect(await listTeamsWithRules(db(), { kind: 'text' })).not.toContain(await newTeam());
  });

  test('of the rules of operator, team and assistant the shortest holds, for sound and text apart', async () => {
    const { teamId, client } = await ownOf();
    const calls = {
      fresh: await ended(teamId, { daysAgo: 1 }),
      soundless: await ended(teamId, { daysAgo: 4 }),
      old: await ended(teamId, { daysAgo: 11 }),
      byAssistant: await ended(teamId, {
        ...{ daysAgo: 4, assistantId: null, assistant: { retentionDays: { text: 3 } } },
      }),
    };
    const state = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(calls).map(async ([name, { id }]) => {
            const call = await findCall(db(), { teamId, id });
            return [
              name,
              call ? (await filesOf(id)).map((file) => file.slice(-3)).toSorted() : 'gone',
            ];
          }),
        ),
      );
    await sweep();
    const both = ['txt', 'wav'];
    expect(await state()).toEqual({ fresh: both, soundless: both, old: both, byAssistant: 'gone' });
    await client.put('/privacy/v1/retention', { sound: 3 });
    const change = { name: 'T', limits: {}, retentionDays: { text: 10 } };
    await updateTeam(db(), { teamId, change });
    expect((await client.get('/privacy/v1/retention')).body).toEqual({
      ...{ own: { sound: 3 }, most: { text: 10 } },
    });
    await sweep();
    expect(await state()).toEqual({
      ...{ fresh: both, soundless: ['txt'], old: 'gone', byAssistant: 'gone' },
    });
    const { body } = await client.get(`${CONVERSATIONS}/${calls.soundless.id}`);
    expect(body.recording).toBeUndefined();
    expect(body.messages).toHaveLength(2);
    expect((await client.get('/privacy/v1/deleted-calls')).body).toMatchObject([
      { cause: 'retention' },
      { cause: 'retention' },
    ]);
  });

  test('a rule waits for the analysis of a call, and for the end of a live one', async () => {
    const { teamId, client } = await ownOf();
    const analysed = await ended(teamId, { daysAgo: 3, isWrappedUp: false });
    const stuck = await ended(teamId, { daysAgo: 30, isWrappedUp: false });
    const live = await createCallWithServer(db(), {
      ...{ teamId, url: 'https://shop.example/hook' },
      call: { startAt: new Date(Date.now() - 5 * DAY_MS) },
    });
    await client.put('/privacy/v1/retention', { text: 1 });
    await sweep();
    expect(await exists(teamId, analysed.id)).toBe(true);
    expect(await exists(teamId, stuck.id)).toBe(false);
    expect(await exists(teamId, live.id)).toBe(true);
    await db().execute(sql`update calls set wrap_up = 'done' where id = ${analysed.id}`);
    await sweep();
    expect(await exists(teamId, analysed.id)).toBe(false);
  });

  test.each([
    ['waits for it', 3],
    ['that takes longer than a week leaves nothing of it', 8],
  ])('a rule beside an analysis in progress %s', async (_, daysAgo) => {
    const { teamId, client } = await ownOf();
    const call = await ended(teamId, {
      ...{ daysAgo, isWrappedUp: false, assistant: { postCallTranscriptsEnabled: true } },
    });
    await client.put('/privacy/v1/retention', { text: 1 });
    const path = join(recordingsDir, `${call.id}.txt`);
    const isDue = daysAgo > 7;
    const wrapUp = createWrapUp({
      ...{ db: db(), fill: (text: string) => text, onReported: () => undefined },
      keepTranscript: async () => {
        await sweep();
        expect(await exists(teamId, call.id)).toBe(!isDue);
        await writeFile(path, 'planted');
      },
      removeTranscript: async () => rm(path, { force: true }),
    } as Partial<WrapUpDeps> as WrapUpDeps);
    await wrapUp({ callId: call.id }, attempt);
    if (!isDue) {
      expect((await getCall(db(), { teamId, id: call.id })).wrapUp).toBe('done');
      await sweep();
    }
    expect(await exists(teamId, call.id)).toBe(false);
    expect(await filesOf(call.id)).toEqual([]);
  });

  test('everything about a caller is found and deleted by number, however it was written', async () => {
    const { teamId, client } = await ownOf();
    const number = '+4930123456';
    const other = '+4930123457';
    for (const userNumber of [number, '030123456', other]) await ended(teamId, { userNumber });
    await client.post(`${CONVERSATIONS}/connect`, {
      ...{ direction: 'inbound', assistant: { name: 'A' } },
    });
    for (const userNumber of [number, other])
      await createText(db(), {
        ...{ teamId, numberId: 'n', userNumber, role: 'user', text: 'Hi', status: 'received' },
      });
    const calendar = await createCalendar(db(), { teamId, config: {} as never });
    const waitList = await createWaitList(db(), { teamId, config: {} as never });
    for (const phone of ['030 / 123 456', '+49 (0)30 123456', '0049 30 123456', other]) {
      const person = { name: 'Ada', phone, notes: '', callId: null, requestKey: null };
      await insertAppointment(db(), {
        ...{ calendarId: calendar.id, ...person, startAt: new Date(), endAt: new Date() },
      });
      await addToWaitList(db(), { waitListId: waitList.id, maxEntries: 10, ...person });
    }
    await db().execute(sql`insert into text_opt_outs (team_id, number_id, user_number, created_at)
      values (${teamId}, 'n', ${number}, now())`);
    await addDoNotCall(db(), { teamId, number, source: 'api', now: new Date() });
    const url = `/privacy/v1/callers/${number}`;
    const places = { calls: 2, recordings: 2, messages: 4, texts: 1, appointments: 3 };
    const dry = await client.get(url);
    expect(dry.body).toMatchObject({
      ...{ number, found: { ...places, waitListEntries: 3 } },
      kept: [
        { what: 'textOptOuts', count: 1 },
        { what: 'doNotCall', count: 1 },
      ],
    });
    expect(await findCallerData(db(), { teamId, number })).toEqual(dry.body);
    const done = await client.delete(url);
    expect(done.body).toMatchObject({ found: dry.body.found, deleted: dry.body.found });
    await work();
    const left = await deleteCallerData({ db: db(), jobs, now }, { teamId, number });
    expect(new Set(Object.values(left.found))).toEqual(new Set([0]));
    expect((await findCallerData(db(), { teamId, number: other })).found).toMatchObject({
      ...{ calls: 1, texts: 1, appointments: 1, waitListEntries: 1 },
    });
    expect((await client.get('/privacy/v1/callers/030123456')).status).toBe(400);
  });

  test('what a restored backup brings back is deleted again, and what is held meanwhile is not', async () => {
    const { teamId, client } = await ownOf();
    const [back, held] = [await ended(teamId), await ended(teamId)];
    const rows: unknown[] = [];
    for (const { id } of [back, held]) {
      rows.push(
        (await db().execute(sql`select to_json(c) as row from calls c where id = ${id}`)).rows[0]
          ?.row,
      );
      await remove(client, id);
    }
    await work();
    // The backup knows the calls and not their deletion.
    await db().execute(sql`delete from deleted_calls where team_id = ${teamId}`);
    for (const row of rows)
      await db().execute(
        sql`insert into calls select * from json_populate_record(null::calls, ${JSON.stringify(row)}::json)`,
      );
    await db().execute(sql`update calls set held_at = now() where id = ${held.id}`);
    await writeFile(join(recordingsDir, `${back.id}.wav`), 'restored');
    await createDeleteAgain({ db: db(), now, jobs, ledger })({}, attempt);
    await work();
    expect(await exists(teamId, back.id)).toBe(false);
    expect(await exists(teamId, held.id)).toBe(true);
    expect(await filesOf(back.id)).toEqual([]);
    expect((await getCall(db(), { teamId, id: held.id })).heldAt).not.toBeNull();
    expect((await client.get('/privacy/v1/deleted-calls')).body).toMatchObject([
      { id: back.id, cause: 'restored-backup' },
    ]);
  });
});
