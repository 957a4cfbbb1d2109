import { describe, expect, test } from 'vitest';
import { newCallId } from '../../src/lib/ids.ts';
import { writeCallBatch } from '../../src/store/call-batch.ts';
import { readCallEvents } from '../../src/store/call-events.ts';
import { writeCallRecords } from '../../src/store/call-records.ts';
import { createCall, getCall } from '../../src/store/calls.ts';
import { StoreUnavailableError } from '../../src/store/errors.ts';
import { GroupedRecords } from '../../src/store/grouped-records.ts';
import { listMessages } from '../../src/store/messages.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { collect } from '../support/collect.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { withDatabases } from '../support/postgres.ts';

const recordsOf = (callId: string, teamId = 'team') => ({
  ...{ teamId, callId },
  lines: [
    { seq: 0, at: 0, kind: 'note', type: 'call.created', data: { text: 'nul\0' } },
    { seq: 1, at: 20.4, kind: 'event', type: 'vad.start', data: { onsetAt: 3 } },
  ] as const,
  messages: [
    { messageId: 'm1', role: 'user', text: 'Hello', at: 1200 },
    { messageId: 'm2', role: 'assistant', text: 'Hi', at: 1900 },
    { messageId: 'm2', role: 'assistant', text: 'Hi there', at: 1900 },
  ] as const,
  turns: [
    { turn: 1, totalMs: 640 },
    { turn: 2, totalMs: 580 },
  ],
});

withDatabases('records of many calls at once', ({ db, newTeam }) => {
  const newCall = async () => {
    const teamId = await newTeam();
    const { id } = await createCall(db(), {
      id: newCallId('web'),
      teamId,
      callType: 'web',
      direction: 'inbound',
      snapshot: callSnapshot,
    });
    return { teamId, id };
  };
  const kept = async (call: { teamId: string; id: string }) => ({
    lines: await collect(readCallEvents(db(), { callId: call.id })),
    messages: (await listMessages(db(), { callId: call.id })).map(({ messageId, role, text }) => ({
      messageId,
      role,
      text,
    })),
    metrics: (await getCall(db(), call)).metrics,
  });

  test('are kept as each would be alone, and the same when they are written again', async () => {
    const alone = await newCall();
    await writeCallBatch(db(), { ...recordsOf(alone.id, alone.teamId), patch: {} });
    const together = [await newCall(), await newCall(), await newCall()];
    const records = together.map(({ id, teamId }) => recordsOf(id, teamId));
    for (let times = 0; times < 2; times++) {
      await writeCallRecords(db(), records);
      for (const call of together) expect(await kept(call)).toEqual(await kept(alone));
    }
    expect((await kept(alone)).metrics).toEqual(recordsOf('').turns);
    const [first] = together as [(typeof together)[number]];
    await writeCallRecords(db(), [
      { ...recordsOf(first.id, first.teamId), lines: [], messages: [], turns: [{ turn: 3 }] },
    ]);
    expect((await kept(first)).metrics).toHaveLength(3);
    await Promise.all(
      together.map(({ id: callId, teamId }) =>
        writeCallRecords(db(), [{ teamId, callId, lines: [], messages: [] }]),
      ),
    );
  });

  test('one that the store refuses is refused alone', async () => {
    const clock = new ManualClock();
    const group = new GroupedRecords({ db: db(), clock });
    const good = await newCall();
    const other = await newCall();
    const broken = recordsOf(other.id, other.teamId);
    const lines = broken.lines.map((line) => ({ ...line, seq: 0.5 }));
    const rejected = expect(group.write({ ...broken, lines })).rejects.toMatchObject({
      code: 'query-failed',
    });
    const nobody = expect(
      group.write(recordsOf('WC-of-nobody', good.teamId)),
    ).rejects.toMatchObject({
      code: 'call-taken',
    });
    const fine = group.write(recordsOf(good.id, good.teamId));
    await clock.advance(100);
    await Promise.all([rejected, nobody, fine]);
    expect((await kept(good)).lines).toHaveLength(2);
  });
});

describe('gathering', () => {
  const rig = (store: (ids: readonly string[]) => void | Promise<void>) => {
    const clock = new ManualClock();
    const records = new GroupedRecords({
      db: undefined as never,
      clock,
      write: async (_, given) => {
        await store(given.map(({ callId }) => callId));
        return [];
      },
    });
    const write = (callId: string) => records.write({ ...recordsOf(callId) });
    return { clock, records, write };
  };

  test('a call for which something waits is written at once, and alone', async () => {
    const groups: (readonly string[])[] = [];
    const { clock, records, write } = rig((ids) => void groups.push(ids));
    const all = [write('a'), write('b')];
    records.hurry('c');
    records.hurry('b');
    await all[1];
    expect(groups).toEqual([['b']]);
    records.hurry('b');
    await clock.advance(100);
    await Promise.all(all);
    expect(groups).toEqual([['b'], ['a']]);
    const last = write('d');
    records.hurry('d');
    await last;
    await clock.advance(100);
    expect(groups).toEqual([['b'], ['a'], ['d']]);
  });

  test('waits a tenth of a second for others, no longer, and keeps no timer after', async () => {
    const groups: (readonly string[])[] = [];
    const { clock, write } = rig((ids) => void groups.push(ids));
    const all = [write('a'), write('b')];
    await clock.advance(99);
    expect(groups).toEqual([]);
    await clock.advance(1);
    await Promise.all(all);
    expect(groups).toEqual([['a', 'b']]);
    expect(clock.nextDueAt()).toBeUndefined();
  });

  test('does not wait once it is large', async () => {
    const groups: (readonly string[])[] = [];
    const { write } = rig((ids) => void groups.push(ids));
    await Promise.all(Array.from({ length: 64 }, (_, n) => write(`${n}`)));
    expect(groups.map((ids) => ids.length)).toEqual([64]);
  });

  test('a store that is away is asked once, and all are told', async () => {
    let asked = 0;
    const { clock, write } = rig(() => {
      asked++;
      throw new StoreUnavailableError('away');
    });
    const all = Promise.allSettled([write('a'), write('b')]);
    await clock.advance(100);
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(asked).toBe(1);
  });
});
