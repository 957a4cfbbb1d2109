import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { heedDoNotCall } from '../../src/calls/heed-do-not-call.ts';
import { createPredefinedTools } from '../../src/calls/predefined-tools.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { CallBatch } from '../../src/ports/call-store.ts';
import type { OutboundCall } from '../../src/ports/dialer.ts';
import { writeCallBatch } from '../../src/store/call-batch.ts';
import { getCall } from '../../src/store/calls.ts';
import { listMessages } from '../../src/store/messages.ts';
import { createToolRunner } from '../../src/tools/hosted-tool.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const LIST = '/privacy/v1/do-not-call';
const NUMBER = '+34912345678';

withDatabase('numbers that are not called', ({ db, newTeam }) => {
  const dialled: OutboundCall[] = [];
  let api: TestApi;
  let ada: TestClient;
  let eve: TestClient;
  let phoneNumberId: string;
  let count = 0;

  beforeAll(async () => {
    api = await startTestApi(db(), { dialer: { dial: async (call) => void dialled.push(call) } });
  });
  beforeEach(async () => {
    dialled.length = 0;
    ada = await api.client(await newTeam());
    eve = await api.client(await newTeam());
    const number = `+1415557${String(++count).padStart(4, '0')}`;
    const imported = await ada.post('/assistants/v1/numbers/twilio', {
      ...{ number, credentials: { accountSid: 'AC1', authToken: 'a-token' } },
    });
    phoneNumberId = imported.body._id;
    expect(phoneNumberId).toBeDefined();
  });
  afterAll(() => api.close());

  const call = (assistant: object = {}, number = NUMBER) =>
    ada.post('/calls/v1/conversations/connect', {
      direction: 'outbound',
      phoneNumberId,
      customer: { number },
      assistant: { name: 'Caller', ...assistant },
    });

  test('are refused with a code and a sentence, and nothing is dialled', async () => {
    expect((await call()).status).toBe(201);
    const added = await ada.post(LIST, { number: NUMBER, note: 'asked on Monday' });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({ number: NUMBER, note: 'asked on Monday', source: 'api' });
    const refused = await call();
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual({
      error: 'do-not-call',
      message: `The number is on the team’s list of numbers not to call (${NUMBER})`,
    });
    expect(dialled).toHaveLength(1);
    expect((await ada.delete(`${LIST}/${encodeURIComponent(NUMBER)}`)).status).toBe(200);
    expect((await call()).status).toBe(201);
  });

  test('are those of one team', async () => {
    await eve.post(LIST, { number: NUMBER });
    expect((await call()).status).toBe(201);
    expect((await ada.get(LIST)).body).toEqual([]);
    expect((await ada.delete(`${LIST}/${encodeURIComponent(NUMBER)}`)).status).toBe(404);
  });

  test('come from a CSV list, which says what it could not read', async () => {
    const csv =
      'number,note\n"+34 912 345 678";called twice\n+442079460958\n0912345678,no country\n+34912345678\n';
    expect((await ada.post(`${LIST}/import`, { csv })).body).toEqual({
      added: 2,
      known: 0,
      refused: [{ line: 4, text: '0912345678,no country' }],
    });
    expect((await ada.post(`${LIST}/import`, { csv: '+442079460958' })).body).toMatchObject({
      added: 0,
      known: 1,
    });
    const { body } = await ada.get(`${LIST}?limit=1`);
    expect(body).toMatchObject([{ number: '+442079460958', source: 'import' }]);
    expect((await call()).status).toBe(409);
    const long = await ada.post(`${LIST}/import`, { csv: '+34912345678\n'.repeat(5002) });
    expect(long.status).toBe(400);
  });

  test('outside the calling hours of the called number is refused, too', async () => {
    const today = new Date().getUTCDay();
    const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
    // The day before yesterday is over everywhere.
    const callingHours = { enabled: true, days: [days[(today + 5) % 7]] };
    const refused = await call({ callingHours });
    expect(refused.status).toBe(409);
    expect(refused.body.error).toBe('outside-calling-hours');
    const always = { enabled: true, from: '00:00', to: '24:00' };
    expect((await call({ callingHours: always })).status).toBe(201);
    expect((await call({ callingHours: always }, '+9991234567')).body.error).toBe(
      'unknown-time-zone',
    );
  });

  test('grow by those who ask for it in a call, whatever the model does', async () => {
    const { body } = await call({ assistantPredefinedTools: { doNotCall: true } });
    const record = await getCall(db(), { teamId: ada.teamId, id: body.id });
    const { teamId, epoch } = record;
    const heeding = heedDoNotCall(record);
    const store = heeding.store({
      write: async (batch) => void (await writeCallBatch(db(), { teamId, epoch, ...batch })),
    });
    const said = (role: 'user' | 'assistant', text: string): CallBatch => ({
      ...{ callId: record.id, lines: [], patch: {} },
      messages: [{ messageId: 'm', role, text, at: 1 }],
    });
    const say = (role: 'user' | 'assistant', text: string) => store.write(said(role, text));
    await say('assistant', 'Shall I say: do not call me again?');
    await say('user', 'Is the shop open?');
    expect((await ada.get(LIST)).body).toEqual([]);
    await say('user', "Please don't call me again.");
    expect((await ada.get(LIST)).body).toMatchObject([
      { number: NUMBER, source: 'call', callId: record.id },
    ]);
    expect((await call()).body.error).toBe('do-not-call');
    // What the store refuses to the end is written by the next start, and the wish with it.
    const unsaved: CallBatch[] = [];
    await heeding.keepUnsaved(async (batch) => void unsaved.push(batch))(
      said('user', 'Stop calling me!'),
    );
    expect(unsaved).toMatchObject([{ doNotCall: true }]);
  });

  test('grow by the tool of the assistant, which has it only where there is a number', async () => {
    const { body } = await call({ assistantPredefinedTools: { doNotCall: true } });
    const record = await getCall(db(), { teamId: ada.teamId, id: body.id });
    const warned: string[] = [];
    const warn = (...words: readonly unknown[]) => void warned.push(String(words.at(-1)));
    const deps = { db: db(), clock: systemClock, log: { debug() {}, info() {}, error() {}, warn } };
    expect(createPredefinedTools(deps, { ...record, userNumber: null })).toEqual([]);
    const runner = createToolRunner(createPredefinedTools(deps, record));
    const { signal } = new AbortController();
    const ask = () =>
      runner.invoke({
        callId: record.id,
        toolCallId: 't1',
        name: 'doNotCall',
        arguments: {},
        signal,
      });
    await db().execute(sql`alter table do_not_call rename to do_not_call_away`);
    try {
      // The model can say so, and whoever runs the service sees why.
      const error = 'that is not possible at the moment';
      expect(await ask()).toEqual({ ok: false, error, code: 'internal' });
      expect(warned).toEqual(['a predefined tool failed']);
    } finally {
      await db().execute(sql`alter table do_not_call_away rename to do_not_call`);
    }
    for (let times = 0; times < 2; times++)
      expect(await ask()).toEqual({ ok: true, result: '{"status":"will not be called again"}' });
    expect((await ada.get(LIST)).body).toMatchObject([
      { number: NUMBER, source: 'call', callId: record.id },
    ]);
    expect((await call()).body.error).toBe('do-not-call');
  });

  test('get the one who asks for it together with their words, though the list could not be written at first', async () => {
    const { body } = await call({ assistantPredefinedTools: { doNotCall: true } });
    const { teamId } = ada;
    const record = await getCall(db(), { teamId, id: body.id });
    const { epoch } = record;
    const write = heedDoNotCall(record).store({
      write: async (batch) => void (await writeCallBatch(db(), { teamId, epoch, ...batch })),
    }).write;
    const batch: CallBatch = {
      ...{ callId: record.id, lines: [], patch: {} },
      messages: [{ messageId: 'm', role: 'user', text: 'Never call me again.', at: 1 }],
    };
    await db().execute(sql`alter table do_not_call rename to do_not_call_away`);
    try {
      await expect(write(batch)).rejects.toThrow();
      expect(await listMessages(db(), { callId: record.id })).toEqual([]);
    } finally {
      await db().execute(sql`alter table do_not_call_away rename to do_not_call`);
    }
    await write(batch);
    expect(await listMessages(db(), { callId: record.id })).toHaveLength(1);
    expect((await ada.get(LIST)).body).toMatchObject([{ number: NUMBER, callId: record.id }]);
  });
});
