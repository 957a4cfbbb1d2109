import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { writeCallBatch } from '../../src/store/call-batch.ts';
import { finishCall } from '../../src/store/calls.ts';
import { closeOrphanedCalls } from '../../src/store/orphaned-calls.ts';
import { deliveries } from '../../src/store/schema/deliveries.ts';
import { createCallWithServer, lineOf } from '../support/call-with-server.ts';
import { withDatabase } from '../support/postgres.ts';

const URL = 'https://shop.example/hook';

withDatabase('what a server is told', ({ db, newTeam }) => {
  const newCall = async (
    options: Partial<Parameters<typeof createCallWithServer>[1]> = {},
  ): ReturnType<typeof createCallWithServer> =>
    createCallWithServer(db(), { teamId: await newTeam(), url: URL, ...options });
  const told = async (callId: string) => {
    const rows = await db()
      .select()
      .from(deliveries)
      .where(eq(deliveries.callId, callId))
      .orderBy(asc(deliveries.position));
    return rows.map(({ message }) => message);
  };
  const ongoing = { type: 'status', status: 'ongoing' } as const;
  const finished = { type: 'status', status: 'finished' } as const;

  test('a transfer that failed is an error with its reason; a line let go with the call is none', async () => {
    const call = await newCall();
    await call.write([ongoing], { status: 'ongoing' });
    await call.write([
      { type: 'leg.hangup', legId: 1, reason: 'busy' },
      { type: 'leg.hangup', legId: 2, reason: 'user-hung-up' },
      { type: 'leg.hangup', legId: 3, reason: 'caller-stopped-waiting' },
    ]);
    const errors = (await told(call.id)).filter(({ type }) => type === 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      error: {
        type: 'transfer',
        code: 'transfer-failed',
        message:
          'The caller could not be put through and came back to the assistant: the line was busy.',
      },
    });
  });

  test('every status, every message once its text is final, hangs and errors, in their order', async () => {
    const call = await newCall();
    const error = { code: 'http_500', message: 'down', provider: 'openai', retryable: true };
    await call.write([ongoing, ...call.turn('Are you open?', 'Yes, until eight.')], {
      status: 'ongoing',
    });
    await call.write([
      { type: 'webhook', kind: 'hang', data: { turn: 2 } },
      { type: 'webhook', kind: 'error', data: { ...error, type: 'llm' } },
      ...call.turn('Thanks', 'Goodbye!'),
    ]);
    await call.write([finished], {
      status: 'finished',
      endAt: Date.now(),
      endReason: 'user-hung-up',
    });
    const messages = await told(call.id);
    expect(messages.map(({ type }) => type)).toEqual([
      'status-update',
      'conversation-update',
      'conversation-update',
      'hang',
      'error',
      'conversation-update',
      'conversation-update',
      'status-update',
    ]);
    expect(messages.map(({ messages: history }) => history.map(({ text }) => text))).toEqual([
      [],
      ['Are you open?'],
      ['Are you open?', 'Yes, until eight.'],
      ['Are you open?', 'Yes, until eight.'],
      ['Are you open?', 'Yes, until eight.'],
      ['Are you open?', 'Yes, until eight.', 'Thanks'],
      ['Are you open?', 'Yes, until eight.', 'Thanks', 'Goodbye!'],
      ['Are you open?', 'Yes, until eight.', 'Thanks', 'Goodbye!'],
    ]);
    expect(messages.map(({ call: { status } }) => status)).toEqual([
      ...Array<string>(7).fill('ongoing'),
      'finished',
    ]);
    expect(messages[4]).toMatchObject({
      error: {
        type: 'llm',
        code: 'model-error',
        message: 'The language model gave no answer, and the caller heard an apology: down.',
        provider: 'openai',
        retryable: true,
        cause: { code: 'http_500', message: 'down', provider: 'openai' },
      },
    });
    const [first] = messages;
    expect(first?.call.monitor.controlUrl).toBe(
      `http://parley.test/calls/v1/conversations/${call.id}/control`,
    );
  });

  test('what was said counts from when the caller was connected, in each webhook', async () => {
    const startAt = new Date('2026-03-01T10:00:00.000Z');
    const call = await newCall({ call: { startAt } });
    const answeredAt = startAt.getTime() + 20_000;
    await call.write([ongoing, ...call.turn('Hello', 'Hi')], { status: 'ongoing', answeredAt });
    await call.write(call.turn('And?', 'Yes.'));
    const last = (await told(call.id)).at(-1);
    expect(last?.messages.map(({ timestamp }) => timestamp)).toEqual([
      ...['2026-03-01T10:00:21.000Z', '2026-03-01T10:00:21.000Z'],
      ...['2026-03-01T10:00:22.000Z', '2026-03-01T10:00:22.000Z'],
    ]);
    expect(last?.timestamp).toBe(answeredAt + 90);
  });

  test('statuses that one late flush brings together are told one by one, as the call was', async () => {
    const call = await newCall();
    await call.write([ongoing, ...call.turn('Hello', 'Hi'), finished], {
      status: 'finished',
      endAt: Date.now(),
      endReason: 'user-hung-up',
    });
    const messages = await told(call.id);
    expect(
      messages.map(({ type, call: { status, endReason } }) => [type, status, endReason]),
    ).toEqual([
      ['status-update', 'ongoing', undefined],
      ['conversation-update', 'ongoing', undefined],
      ['conversation-update', 'ongoing', undefined],
      ['status-update', 'finished', 'user-hung-up'],
    ]);
  });

  test('a batch that is written again, whole or with more, tells only what is new', async () => {
    const call = await newCall();
    const batch = await call.write([ongoing, ...call.turn('Hello', 'Hi')], { status: 'ongoing' });
    await writeCallBatch(db(), { teamId: call.teamId, ...batch });
    const hang = { type: 'webhook', kind: 'hang', data: { turn: 1 } } as const;
    const more = lineOf(hang, { seq: 99, at: 990 });
    await writeCallBatch(db(), {
      teamId: call.teamId,
      ...batch,
      lines: [...batch.lines, more.line],
      webhookUpdates: [...(batch.webhookUpdates ?? []), ...more.updates],
    });
    expect((await told(call.id)).map(({ type }) => type)).toEqual([
      'status-update',
      'conversation-update',
      'conversation-update',
      'hang',
    ]);
  });

  test('a batch that fails tells nothing', async () => {
    const call = await newCall();
    await call.write([finished], { status: 'finished', endAt: Date.now() });
    const before = await told(call.id);
    await expect(call.write(call.turn('Hello', 'Hi'), { status: 'ongoing' })).rejects.toThrow();
    expect(await told(call.id)).toEqual(before);
  });

  test('only the kinds that are chosen, and nothing where the server is switched off', async () => {
    const some = await newCall({ server: { messages: ['status-update'] } });
    const none = await newCall({ server: { enabled: false } });
    for (const call of [some, none])
      await call.write([ongoing, ...call.turn('Hello', 'Hi')], { status: 'ongoing' });
    expect((await told(some.id)).map(({ type }) => type)).toEqual(['status-update']);
    expect(await told(none.id)).toEqual([]);
  });

  test('a call that ended without its session: refused, or cut off by a crash', async () => {
    const refused = await newCall({ call: { callType: 'phone', phoneCallStatus: 'trying' } });
    await finishCall(db(), {
      teamId: refused.teamId,
      id: refused.id,
      endReason: 'dialling-failed',
      phoneCallStatus: 'failed',
    });
    const cut = await newCall({ call: { nodeId: 'gone' } });
    await cut.write([ongoing, ...cut.turn('Hello', 'Hi')], { status: 'ongoing' });
    await closeOrphanedCalls(db());
    await closeOrphanedCalls(db());
    expect(await told(refused.id)).toMatchObject([
      { type: 'status-update', status: 'finished', phoneCallStatus: 'failed' },
      { type: 'error', error: { type: 'call', code: 'dialling-failed' } },
    ]);
    expect((await told(cut.id)).map(({ type, status }) => [type, status])).toEqual([
      ['status-update', 'ongoing'],
      ['conversation-update', undefined],
      ['conversation-update', undefined],
      ['status-update', 'finished'],
      ['error', undefined],
    ]);
  });
});
