import { expect, test } from 'vitest';
import { newCallId } from '../../src/lib/ids.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import {
  type CallListParams,
  findCallSummaries,
  findNeighbours,
  listCalls,
} from '../../src/store/call-list.ts';
import { markCall } from '../../src/store/call-notes.ts';
import { writeCallRecords } from '../../src/store/call-records.ts';
import { type CallChange, createCall, finishCall, updateCall } from '../../src/store/calls.ts';
import { upsertMessages } from '../../src/store/messages.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { withDatabases } from '../support/postgres.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.parse('2026-03-01T00:00:00.000Z');

withDatabases('the list of calls', ({ db, newTeam }) => {
  /** Twelve calls, a day apart. Those with an even number have ended; later calls ended sooner after their start. */
  const twelve = async () => {
    const teamId = await newTeam();
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) {
      const id = newCallId('web');
      ids.push(id);
      await createCall(db(), {
        id,
        teamId,
        callType: 'web',
        direction: 'inbound',
        snapshot: callSnapshot,
        startAt: new Date(FIRST + i * DAY_MS),
        assistantId: `assistant-${i % 3}`,
        userNumber: `+4930${i % 4}`,
        ...(i === 5 ? { customerName: 'Ada 100%' } : {}),
      });
      await upsertMessages(db(), {
        ...{ teamId, callId: id },
        messages: [{ messageId: 'u1', role: 'user', text: `Order_${i} please`, at: 0 }],
      });
      if (i % 2 === 0) {
        const endAt = new Date(FIRST + 100 * DAY_MS - i * DAY_MS);
        await finishCall(db(), { teamId, id, endReason: 'user-hung-up', endAt });
      }
    }
    const numbers = async (params: Omit<CallListParams, 'teamId'>) => {
      const { totalCount, ids: found } = await listCalls(db(), { teamId, ...params });
      return { totalCount, numbers: found.map((id) => ids.indexOf(id)) };
    };
    return { teamId, numbers };
  };

  test('is newest first, ten a page, and counts all of them', async () => {
    const { numbers } = await twelve();
    expect(await numbers({})).toEqual({
      totalCount: 12,
      numbers: [11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
    });
    expect(await numbers({ page: 2 })).toEqual({ totalCount: 12, numbers: [1, 0] });
    expect(await numbers({ page: 3 })).toEqual({ totalCount: 12, numbers: [] });
    expect(await numbers({ page: 4, size: 3 })).toEqual({ totalCount: 12, numbers: [2, 1, 0] });
  });

  test.each([
    [{ sort: 'startAt', order: 'asc' }, [0, 1, 2, 3]],
    [{ sort: 'conversationId', order: 'asc' }, [0, 1, 2, 3]],
    [{ sort: 'conversationId' }, [11, 10, 9, 8]],
    [{ sort: 'endAt', order: 'asc' }, [10, 8, 6, 4]],
    // Calls without an end come last in both orders.
    [{ sort: 'endAt', order: 'desc' }, [0, 2, 4, 6]],
    [{ sort: 'status', order: 'asc' }, [0, 2, 4, 6]],
    [{ sort: 'status', order: 'desc' }, [11, 9, 7, 5]],
  ] as const)('sorts by %j', async (params, expected) => {
    const { numbers } = await twelve();
    expect((await numbers({ ...params, size: 4 })).numbers).toEqual(expected);
  });

  test.each([
    [{ status: 'finished' }, [10, 8, 6, 4, 2, 0]],
    [{ assistantId: 'assistant-1' }, [10, 7, 4, 1]],
    [{ userNumber: '+49303' }, [11, 7, 3]],
    [{ userNumber: 'nul\0' }, []],
    [{ startDate: new Date(FIRST + 10 * DAY_MS) }, [11, 10]],
    [{ endDate: new Date(FIRST + DAY_MS) }, [1, 0]],
    [{ startDate: new Date(FIRST + 3 * DAY_MS), endDate: new Date(FIRST + 5 * DAY_MS) }, [5, 4, 3]],
    [{ callType: 'phone' }, []],
    [{ direction: 'inbound', live: true }, [11, 9, 7, 5, 3, 1]],
    [{ live: false, endDate: new Date(FIRST + 2 * DAY_MS) }, [2, 0]],
    [{ endReason: 'user-hung-up', assistantId: 'assistant-0' }, [6, 0]],
    [{ search: '9303' }, [11, 7, 3]],
    [{ search: 'ada 100%' }, [5]],
    [{ search: '0%' }, [5]],
    [{ search: 'ORDER_1' }, [11, 10, 1]],
    [{ search: 'Order-1' }, []],
    [{ search: 'nul\0' }, []],
    [{ status: 'queued', assistantId: 'assistant-0', userNumber: '+49301' }, [9]],
  ] as const)('filters by %j', async (params, expected) => {
    const { numbers } = await twelve();
    expect(await numbers(params)).toEqual({ totalCount: expected.length, numbers: expected });
  });

  test("holds neither another team's calls nor the configuration they ran with", async () => {
    const { teamId } = await twelve();
    expect(await listCalls(db(), { teamId: await newTeam() })).toEqual({
      totalCount: 0,
      ids: [],
    });
    const { ids } = await listCalls(db(), { teamId });
    const wanted = [...ids.slice(3), 'unknown', ...ids.slice(0, 3)];
    const calls = await findCallSummaries(db(), { teamId, ids: wanted });
    expect(calls.map(({ id }) => id)).toEqual(wanted.filter((id) => id !== 'unknown'));
    expect(await findCallSummaries(db(), { teamId: await newTeam(), ids })).toEqual([]);
    expect(calls[0]).not.toHaveProperty('snapshot');
    expect(calls[0]).toHaveProperty('metrics');
  });

  test.each([
    { flags: ['failed'] },
    { flags: ['short'] },
    { flags: ['transferred'] },
    { flags: ['unhappy'] },
    { flags: ['tool-failed'] },
    { flags: ['long-silence'] },
    { flags: ['failed', 'short'] },
    { reviewed: true },
    { tag: 'vip' },
  ] as const)('finds the calls with %j and no others', async (params) => {
    const teamId = await newTeam();
    const at = (seconds: number) => new Date(FIRST + seconds * 1000);
    const make = async (change: CallChange, lines: readonly JournalLine[] = []) => {
      const id = newCallId('web');
      await createCall(db(), {
        ...{ id, teamId, callType: 'web', direction: 'inbound', snapshot: callSnapshot },
        startAt: at(0),
      });
      await updateCall(db(), {
        ...{ teamId, id },
        change: { status: 'finished', answeredAt: at(1), endAt: at(90), ...change },
      });
      await writeCallRecords(db(), [{ teamId, callId: id, lines, messages: [] }]);
      return id;
    };
    const webhook = (data: Record<string, unknown>): JournalLine[] => [
      { seq: 1, at: 5000, kind: 'command', type: 'webhook', data },
    ];
    const failed = await make({ endReason: 'model-failed' });
    const both = await make({ endReason: 'voice-failed', endAt: at(15) });
    const short = await make({ endReason: 'user-hung-up', endAt: at(15.9) });
    await make({ endReason: 'busy', endAt: at(16) });
    const forwarded = await make({ status: 'forwarded', endReason: 'transferred' });
    const unhappy = await Promise.all(
      ['fail', 'Poor', '3', '45%', 'Disagree', '[{"criterion":"c","met":false}]'].map(
        (successEvaluation) => make({ analysis: { successEvaluation } }),
      ),
    );
    for (const verdict of ['pass', 'Good', '5', '10', '50%', '100%', 'Neutral', '[{"score":10}]'])
      await make({ analysis: { successEvaluation: verdict } });
    const tool = await make({}, webhook({ kind: 'error', data: { type: 'tool', code: 'x' } }));
    const silent = await make({}, webhook({ kind: 'hang', data: { turn: 1 } }));
    const idle = await make({ endReason: 'idle-timeout' });
    await make({}, webhook({ kind: 'error', data: { type: 'llm', code: 'x' } }));
    const mark = { teamId, by: 'Ada', now: at(100) };
    await markCall(db(), { ...mark, id: short, reviewed: true });
    await markCall(db(), { ...mark, id: tool, tags: ['vip', 'refund'] });
    const wanted = {
      failed: [failed, both],
      short: [both, short],
      transferred: [forwarded],
      unhappy,
      'tool-failed': [tool],
      'long-silence': [silent, idle],
      'failed,short': [both],
      reviewed: [short],
      tag: [tool],
    } as const;
    const key = params.flags?.join() ?? (Object.keys(params)[0] as string);
    const { ids } = await listCalls(db(), { teamId, ...params, size: 100 });
    expect(ids.toSorted()).toEqual([...wanted[key as keyof typeof wanted]].toSorted());
  });

  test.each([
    { sort: 'startAt', order: 'desc' },
    { sort: 'startAt', order: 'asc' },
    { sort: 'endAt', order: 'desc' },
    { sort: 'endAt', order: 'asc' },
    { sort: 'status', order: 'asc' },
    { sort: 'duration', order: 'desc' },
    { sort: 'conversationId', order: 'desc' },
    { sort: 'startAt', order: 'desc', assistantId: 'assistant-1' },
  ] as const)('neighbours walk through the list of %j, forwards and backwards', async (params) => {
    const { teamId } = await twelve();
    const { ids } = await listCalls(db(), { teamId, size: 100, ...params });
    for (const [i, id] of ids.entries())
      expect(await findNeighbours(db(), { teamId, id, ...params })).toEqual({
        previous: ids[i - 1],
        next: ids[i + 1],
      });
  });

  test('a call that no longer matches still has its neighbours in the list', async () => {
    const { teamId } = await twelve();
    const { ids } = await listCalls(db(), { teamId, size: 100 });
    const [newest, middle, oldest] = ids as [string, string, string];
    await markCall(db(), { teamId, id: middle, reviewed: true, by: 'Ada', now: new Date(FIRST) });
    const params = { teamId, reviewed: false } as const;
    expect(await findNeighbours(db(), { ...params, id: middle })).toEqual({
      previous: newest,
      next: oldest,
    });
  });

  test('pages of equal sort values miss and repeat nothing', async () => {
    const { numbers } = await twelve();
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => numbers({ sort: 'status', size: 3, page })),
    );
    const all = pages.flatMap((page) => page.numbers);
    expect(all.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});
