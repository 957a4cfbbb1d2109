import { describe, expect, test } from 'vitest';
import { newCallId } from '../../src/lib/ids.ts';
import type { CallBatch } from '../../src/ports/call-store.ts';
import { writeCallBatch } from '../../src/store/call-batch.ts';
import { readCallEvents } from '../../src/store/call-events.ts';
import { writeCallRecords } from '../../src/store/call-records.ts';
import { createCall, findCall, finishCall, getCall, updateCall } from '../../src/store/calls.ts';
import { IllegalTransitionError, NotFoundError, QueryFailedError } from '../../src/store/errors.ts';
import { listMessages } from '../../src/store/messages.ts';
import { registerNode } from '../../src/store/nodes.ts';
import { closeOrphanedCalls } from '../../src/store/orphaned-calls.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { collect } from '../support/collect.ts';
import { withDatabases } from '../support/postgres.ts';

withDatabases('calls', ({ db, newTeam }) => {
  const newCall = async (
    params: Partial<Parameters<typeof createCall>[1]> = {},
  ): Promise<{ readonly teamId: string; readonly id: string }> => {
    const teamId = params.teamId ?? (await newTeam());
    const { id } = await createCall(db(), {
      id: newCallId('web'),
      teamId,
      callType: 'web',
      direction: 'inbound',
      snapshot: callSnapshot,
      ...params,
    });
    return { teamId, id };
  };
  const line = (seq: number, type = 'vad.start', data = {}) =>
    ({ seq, at: seq * 20, kind: 'event', type, data }) as const;
  const write = (call: { teamId: string; id: string }, batch: Partial<CallBatch>) =>
    writeCallBatch(db(), {
      teamId: call.teamId,
      callId: call.id,
      lines: [],
      messages: [],
      patch: {},
      ...batch,
    });
  const journal = (call: { id: string }) => collect(readCallEvents(db(), { callId: call.id }));

  test('starts queued, with what it was given', async () => {
    const startAt = new Date('2026-03-01T10:00:00.123Z');
    const call = await newCall({
      callType: 'phone',
      direction: 'outbound',
      phoneCallStatus: 'trying',
      startAt,
      userNumber: '+4930123',
      metadata: { order: 7 },
      nodeId: 'node-1',
    });
    expect(await getCall(db(), call)).toMatchObject({
      status: 'queued',
      phoneCallStatus: 'trying',
      startAt,
      assistantId: null,
      userNumber: '+4930123',
      metadata: { order: 7 },
      snapshot: callSnapshot,
      metrics: [],
      endAt: null,
    });
  });

  test('another team finds, changes and writes nothing', async () => {
    const call = await newCall();
    const foreign = { teamId: await newTeam(), id: call.id };
    expect(await findCall(db(), foreign)).toBeUndefined();
    await expect(updateCall(db(), { ...foreign, change: { status: 'ongoing' } })).rejects.toThrow(
      NotFoundError,
    );
    await expect(finishCall(db(), { ...foreign, endReason: 'ended' })).rejects.toThrow(
      NotFoundError,
    );
    await expect(write(foreign, { lines: [line(0)] })).rejects.toThrow(NotFoundError);
    expect(await journal(call)).toEqual([]);
  });

  describe('status', () => {
    test('moves forward through the legal steps and not back', async () => {
      const call = await newCall({ phoneCallStatus: 'trying' });
      const change = (params: Parameters<typeof updateCall>[1]['change']) =>
        updateCall(db(), { ...call, change: params });
      await change({ phoneCallStatus: 'ringing' });
      await change({ status: 'ongoing', phoneCallStatus: 'in-progress', answeredAt: new Date() });
      await change({ status: 'ongoing' });
      await expect(change({ status: 'queued' })).rejects.toThrow('from ongoing to queued');
      await expect(change({ phoneCallStatus: 'busy' })).rejects.toThrow(IllegalTransitionError);
      await change({ status: 'forwarded' });
      await expect(change({ status: 'finished' })).rejects.toThrow(IllegalTransitionError);
    });

    test('of an end and a transfer at the same time only one happens', async () => {
      const call = await newCall();
      await updateCall(db(), { ...call, change: { status: 'ongoing' } });
      const results = await Promise.allSettled(
        (['forwarded', 'finished'] as const).map((status) =>
          updateCall(db(), { ...call, change: { status } }),
        ),
      );
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    test('an ended call stays as it ended; a forwarded one gets its end and stays forwarded', async () => {
      const call = await newCall();
      const endAt = new Date('2030-01-01T00:00:00Z');
      await finishCall(db(), { ...call, endReason: 'user-hung-up', endTrigger: 'user', endAt });
      const again = await finishCall(db(), { ...call, endReason: 'connection-lost' });
      expect(again).toMatchObject({
        status: 'finished',
        endReason: 'user-hung-up',
        endTrigger: 'user',
        endAt,
      });
      const forwarded = await newCall();
      await updateCall(db(), { ...forwarded, change: { status: 'ongoing' } });
      await updateCall(db(), { ...forwarded, change: { status: 'forwarded' } });
      expect(await finishCall(db(), { ...forwarded, endReason: 'transferred' })).toMatchObject({
        status: 'forwarded',
        endReason: 'transferred',
        endAt: expect.any(Date),
      });
    });

    test('what comes after the end is kept: recording, analysis, metrics', async () => {
      const call = await newCall();
      await finishCall(db(), { ...call, endReason: 'user-hung-up' });
      const recording = { path: 'a.wav', sampleRateHz: 8_000, durationMs: 10, bytes: 344 };
      const updated = await updateCall(db(), {
        ...call,
        change: {
          recording,
          analysis: { summary: 'Short.' },
          metrics: [{ turn: 1, totalMs: 640 }],
        },
      });
      expect(updated).toMatchObject({
        status: 'finished',
        recording,
        analysis: { summary: 'Short.' },
      });
    });
  });

  describe('a batch', () => {
    const batch = {
      lines: [line(0), line(1, 'note', { text: 'nul\0' })],
      messages: [
        { messageId: 'm1', role: 'user', text: 'Hello', at: 1_200 },
        { messageId: 'm2', role: 'assistant', text: 'Hi', at: 1_900 },
      ],
      turns: [{ turn: 1, endpointMs: 3 }],
      patch: { status: 'ongoing', answeredAt: Date.parse('2026-03-01T10:00:04.000Z') },
    } as const;

    test('is kept, and kept the same when it is written again', async () => {
      const call = await newCall({ startAt: new Date('2026-03-01T10:00:00.000Z') });
      await write(call, batch);
      const once = [
        await getCall(db(), call),
        await journal(call),
        await listMessages(db(), { callId: call.id }),
      ];
      await write(call, batch);
      expect([
        await getCall(db(), call),
        await journal(call),
        await listMessages(db(), { callId: call.id }),
      ]).toEqual(once);
      expect(once).toEqual([
        expect.objectContaining({
          status: 'ongoing',
          answeredAt: new Date('2026-03-01T10:00:04.000Z'),
          metrics: [{ turn: 1, endpointMs: 3 }],
        }),
        [batch.lines[0], { ...batch.lines[1], data: { text: 'nul\uFFFD' } }],
        [
          {
            messageId: 'm1',
            role: 'user',
            text: 'Hello',
            timestamp: new Date('2026-03-01T10:00:05.200Z'),
          },
          {
            messageId: 'm2',
            role: 'assistant',
            text: 'Hi',
            timestamp: new Date('2026-03-01T10:00:05.900Z'),
          },
        ],
      ]);
    });

    test('replaces a message in its place', async () => {
      const call = await newCall();
      await write(call, { messages: batch.messages });
      await write(call, {
        messages: [
          { messageId: 'm3', role: 'user', text: 'And', at: 3_000 },
          { messageId: 'm1', role: 'user', text: 'Hello there', at: 1_200 },
          { messageId: 'm3', role: 'user', text: 'And then', at: 3_000 },
        ],
      });
      const messages = await listMessages(db(), { callId: call.id });
      expect(messages.map(({ text }) => text)).toEqual(['Hello there', 'Hi', 'And then']);
    });

    test('a message was said when it was said, however long the caller took to connect', async () => {
      const call = await newCall({ startAt: new Date('2026-03-01T10:00:00.000Z') });
      const answeredAt = Date.parse('2026-03-01T10:00:20.000Z');
      const [hello, hi] = batch.messages;
      await write(call, { messages: [hello], patch: { answeredAt } });
      // With those of other calls, without a change of the call itself.
      const { teamId, id: callId } = call;
      await writeCallRecords(db(), [{ teamId, callId, lines: [line(0)], messages: [hi] }]);
      const messages = await listMessages(db(), { callId });
      expect(messages.map(({ timestamp }) => timestamp.toISOString())).toEqual([
        '2026-03-01T10:00:21.200Z',
        '2026-03-01T10:00:21.900Z',
      ]);
    });

    test('a status that a flush skipped over is no obstacle', async () => {
      const call = await newCall();
      await write(call, { patch: { status: 'forwarded' } });
      expect((await getCall(db(), call)).status).toBe('forwarded');
    });

    test('is refused whole: neither lines nor messages stay of one whose status is illegal', async () => {
      const call = await newCall();
      await finishCall(db(), { ...call, endReason: 'user-hung-up' });
      await expect(write(call, batch)).rejects.toThrow(IllegalTransitionError);
      expect(await journal(call)).toEqual([]);
      expect(await listMessages(db(), { callId: call.id })).toEqual([]);
    });

    test('is refused whole by the database as well, and the error quotes nothing of it', async () => {
      const call = await newCall();
      const secret = 'said in confidence';
      const tooLarge = { ...line(2 ** 31), data: { text: secret } };
      const failure = await write(call, {
        lines: [line(0), tooLarge],
        messages: batch.messages,
        patch: { status: 'ongoing' },
      }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(QueryFailedError);
      expect((failure as Error).message).not.toContain(secret);
      expect((await getCall(db(), call)).status).toBe('queued');
      expect(await journal(call)).toEqual([]);
    });

    test('those of many calls are written at once', async () => {
      const calls = await Promise.all(Array.from({ length: 30 }, () => newCall()));
      await Promise.all(
        calls.flatMap((call) =>
          [0, 1, 2].map((i) =>
            write(call, { lines: [line(i * 2), line(i * 2 + 1)], messages: batch.messages }),
          ),
        ),
      );
      for (const call of calls) {
        expect((await journal(call)).map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5]);
      }
    });
  });

  test('a journal of any length is read in order, a page at a time, from where one likes', async () => {
    const call = await newCall();
    const lines = Array.from({ length: 1_234 }, (_, seq) => line(seq));
    await write(call, { lines: lines.toReversed() });
    expect(await journal(call)).toEqual(lines);
    const tail = await collect(readCallEvents(db(), { callId: call.id, afterSeq: 1_230 }));
    expect(tail.map(({ seq }) => seq)).toEqual([1_231, 1_232, 1_233]);
  });

  test('calls that a dead node left behind are ended when they were last heard of', async () => {
    const teamId = await newTeam();
    const startAt = new Date('2026-03-01T10:00:00.000Z');
    const left = await newCall({ teamId, startAt, nodeId: 'dead', phoneCallStatus: 'trying' });
    await write(left, {
      lines: [line(0), line(50)],
      patch: {
        ...{ status: 'ongoing', phoneCallStatus: 'in-progress' },
        answeredAt: startAt.getTime() + 20_000,
      },
    });
    const silent = await newCall({ teamId, startAt, nodeId: 'dead', phoneCallStatus: 'ringing' });
    const transferred = await newCall({ teamId, startAt, nodeId: 'dead' });
    await write(transferred, { lines: [line(9)], patch: { status: 'forwarded' } });
    const alive = await newCall({ teamId, nodeId: 'alive' });
    const awaited = await newCall({ teamId, startAt });
    const ended = await newCall({ teamId, nodeId: 'dead' });
    await finishCall(db(), { ...ended, endReason: 'user-hung-up' });

    const node = { id: 'alive', serviceId: 's', place: 'here', pid: 1, address: '' };
    await registerNode(db(), { node, leaseMs: 60_000 });

    const closed = await closeOrphanedCalls(db());
    expect(
      closed
        .filter((call) => call.teamId === teamId)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([left.id, silent.id, transferred.id].toSorted());
    expect(await getCall(db(), left)).toMatchObject({
      status: 'finished',
      phoneCallStatus: 'completed',
      endReason: 'service-restarted',
      endTrigger: null,
      endAt: new Date('2026-03-01T10:00:21.000Z'),
    });
    expect(await getCall(db(), silent)).toMatchObject({
      phoneCallStatus: 'failed',
      endAt: startAt,
    });
    expect(await getCall(db(), transferred)).toMatchObject({
      status: 'forwarded',
      endAt: expect.any(Date),
    });
    for (const call of [alive, awaited])
      expect(await getCall(db(), call)).toMatchObject({ status: 'queued', endAt: null });
    expect(await getCall(db(), ended)).toMatchObject({ endReason: 'user-hung-up' });
  });
});
