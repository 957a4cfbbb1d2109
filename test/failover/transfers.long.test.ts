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
import { systemClock } from '../../src/lib/system-clock.ts';
import { Random } from '../bench/turns/random.ts';
import { testSeed } from '../support/effort.ts';
import { ask, childrenOf, haveComeBack, read } from '../support/failover.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

const CHANCE = new Random(testSeed(1));
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

/** A caller of each carrier who is put through to another telephone. */
async function transfer(running: ServiceProcess): Promise<readonly Transferred[]> {
  const post = (path: string, body: object) =>
    running.json<{ _id: string }>(path, { method: 'POST', body });
  const { _id: assistantId } = await post('/assistants/v1/assistants', {
    name: 'Bicycle shop',
    welcomeMessage: 'Hello, this is the bicycle shop.',
    assistantPredefinedTools: { callForward: true },
    callForwardData: { name: 'Anna' },
  });
  return Promise.all(
    carriers.map(async (carrier, i) => {
      const [number, user, to] = [`+1500555019${i}`, `+1500555100${i}`, `+1500555200${i}`];
      const at = `${running.url}/carriers/${carrier.name}`;
      carrier.addNumber(number, { voiceUrl: `${at}/voice`, smsUrl: `${at}/sms` });
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
async function killBoth(running: ServiceProcess): Promise<void> {
  const workers = await childrenOf(running.pid);
  for (const [i, pid] of workers.entries()) {
    process.kill(pid, 'SIGKILL');
    await haveComeBack(running, i + 1);
  }
}

const isOver = (call: EmulatedCall) =>
  Promise.race([call.ended.then(() => true), delay(30_000, false, { ref: false })]);

describe.skipIf(reason !== '')(`transfers whose process is killed${reason}`, () => {
  test('that are bridged end for both, and the record says so', async () => {
    const running = await start();
    const all = await transfer(running);
    for (const { id } of all)
      await expect.poll(async () => (await read(running, { id })).status, MINUTE).toBe('forwarded');
    await delay(CHANCE.next() * 1000);
    await killBoth(running);
    await Promise.all(
      all.map(async ({ carrier, call, id, operator }) => {
        const when = carrier.name;
        expect(await isOver(call), `${when}: the caller's`).toBe(true);
        expect(await isOver(await operator), `${when}: the operator's`).toBe(true);
        await expect
          .poll(async () => (await read(running, { id })).endAt, { ...MINUTE, message: when })
          .toBeTruthy();
        expect(await read(running, { id }), when).toMatchObject({
          status: 'forwarded',
          phoneCallStatus: 'completed',
        });
      }),
    );
  }, 170_000);
});
