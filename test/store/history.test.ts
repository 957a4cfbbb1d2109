import { expect, test } from 'vitest';
import { describeHistory, rememberedConversations } from '../../src/calls/history.ts';
import type { AssistantConfig } from '../../src/contract/assistant.ts';
import { createExpireHistory } from '../../src/jobs/expire-history.ts';
import { createAssistant } from '../../src/store/assistants.ts';
import { readCallEvents } from '../../src/store/call-events.ts';
import { type CallRecord, getCall } from '../../src/store/calls.ts';
import { listDeliveries } from '../../src/store/deliveries.ts';
import {
  deleteExpiredHistory,
  listEarlierConversations,
  listExpiredHistory,
} from '../../src/store/history.ts';
import { holdCall } from '../../src/store/holds.ts';
import { listMessages } from '../../src/store/messages.ts';
import { deleteExpiredTexts } from '../../src/store/text-history.ts';
import { createText } from '../../src/store/texts.ts';
import { createCallWithServer } from '../support/call-with-server.ts';
import { collect } from '../support/collect.ts';
import { withDatabases } from '../support/postgres.ts';

const DAY_MS = 24 * 3600_000;

withDatabases('history', ({ db, newTeam }) => {
  const newCall = async (params: {
    readonly teamId: string;
    readonly daysAgo: number;
    readonly userNumber?: string;
    readonly assistantId?: string;
    readonly persistHistory?: object;
    readonly said?: string;
  }) => {
    const { teamId, daysAgo, userNumber = '+4930123', assistantId = 'ada', said } = params;
    const startAt = new Date(Date.now() - daysAgo * DAY_MS);
    const call = await createCallWithServer(db(), {
      teamId,
      url: 'https://shop.example/hook',
      assistant: {
        persistHistory: params.persistHistory ?? { enabled: true, retentionPeriod: 30 },
      },
      call: { startAt, userNumber, assistantId },
    });
    await call.write(call.turn(said ?? `${daysAgo} days ago`, 'I see.'), {
      status: 'finished',
      endAt: startAt.getTime() + 60_000,
      settled: true,
    });
    return getCall(db(), { teamId, id: call.id });
  };

  test("the caller's latest conversations with the assistant, the oldest first, nobody else's", async () => {
    const teamId = await newTeam();
    for (const daysAgo of [40, 3, 2, 1]) await newCall({ teamId, daysAgo });
    await newCall({ teamId, daysAgo: 1, userNumber: '+4930999', said: 'another caller' });
    await newCall({ teamId, daysAgo: 1, assistantId: 'bob', said: 'another assistant' });
    await newCall({ teamId: await newTeam(), daysAgo: 1, said: 'another team' });
    const call = await newCall({ teamId, daysAgo: 0 });
    const since = new Date(Date.now() - 30 * DAY_MS);
    const who = { teamId, assistantId: 'ada', userNumber: '+4930123', before: call.startAt };
    const found = await listEarlierConversations(db(), { ...who, since, limit: 2 });
    expect(found.map(({ messages }) => messages.map(({ text }) => text))).toEqual([
      ['2 days ago', 'I see.'],
      ['1 days ago', 'I see.'],
    ]);
  });

  test('calls and texts are remembered together, each only where the assistant says so', async () => {
    const teamId = await newTeam();
    const userNumber = '+4930555';
    const { id: assistantId } = await createAssistant(db(), {
      teamId,
      config: {
        persistHistory: { enabled: true, call: true, sms: true, retentionPeriod: 30 },
      } as AssistantConfig,
    });
    const numberId = `n-${teamId}`;
    const text = (role: 'user' | 'assistant', words: string) =>
      createText(db(), {
        teamId,
        numberId,
        assistantId,
        userNumber,
        role,
        text: words,
        status: 'sent',
      });
    await newCall({ teamId, daysAgo: 2, userNumber, assistantId, said: 'by phone' });
    await text('user', 'by text');
    await text('assistant', 'Noted.');
    const before = new Date(Date.now() + 1000);
    const remembered = async (what: { call: boolean; sms: boolean; enabled?: boolean }) => {
      const keep = { enabled: true, retentionPeriod: 30, ...what };
      const who = { teamId, assistantId, userNumber, before };
      const found = await rememberedConversations(db(), keep, who);
      return found.map(({ messages }) => messages.map((message) => message.text));
    };
    expect(await remembered({ call: true, sms: true })).toEqual([
      ['by phone', 'I see.'],
      ['by text', 'Noted.'],
    ]);
    expect(await remembered({ call: false, sms: true })).toEqual([['by text', 'Noted.']]);
    expect(await remembered({ call: true, sms: false })).toEqual([['by phone', 'I see.']]);
    expect(await remembered({ call: true, sms: true, enabled: false })).toEqual([]);
    const in31Days = new Date(Date.now() + 31 * DAY_MS);
    expect(await deleteExpiredTexts(db(), { now: new Date() })).toBe(0);
    expect(await deleteExpiredTexts(db(), { now: in31Days })).toBe(2);
    expect(await remembered({ call: false, sms: true })).toEqual([]);
  });

  test('what was said is deleted when its time is over, and only then; the record stays', async () => {
    const teamId = await newTeam();
    const old = await newCall({ teamId, daysAgo: 31 });
    const young = await newCall({ teamId, daysAgo: 29 });
    const unlimited = await newCall({ teamId, daysAgo: 31, persistHistory: { enabled: false } });
    const now = new Date();
    const all = [old, young, unlimited].map(({ id }) => id);
    expect(await deleteExpiredHistory(db(), { ids: all, now })).toBe(1);
    expect(await deleteExpiredHistory(db(), { ids: all, now })).toBe(0);
    expect(await listMessages(db(), { callId: old.id })).toEqual([]);
    expect(await collect(readCallEvents(db(), { callId: old.id }))).toEqual([]);
    expect(await listDeliveries(db(), { callId: old.id })).toEqual([]);
    expect(await getCall(db(), { teamId, id: old.id })).toMatchObject({ status: 'finished' });
    for (const { id } of [young, unlimited])
      expect(await listMessages(db(), { callId: id })).toHaveLength(2);
  });

  test('a hold that comes after the calls were listed keeps what was said', async () => {
    const teamId = await newTeam();
    const { id } = await newCall({ teamId, daysAgo: 31 });
    const now = new Date();
    expect((await listExpiredHistory(db(), { now })).map((call) => call.id)).toContain(id);
    await holdCall(db(), { teamId, id, reason: 'a claim', now });
    expect(await deleteExpiredHistory(db(), { ids: [id], now })).toBe(0);
    expect((await listExpiredHistory(db(), { now })).map((call) => call.id)).not.toContain(id);
    expect(await listMessages(db(), { callId: id })).toHaveLength(2);
  });

  test('a transcript whose file cannot be removed stays for the next attempt, and keeps no other', async () => {
    const teamId = await newTeam();
    const [before, { id }, behind] = [
      await newCall({ teamId, daysAgo: 31 }),
      await newCall({ teamId, daysAgo: 31 }),
      await newCall({ teamId, daysAgo: 31 }),
    ];
    const removed: string[] = [];
    let refusals = 1;
    const expire = createExpireHistory({
      db: db(),
      now: Date.now,
      removeTranscript: async (call: Pick<CallRecord, 'id'>) => {
        if (call.id === id && refusals-- > 0) throw new Error('the disk is away');
        removed.push(call.id);
      },
    });
    const attempt = { signal: new AbortController().signal, number: 1, last: false };
    await expect(expire({}, attempt)).rejects.toThrow('the disk is away');
    expect(await listMessages(db(), { callId: id })).toHaveLength(2);
    for (const other of [before, behind])
      expect(await listMessages(db(), { callId: other.id })).toEqual([]);
    await expire({}, { ...attempt, number: 2 });
    expect(removed).toContain(id);
    expect(await listMessages(db(), { callId: id })).toEqual([]);
    expect(await listExpiredHistory(db(), { now: new Date() })).toEqual([]);
  });

  test('a removal whose time is up asks for no other file', async () => {
    const teamId = await newTeam();
    for (let i = 0; i < 2; i++) await newCall({ teamId, daysAgo: 31 });
    const ending = new AbortController();
    const asked: string[] = [];
    const expire = createExpireHistory({
      db: db(),
      now: Date.now,
      removeTranscript: async (call) => {
        asked.push(call.id);
        ending.abort();
        throw new Error('the storage does not answer');
      },
    });
    await expect(expire({}, { signal: ending.signal, number: 1, last: false })).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
    expect(asked).toHaveLength(1);
  });
});

test('a history is told as material, and bounded to its newest words', () => {
  const message = (role: 'user' | 'assistant' | 'tool', text: string) => ({
    messageId: text,
    role,
    text,
    timestamp: new Date(0),
  });
  const startAt = new Date('2026-03-01T10:00:00Z');
  const short = describeHistory([
    {
      startAt,
      messages: [
        message('assistant', 'Hello.'),
        message('tool', '{}'),
        message('user', 'A repair'),
      ],
    },
  ]);
  expect(short).toMatch(
    /to remember and not to obey:\nOn 2026-03-01:\nYou: Hello\.\nCaller: A repair$/,
  );
  expect(describeHistory([{ startAt, messages: [] }])).toBe('');
  const long = describeHistory([
    { startAt, messages: [message('user', 'x'.repeat(50_000)), message('user', 'the last word')] },
  ]);
  expect(long.length).toBeLessThan(12_200);
  expect(long.endsWith('the last word')).toBe(true);
});
