import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAsteriskEmulator } from '../../src/carriers/emulator/asterisk-side.ts';
import type {
  EmulatedCall,
  EmulatedCarrier,
} from '../../src/carriers/emulator/emulated-carrier.ts';
import { startTelnyxEmulator } from '../../src/carriers/emulator/telnyx-side.ts';
import { startTwilioEmulator } from '../../src/carriers/emulator/twilio-side.ts';
import type { Call } from '../../src/contract/call.ts';
import { findDifferences, replayJournal } from '../../src/engine/machine/replay.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { Random } from '../bench/turns/random.ts';
import { testSeed } from '../support/effort.ts';
import { ask, childrenOf, haveComeBack, journalOf, read } from '../support/failover.ts';
import { ears, speaks } from '../support/phone-talk.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

const CHANCE = new Random(testSeed(1));
/** How long an operator lets their telephone ring: time to kill both processes. */
const RING_MS = 45_000;
const MINUTE = { timeout: 60_000, interval: 100 };
const reason =
  process.platform === 'linux' ? '' : ': the pids of the processes are read from /proc';

interface Transferred {
  readonly carrier: EmulatedCarrier;
  readonly call: EmulatedCall;
  readonly id: string;
  /** The operator's side, once it was answered. */
  readonly operator: Promise<EmulatedCall>;
}

let folder: string;
let service: ServiceProcess | undefined;
let carriers: readonly EmulatedCarrier[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-failover-'));
  const clock = systemClock;
  carriers = await Promise.all([
    startTwilioEmulator('twilio', { clock }),
    startTelnyxEmulator({ clock }),
    startAsteriskEmulator({ clock }),
  ]);
});

afterEach(async () => {
  await service?.stop();
  for (const carrier of carriers) await carrier[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<ServiceProcess> {
  const [twilio, telnyx] = carriers;
  service = await startTestService(folder, {
    PROCESSES: '2',
    LOG_LEVEL: 'info',
    TWILIO_BASE_URL: twilio?.baseUrl ?? '',
    TELNYX_BASE_URL: telnyx?.baseUrl ?? '',
    ALLOW_PRIVATE_TARGETS: 'true',
    MAX_LAG_MS: '10000',
    RESUME_SECONDS: '60',
  });
  return service;
}

/** What a transfer of this mode asks of its assistant. */
const MODES = {
  blind: {},
  announced: { warmTransferEnabled: true, warmTransferTimeout: 60 },
  conversational: { warmTransferEnabled: true, warmTransferConversational: true },
} as const;

/** A caller of each carrier who is put through to another telephone, which rings for so long. */
async function transfer(
  running: ServiceProcess,
  { mode, ringMs = 50 }: { readonly mode: keyof typeof MODES; readonly ringMs?: number },
): Promise<readonly Transferred[]> {
  const post = (path: string, body: object) =>
    running.json<{ _id: string }>(path, { method: 'POST', body });
  const { _id: assistantId } = await post('/assistants/v1/assistants', {
    name: 'Bicycle shop',
    welcomeMessage: 'Hello, this is the bicycle shop.',
    assistantPredefinedTools: { callForward: true },
    callForwardData: { name: 'Anna' },
    ...MODES[mode],
  });
  return Promise.all(
    carriers.map(async (carrier, i) => {
      const [number, user, to] = [`+1500555019${i}`, `+1500555100${i}`, `+1500555200${i}`];
      const at = `${running.url}/carriers/${carrier.name}`;
      carrier.addNumber(number, { voiceUrl: `${at}/voice`, smsUrl: `${at}/sms` });
      carrier.behaviour = () => ({ outcome: 'answer', ringMs });
      const answered = Promise.withResolvers<EmulatedCall>();
      carrier.onAnswered = (operator) => answered.resolve(operator);
      const { name, credentials } = carrier;
      const { _id } = await post(`/assistants/v1/numbers/${name}`, { number, credentials });
      await running.json(`/assistants/v1/numbers/${_id}`, { method: 'PUT', body: { assistantId } });
      const call = await carrier.call({ from: user, to: number });
      await call.connected;
      const path = `/calls/v1/conversations?userNumber=${encodeURIComponent(user)}`;
      const { conversations } = await running.json<{ conversations: Call[] }>(path);
      const id = conversations[0]?.id as string;
      await control(running, id, { type: 'forward', message: to });
      return { carrier, call, id, operator: answered.promise };
    }),
  );
}

const control = (running: ServiceProcess, id: string, body: object) =>
  ask(() => running.json(`/calls/v1/conversations/${id}/control`, { method: 'POST', body }));

/** Kills both processes, one after the other, so that each call has lost its own once at least. */
async function killBoth(running: ServiceProcess, between = async () => {}): Promise<void> {
  const workers = await childrenOf(running.pid);
  for (const [i, pid] of workers.entries()) {
    process.kill(pid, 'SIGKILL');
    await haveComeBack(running, i + 1);
    await between();
  }
}

const typesOf = async (running: ServiceProcess, id: string) =>
  (await journalOf(running, { id })).map(({ type }) => type);

/** The caller is told, talks to the assistant again, and ends the call. */
async function isBack(running: ServiceProcess, { call, id, carrier }: Transferred): Promise<void> {
  const when = carrier.name;
  const said = async () => (await read(running, { id })).messages.map(({ role }) => role);
  const before = (await said()).length;
  await control(running, id, { type: 'say', message: 'Still here.' });
  const texts = async () => (await read(running, { id })).messages.map(({ text }) => text).join();
  await expect.poll(texts, { ...MINUTE, message: when }).toContain('Still here.');
  expect(before, when).toBeGreaterThan(0);
  const lines = await journalOf(running, { id });
  const lost = lines.findIndex(({ data }) => data.code === 'process-lost');
  expect(lost, when).toBeGreaterThan(0);
  // X6: one reply tells the caller why nobody came.
  const replies = lines.slice(lost).filter(({ type }) => type === 'tts.start');
  expect(replies.length, when).toBeGreaterThan(0);
  expect(lines.filter(({ type }) => type === 'leg.dial')).toHaveLength(1);
  expect(lines.filter(({ type }) => type === 'leg.hangup')).toHaveLength(1);
  expect(findDifferences(replayJournal(lines)), when).toEqual([]);
  await control(running, id, { type: 'end' });
  await call.ended;
}

const isOver = (call: EmulatedCall) =>
  Promise.race([call.ended.then(() => true), delay(30_000, false, { ref: false })]);

describe.skipIf(reason !== '')(`transfers whose process is killed${reason}`, () => {
  test.each(['killed', 'replaced'] as const)(
    'that are bridged are bridged again if it is %s, and whoever hangs up ends the call for both',
    async (how) => {
      const running = await start();
      const all = await transfer(running, { mode: 'blind' });
      const hearEachOther = async () => {
        await Promise.all(
          all.map(async ({ call, operator }) => {
            await speaks(call.handset, 700, ears(await operator));
            await speaks((await operator).handset, 1300, ears(call));
          }),
        );
      };
      for (const { id } of all)
        await expect
          .poll(async () => (await read(running, { id })).status, MINUTE)
          .toBe('forwarded');
      await hearEachOther();
      await delay(CHANCE.next() * 1000);
      if (how === 'killed') await killBoth(running, hearEachOther);
      else {
        process.kill(running.pid, 'SIGUSR2');
        await haveComeBack(running, 2);
        await hearEachOther();
      }
      await Promise.all(
        all.map(async ({ carrier, call, id, operator }, i) => {
          const when = carrier.name;
          const party = i % 2 === 0 ? call : await operator;
          party.hangup();
          expect(await isOver(call), `${when}: the caller's`).toBe(true);
          expect(await isOver(await operator), `${when}: the operator's`).toBe(true);
          await expect
            .poll(async () => (await read(running, { id })).endAt, { ...MINUTE, message: when })
            .toBeTruthy();
          expect(await read(running, { id }), when).toMatchObject({
            status: 'forwarded',
            phoneCallStatus: 'completed',
          });
          const lines = await journalOf(running, { id });
          const count = (type: string) => lines.filter((line) => line.type === type).length;
          expect(count('leg.resume'), when).toBeGreaterThan(0);
          expect([count('leg.dial'), count('leg.bridge')], when).toEqual([
            1,
            1 + count('leg.resume'),
          ]);
          // X5: the assistant says nothing more.
          const bridged = lines.findIndex(({ type }) => type === 'leg.bridge');
          expect(
            lines.slice(bridged).filter(({ type }) => type === 'tts.start'),
            when,
          ).toEqual([]);
          expect(findDifferences(replayJournal(lines)), when).toEqual([]);
        }),
      );
    },
    240_000,
  );

  test('while the operator rings: their telephone stops, and the caller is told', async () => {
    const running = await start();
    // Its carrier lets it ring for longer than it takes them to answer.
    const all = await transfer(running, { mode: 'announced', ringMs: RING_MS });
    const startedAt = performance.now();
    let answered = 0;
    for (const { operator } of all) void operator.then(() => answered++);
    for (const { id } of all)
      await expect.poll(() => typesOf(running, id), MINUTE).toContain('leg.dial');
    // The carriers have taken the request, or may still be about to.
    await delay(CHANCE.next() * 1000);
    await killBoth(running);
    await Promise.all(all.map((one) => isBack(running, one)));
    await delay(Math.max(0, startedAt + RING_MS + 5000 - performance.now()));
    expect(answered).toBe(0);
  }, 240_000);

  test('while the operator is told of the call: they are hung up, and the caller is told', async () => {
    const running = await start();
    const all = await transfer(running, { mode: 'conversational' });
    for (const { id } of all)
      await expect.poll(() => typesOf(running, id), MINUTE).toContain('leg.brief');
    await killBoth(running);
    await Promise.all(
      all.map(async (one) => {
        expect(await isOver(await one.operator), one.carrier.name).toBe(true);
        await isBack(running, one);
      }),
    );
  }, 240_000);
});
