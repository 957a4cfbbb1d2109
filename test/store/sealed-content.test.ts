import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeHistory } from '../../src/calls/history.ts';
import { summaryOf } from '../../src/contract/assistant-test-result.ts';
import { newCallId } from '../../src/lib/ids.ts';
import { headOf } from '../../src/lib/sealed-text.ts';
import { changeAppointment, insertAppointment, listBooked } from '../../src/store/appointments.ts';
import { createCalendar } from '../../src/store/calendars.ts';
import { findCheckpoint, keepCheckpoint } from '../../src/store/call-checkpoints.ts';
import { listCallEvents, readCallEvents } from '../../src/store/call-events.ts';
import { findCallSummaries, listCalls, readMatching } from '../../src/store/call-list.ts';
import { addCallNote, listCallNotes } from '../../src/store/call-notes.ts';
import {
  appendOriginals,
  keepCallKeys,
  readOriginalEvents,
} from '../../src/store/call-originals.ts';
import { writeCallRecords } from '../../src/store/call-records.ts';
import { createCall, getCall } from '../../src/store/calls.ts';
import { currentTeamKey } from '../../src/store/current-team-key.ts';
import { connectDatabase, type Database } from '../../src/store/database.ts';
import { deleteCalls, matchingCalls } from '../../src/store/delete-calls.ts';
import { listDeliveries } from '../../src/store/deliveries.ts';
import { claimDeliveries, settleAttempt } from '../../src/store/due-deliveries.ts';
import { createKnowledgeBase } from '../../src/store/knowledge-bases.ts';
import {
  dismissQuestions,
  listJournalledLookups,
  listUnansweredWordings,
} from '../../src/store/knowledge-questions.ts';
import { listMessages } from '../../src/store/messages.ts';
import { resealBesidesCalls, resealCall } from '../../src/store/reseal-content.ts';
import { UnreadableError } from '../../src/store/sealed-content.ts';
import { addTeamKey, removeFormerKeys } from '../../src/store/team-keys.ts';
import {
  createTestRun,
  findLatestRun,
  findTestRun,
  listTestRuns,
  updateTestRun,
} from '../../src/store/test-runs.ts';
import {
  createTestSuite,
  getTestSuite,
  listTestSuites,
  updateTestSuite,
} from '../../src/store/test-suites.ts';
import { findLastReceived } from '../../src/store/text-answers.ts';
import { createText, listTexts } from '../../src/store/texts.ts';
import { addToWaitList, findWaiting, takeNext } from '../../src/store/wait-list-entries.ts';
import { createWaitList } from '../../src/store/wait-lists.ts';
import { finishWrapUp } from '../../src/store/wrap-ups.ts';
import { allRows } from '../support/all-rows.ts';
import { createCallWithServer } from '../support/call-with-server.ts';
import { collect } from '../support/collect.ts';
import { testSealer, withDatabases } from '../support/postgres.ts';

const PLANTED = [
  ...['caller marzipan', 'reply cinnamon', 'result cardamom', 'metadata saffron'],
  ...['variable paprika', 'summary tarragon', 'question juniper', 'text verbena'],
  ...['answer sorrel', 'name lavender', 'notes fennel', 'original chervil', 'list angelica'],
  ...['override anise', 'note rosemary', 'state chicory'],
  ...['suite lovage', 'tests dill', 'said borage', 'failed costmary'],
];
const signal = new AbortController().signal;

withDatabases('what was said, sealed', ({ db: clear, database, newTeam }) => {
  let sealing: Database;
  const db = () => sealing.db;
  const open = () =>
    connectDatabase(database().connection, { size: 3, sealer: testSealer, sealsContent: true });
  beforeAll(() => {
    sealing = open();
  });
  afterAll(() => sealing.close());

  /** A call with something in every place, and what belongs to its team besides; not ended yet. */
  const planted = async (store: () => typeof sealing.db, teamId: string) => {
    const made = await createCallWithServer(store(), {
      teamId,
      url: 'https://shop.example/hook',
      call: {
        ...{ userNumber: '+4930777001', metadata: { note: 'metadata saffron' } },
      },
    });
    const { id } = made;
    await made.write(
      [
        ...made.turn('caller marzipan', 'reply cinnamon'),
        {
          ...{ type: 'tool.invoke', toolCallId: 't1', name: 'lookup' },
          arguments: { query: 'question juniper' },
        },
        { type: 'tool.result', toolCallId: 't1', result: 'result cardamom' },
      ] as never,
      { status: 'ongoing' },
    );
    const given = await createCall(store(), {
      ...{ id: newCallId('web'), teamId, callType: 'web', direction: 'inbound' },
      snapshot: {
        ...(await getCall(store(), made)).snapshot,
        variables: { x: 'variable paprika' },
        ...{
          overrides: { name: 'override anise', assistantServer: { url: 'x', secret: 'whsec' } },
        },
      },
    });
    const author = { author: 'Ada', now: new Date() };
    await addCallNote(store(), { teamId, id, text: 'note rosemary', ...author });
    const keys = await keepCallKeys(store(), { teamId, callId: id });
    await appendOriginals(store(), {
      ...{ callId: id, keys },
      lines: [{ seq: 1, at: 0, kind: 'note', type: 'x', data: { text: 'original chervil' } }],
    });
    await keepCheckpoint(store(), {
      ...{ teamId, callId: id, epoch: 0 },
      checkpoint: { engineVersion: '1', last: { seq: 1, at: 0 }, text: 'state chicory' } as never,
    });
    const base = await createKnowledgeBase(store(), { teamId, title: 'Base' });
    await store().execute(sql`update calls set end_at = now() where id = ${id}`);
    await finishWrapUp(store(), {
      ...{
        teamId,
        id,
        analysis: { summary: 'summary tarragon', successEvaluation: 'fail' } as never,
      },
      asked: {
        knowledgeBaseIds: [base.id],
        questions: ['t1', 't2'].map((toolCallId) => ({
          ...{ toolCallId, question: 'question juniper', answered: false, askedAt: new Date() },
        })),
      },
    });
    const now = new Date();
    const leasedUntil = new Date(now.getTime() + 60_000);
    const place = { now, leasedUntil, nodeId: 'sender', limit: 100 };
    const claimed = await claimDeliveries(store(), { ...place, busyOrigins: [], busyTeams: [] });
    const mine = claimed.filter(({ callId }) => callId === id);
    for (const { id: deliveryId } of mine)
      await settleAttempt(store(), {
        ...{ id: deliveryId, teamId, nodeId: 'sender', number: 1, status: 'delivered' },
        outcome: { at: now, latencyMs: 1, httpStatus: 200, response: 'answer sorrel' },
      });
    const who = { teamId, numberId: `n-${teamId}`, userNumber: '+4930777001' };
    await createText(store(), { ...who, role: 'user', text: 'text verbena', status: 'received' });
    const calendar = await createCalendar(store(), { teamId, config: {} as never });
    const appointment = await insertAppointment(store(), {
      ...{ calendarId: calendar.id, startAt: now, endAt: new Date(now.getTime() + 1000) },
      ...{ name: 'name lavender', phone: '+4930777001', notes: 'notes fennel' },
      ...{ callId: id, requestKey: null },
    });
    const list = await createWaitList(store(), { teamId, config: {} as never });
    await addToWaitList(store(), {
      ...{
        waitListId: list.id,
        name: 'List Angelica',
        phone: '+4930777001',
        notes: 'list angelica',
      },
      ...{ callId: id, requestKey: null, maxEntries: 5 },
    });
    const suite = await createTestSuite(store(), {
      ...{ teamId, tests: 1, callIds: [] },
      config: { title: 'T', assistantId: 'ada', source: 'suite lovage', nightly: true },
    });
    const run = await createTestRun(store(), {
      ...{ teamId, suiteId: suite.id, assistantId: 'ada', assistantVersion: 1, by: 'nightly' },
      ...{ source: 'tests dill', callIds: [], seed: 1, budget: {}, judge: null, spoken: null },
      estimate: { requests: 0, inputTokens: 0, outputTokens: 0, vendors: [] },
      summary: summaryOf([]),
    });
    const change = {
      status: 'finished',
      results: [{ reason: 'said borage' }] as never,
      regressed: ['failed costmary'],
    } as const;
    await updateTestRun(store(), { teamId, id: run.id, change });
    return {
      ...made,
      suite,
      run,
      id,
      given,
      who,
      base,
      calendar,
      appointment,
      list,
      webhook: mine[0],
    };
  };
  type Planted = Awaited<ReturnType<typeof planted>>;

  /** That every function of the store gives it back. */
  const expectReadable = async (store: () => typeof sealing.db, made: Planted) => {
    const { teamId, id } = made;
    const call = await getCall(store(), { teamId, id });
    expect(call.metadata).toEqual({ note: 'metadata saffron' });
    expect(call.analysis).toEqual({ summary: 'summary tarragon', successEvaluation: 'fail' });
    expect(await listCalls(store(), { teamId, flags: ['unhappy'] })).toMatchObject({ ids: [id] });
    expect(await listCallNotes(store(), { callIds: [id] })).toMatchObject([
      { text: 'note rosemary' },
    ]);
    const [read] = await collect(readMatching(store(), { teamId, pageSize: 5, most: 5 }));
    expect(read?.find((one) => one.id === id)?.analysis).toEqual(call.analysis);
    const given = await getCall(store(), { teamId, id: made.given.id });
    expect(given.snapshot).toMatchObject({
      variables: { x: 'variable paprika' },
      overrides: { name: 'override anise', assistantServer: { secret: 'whsec' } },
    });
    const [summary] = await findCallSummaries(store(), { teamId, ids: [id] });
    expect(summary).toMatchObject({ metadata: call.metadata, analysis: call.analysis });
    const messages = await listMessages(store(), { callId: id });
    expect(messages.map(({ text }) => text)).toEqual(['caller marzipan', 'reply cinnamon']);
    const lines = await collect(readCallEvents(store(), { callId: id }));
    expect(lines).toHaveLength(6);
    expect(lines[5]).toMatchObject({ type: 'tool.result', data: { result: 'result cardamom' } });
    const some = await listCallEvents(store(), { callId: id, types: ['tool.result'] });
    expect(some).toMatchObject([{ data: { toolCallId: 't1' } }]);
    expect(await listJournalledLookups(store(), { callId: id, tool: 'lookup' })).toMatchObject([
      { toolCallId: 't1', question: 'question juniper', result: 'result cardamom' },
    ]);
    const originals = await readOriginalEvents(store(), { teamId, callId: id });
    if (!originals) throw new Error('no originals');
    expect((await collect(originals))[0]?.data).toEqual({ text: 'original chervil' });
    expect(await findCheckpoint(store(), { callId: id, engineVersion: '1' })).toMatchObject({
      text: 'state chicory',
    });
    const period = { knowledgeBaseId: made.base.id, since: new Date(0), limit: 10 };
    expect(await listUnansweredWordings(store(), period)).toMatchObject([
      { question: 'question juniper', count: 2 },
    ]);
    const [delivery] = await listDeliveries(store(), { callId: id });
    expect(delivery?.log).toMatchObject([{ response: 'answer sorrel' }]);
    const texts = await listTexts(store(), { ...made.who, since: new Date(0), limit: 5 });
    expect(texts).toMatchObject([{ text: 'text verbena' }]);
    expect(await findLastReceived(store(), made.who)).toMatchObject({ text: 'text verbena' });
    const span = { calendarId: made.calendar.id, from: new Date(0), to: new Date(4e12), limit: 5 };
    expect(await listBooked(store(), span)).toMatchObject([
      { name: 'name lavender', notes: 'notes fennel' },
    ]);
    const waiting = { waitListId: made.list.id, phone: '+4930777001' };
    expect(await findWaiting(store(), { ...waiting, name: 'list ANGELICA' })).toMatchObject({
      notes: 'list angelica',
    });
    expect(await findWaiting(store(), { ...waiting, name: 'nobody' })).toBeUndefined();
    const { suite, run } = made;
    expect(await getTestSuite(store(), suite)).toEqual(suite);
    expect(suite.config.source).toBe('suite lovage');
    const ofAssistant = { teamId, assistantId: 'ada' };
    expect((await listTestSuites(store(), ofAssistant)).items).toEqual([suite]);
    const finished = {
      source: 'tests dill',
      results: [{ reason: 'said borage' }],
      regressed: ['failed costmary'],
    };
    expect(run.source).toBe('tests dill');
    expect(await findTestRun(store(), run)).toMatchObject(finished);
    const latest = await findLatestRun(store(), {
      ...ofAssistant,
      suiteId: suite.id,
      isSpoken: false,
    });
    expect(latest).toMatchObject(finished);
    const { items: heads } = await listTestRuns(store(), ofAssistant);
    expect(heads).toMatchObject([{ regressed: finished.regressed }]);
    expect(heads[0]).not.toHaveProperty('results');
    for (const search of ['MARZIPAN', 'reply cinn'])
      expect(await listCalls(store(), { teamId, search })).toEqual({ totalCount: 1, ids: [id] });
    expect((await listCalls(store(), { teamId, search: 'cardamom' })).totalCount).toBe(0);
  };
  const found = async (words = PLANTED) => {
    const rows = (await allRows(clear())).toLowerCase();
    return words.filter((each) => rows.includes(each));
  };
  const reseal = async (made: Planted) => {
    const key = await currentTeamKey(db(), made);
    for (const callId of [made.id, made.given.id]) await resealCall(db(), { callId, key, signal });
    await resealBesidesCalls(db(), { key, signal });
    return key;
  };

  test('no table holds a word of it, from the first on, and every reader gets it', async () => {
    const teamId = await newTeam();
    const made = await planted(db, teamId);
    expect(await found()).toEqual([]);
    expect(made.webhook?.message).toMatchObject({ messages: expect.anything() });
    expect(JSON.stringify(made.webhook?.message)).toContain('metadata saffron');
    await expectReadable(db, made);
    // Also to a process that does not seal, such as one of before the setting was changed.
    await expectReadable(clear, made);
    // Nothing that a caller books is in the clear after it was changed.
    await changeAppointment(db(), made.appointment, { status: 'cancelled' });
    expect(await takeNext(db(), { waitListId: made.list.id })).toMatchObject({
      name: 'List Angelica',
    });
    const { version: expectedVersion, config } = made.suite;
    const changed = await updateTestSuite(db(), { ...made.suite, expectedVersion });
    expect(changed.config).toEqual(config);
    expect(await found()).toEqual([]);
  });

  test('what was stored in the clear is read on, and sealed by the job; what is there twice is counted once', async () => {
    const teamId = await newTeam();
    const made = await planted(clear, teamId);
    // The originals of redacted lines are never in the clear.
    expect(await found()).toEqual(PLANTED.filter((words) => words !== 'original chervil'));
    await expectReadable(db, made);
    const key = await reseal(made);
    expect(await found()).toEqual([]);
    await expectReadable(db, made);
    // The job finds nothing more to do.
    const rows = await allRows(clear());
    await reseal(made);
    expect(await allRows(clear())).toBe(rows);
    expect(rows).toContain(headOf(key.id));
    const wordings = { teamId, knowledgeBaseId: made.base.id, questions: ['question juniper'] };
    await dismissQuestions(db(), wordings);
    const period = { knowledgeBaseId: made.base.id, since: new Date(0), limit: 10 };
    expect(await listUnansweredWordings(db(), period)).toEqual([]);
  });

  test('another key of the team: everything is sealed anew, and the former one is not needed', async () => {
    const teamId = await newTeam();
    const made = await planted(db, teamId);
    const former = await currentTeamKey(db(), { teamId });
    const next = await addTeamKey(db(), { teamId });
    await reseal(made);
    await removeFormerKeys(db(), { teamId, before: next.id });
    expect(await allRows(clear())).not.toContain(headOf(former.id));
    const other = open();
    await expectReadable(() => other.db, made);
    await other.close();
  });

  test('without its key nothing of it can be read, whoever has the rows, and a webhook is given up', async () => {
    const teamId = await newTeam();
    const made = await planted(db, teamId);
    await db().execute(sql`update deliveries set status = 'pending', leased_until = null
      where call_id = ${made.id}`);
    await clear().execute(sql`delete from team_keys where team_id = ${teamId}`);
    const other = open();
    const { id } = made;
    for (const reading of [
      () => getCall(other.db, { teamId, id }),
      () => listMessages(other.db, { callId: id }),
      () => collect(readCallEvents(other.db, { callId: id })),
      () => readOriginalEvents(other.db, { teamId, callId: id }),
      () => listTexts(other.db, { ...made.who, since: new Date(0), limit: 5 }),
      () => getTestSuite(other.db, made.suite),
      () => findTestRun(other.db, made.run),
    ]) {
      const failed = await reading().catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(UnreadableError);
      expect((failed as Error).message).toContain('a key of the team that was thrown away');
    }
    const now = new Date();
    const leasedUntil = new Date(now.getTime() + 60_000);
    const room = { limit: 100, busyOrigins: [], busyTeams: [] };
    const place = { now, leasedUntil, nodeId: 'sender', ...room };
    const claimed = await claimDeliveries(other.db, place);
    expect(claimed.filter(({ callId }) => callId === id)).toEqual([]);
    const { rows } = await clear().execute<{ status: string; error: string }>(sql`
      select deliveries.status, error from deliveries
      join delivery_attempts on delivery_id = deliveries.id and number = 2
      where call_id = ${id}`);
    expect(rows[0]).toMatchObject({
      status: 'dead',
      error: expect.stringContaining('thrown away'),
    });
    await other.close();
  });

  test('rows that were exchanged, moved to another call or changed are noticed', async () => {
    const teamId = await newTeam();
    const [one, two] = [await planted(db, teamId), await planted(db, teamId)];
    const { rows } = await clear().execute<{ text: string }>(
      sql`select text from messages where call_id = ${one.id} order by position`,
    );
    const put = (callId: string, text: string | undefined) =>
      clear().execute(sql`update messages set text = ${text} where call_id = ${callId}
        and role = 'assistant'`);
    await put(two.id, rows[1]?.text);
    await expect(listMessages(db(), { callId: two.id })).rejects.toThrow('was changed');
    await put(one.id, rows[0]?.text);
    await expect(listMessages(db(), { callId: one.id })).rejects.toThrow('was changed');
  });

  test('what a caller says that looks sealed is not taken for it', async () => {
    const teamId = await newTeam();
    const odd = `${headOf(newCallId('web').slice(3))}abcdefghijklmnopqrstuvwxyz0123456789`;
    for (const [n, store] of [clear, db].entries()) {
      const who = { teamId, numberId: `odd-${n}`, userNumber: '+4930777001' };
      await createText(store(), { ...who, role: 'user', text: odd, status: 'received' });
      const [text] = await listTexts(store(), { ...who, since: new Date(0), limit: 5 });
      expect(text?.text.replaceAll('\u200b', '')).toBe(odd);
    }
  });

  test('records of calls of several teams in one statement are sealed with the key of each', async () => {
    const records = await Promise.all(
      [1, 2, 3].map(async () => {
        const teamId = await newTeam();
        const { id } = await createCallWithServer(db(), { teamId, url: 'https://shop.example' });
        const line = { seq: 1, at: 1.5, kind: 'note', type: 'seen', data: { text: 'bay\0 leaf' } };
        const message = { messageId: 'm1', role: 'user', text: 'bay\0 leaf', at: 1 };
        return { teamId, callId: id, lines: [line], messages: [message] } as never as Parameters<
          typeof writeCallRecords
        >[1][number];
      }),
    );
    for (let times = 0; times < 2; times++) await writeCallRecords(db(), records);
    expect(await found([' leaf'])).toEqual([]);
    for (const { teamId, callId } of records) {
      const { id } = await currentTeamKey(db(), { teamId });
      const { rows } = await clear().execute<{ data: string }>(
        sql`select data from call_events where call_id = ${callId}`,
      );
      expect(rows[0]?.data.startsWith(headOf(id))).toBe(true);
      const [line] = await collect(readCallEvents(db(), { callId }));
      expect(line).toEqual({ ...records[0]?.lines[0], at: 2, data: { text: 'bay\ufffd leaf' } });
      expect(await listMessages(db(), { callId })).toMatchObject([{ text: 'bay\ufffd leaf' }]);
    }
  });

  test('a deleted call is taken out of what later ones were told of it', async () => {
    const teamId = await newTeam();
    const call = (userNumber: string) =>
      createCallWithServer(db(), { teamId, url: 'https://shop.example', call: { userNumber } });
    const [earlier, later] = [await call('+4930777002'), await call('+4930777002')];
    const history = describeHistory([
      { startAt: new Date(), messages: [{ role: 'user', text: 'caller "marzipan"\nagain' }] },
    ]);
    const line = (seq: number, type: string, data: object) =>
      ({ seq, at: 0, kind: 'note', type, data }) as never;
    await writeCallRecords(db(), [
      {
        ...{ teamId, callId: later.id, messages: [] },
        lines: [
          line(0, 'call.created', { settings: { systemPrompt: `Be kind.\n\n${history}` } }),
          line(1, 'llm.start', { messages: [{ content: `Be kind.\n\n${history}\n\nStep two.` }] }),
          line(2, 'seen', { text: 'unchanged' }),
        ],
      },
    ]);
    const stored = async () =>
      (
        await clear().execute<{ data: string }>(
          sql`select data from call_events where call_id = ${later.id} order by seq`,
        )
      ).rows.map(({ data }) => data);
    const before = await stored();
    await db().execute(sql`update calls set end_at = now() where id = ${earlier.id}`);
    await deleteCalls(db(), {
      ...{ teamId, matching: matchingCalls({ teamId, ids: [earlier.id] }), cause: 'request' },
      ...{ limit: 10, now: new Date(), afterwards: async () => {} },
    });
    const text = JSON.stringify(await collect(readCallEvents(db(), { callId: later.id })));
    expect(text).not.toContain('marzipan');
    expect(text).toContain('Step two.');
    const after = await stored();
    expect(after[2]).toBe(before[2]);
    expect(after.every((data) => data.startsWith('sealed:2:'))).toBe(true);
  });
});
