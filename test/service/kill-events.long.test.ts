import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Call } from '../../src/contract/call.ts';
import type { Delivery } from '../../src/contract/delivery.ts';
import { Random } from '../bench/turns/random.ts';
import { startBookingModel } from '../support/booking-model.ts';
import { testSeed } from '../support/effort.ts';
import { callWithKeys } from '../support/keypad-caller.ts';
import { startLocalServer } from '../support/local-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const ROUNDS = 6;
const CHANCE = new Random(testSeed(1));
const CALLS_A_ROUND = 17;
const TURNS = 2;
/** Two statuses, the welcome, two turns of three messages or four, the report. */
const EVENTS_A_CALL = 10;

let folder: string;
let service: ServiceProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-kill-'));
});

afterEach(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = async () => {
  service = await ServiceProcess.start(folder, {
    ALLOW_PRIVATE_TARGETS: 'true',
    // The callers do not come back.
    RESUME_SECONDS: '0',
  });
  return service;
};

test('calls killed at random points: every event once and in order, every analysis there, no tool hit twice', async () => {
  await using receiver = await startWebhookReceiver();
  const hits: string[] = [];
  await using toolServer = await startLocalServer((request, response) => {
    hits.push(`${request.headers['idempotency-key']}`);
    request.resume().on('end', () => response.end('"booked"'));
  });
  await using model = await startBookingModel('book_slot');
  let running = await start();
  const tool = await running.json<{ _id: string }>('/assistants/v1/tools', {
    method: 'POST',
    body: {
      function: {
        name: 'book_slot',
        parameters: { type: 'object', properties: { slot: { type: 'string' } } },
      },
      server: { url: toolServer.url },
    },
  });
  const assistant = await running.json<{ _id: string }>('/assistants/v1/assistants', {
    method: 'POST',
    body: {
      name: 'Booking',
      welcomeMessage: 'Hello.',
      assistantProvider: 'custom-llm',
      assistantLLMUrl: model.url,
      assistantToolIds: [tool._id],
      dtmfInputEnabled: true,
      assistantServer: { enabled: true, url: receiver.url },
      assistantAnalysis: { summary: { enabled: true }, successEvaluation: { enabled: true } },
    },
  });

  const ids: string[] = [];
  const cutAt: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = receiver.received.length;
    const calls = await Promise.all(
      Array.from({ length: CALLS_A_ROUND }, () =>
        callWithKeys(running, { assistantId: assistant._id, turns: TURNS }),
      ),
    );
    ids.push(...calls.map(({ id }) => id));
    const events = Math.ceil(CHANCE.next() * CALLS_A_ROUND * EVENTS_A_CALL * 0.8);
    cutAt.push(events);
    await receiver.until((all) => all.length >= before + events);
    await running.kill();
    await Promise.all(calls.map(({ over }) => over));
    running = await start();
  }

  const reported = (id: string) =>
    receiver.of(id).some(({ type }) => type === 'end-of-call-report');
  await receiver.until(() => ids.every(reported));
  let cutOff = 0;
  const when = `killed after ${cutAt.join(', ')} events`;
  for (const id of ids) {
    const path = `/calls/v1/conversations/${id}`;
    const settled = async () =>
      (await running.json<{ deliveries: Delivery[] }>(`${path}/deliveries`)).deliveries;
    await expect
      .poll(async () => (await settled()).every(({ status }) => status === 'delivered'))
      .toBe(true);
    const sent = await settled();
    const got = receiver.of(id);
    expect(
      got.map((one) => one.id),
      when,
    ).toEqual(sent.map((one) => one.id));
    expect(got.filter(({ type }) => type === 'end-of-call-report')).toHaveLength(1);
    expect(got.at(-1)?.type).toBe('end-of-call-report');
    expect(
      got.filter(({ type, message }) => type === 'status-update' && message.status === 'finished'),
    ).toHaveLength(1);
    const { status, messages, analysis, endReason } = await running.json<Call>(path);
    expect(status).toBe('finished');
    if (endReason === 'service-restarted') cutOff++;
    const spoke = messages.some(({ role }) => role === 'user');
    expect(analysis?.steps?.map(({ state }) => state)).toEqual(
      Array(2).fill(spoke ? 'done' : 'skipped'),
    );
    // A webhook was sent for each complete message of the record.
    const told = new Set(got.map(({ message }) => message.messageId));
    for (const { messageId, role } of messages)
      if (role === 'user') expect(told, when).toContain(messageId);
  }
  // Processes were killed while several calls were live.
  expect(cutOff, when).toBeGreaterThan(2 * ROUNDS);
  expect(hits.length).toBeGreaterThan(ROUNDS);
  expect(new Set(hits).size, 'tools hit').toBe(hits.length);
}, 300_000);
