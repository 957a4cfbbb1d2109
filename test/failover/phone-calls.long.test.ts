import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type {
  EmulatedCall,
  EmulatedCarrier,
} from '../../src/carriers/emulator/emulated-carrier.ts';
import { Random } from '../bench/turns/random.ts';
import { testSeed } from '../support/effort.ts';
import { childrenOf, haveComeBack, isWhole, journalOf, read } from '../support/failover.ts';
import { freePort } from '../support/free-port.ts';
import {
  answerNumbers,
  environmentFor,
  idOf,
  numberOf,
  pointCarriersAt,
  startCarriers,
  WHOLE,
} from '../support/library-line.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

const ROUNDS = 5;
const CHANCE = new Random(testSeed(1));
const reason =
  process.platform === 'linux' ? '' : ': the pids of the processes are read from /proc';

let folder: string;
let service: ServiceProcess | undefined;
let carriers: readonly EmulatedCarrier[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-failover-'));
  carriers = await startCarriers();
});

afterEach(async () => {
  await service?.stop();
  for (const carrier of carriers) await carrier[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  service = await startTestService(folder, { ...environmentFor(carriers), ...env });
  pointCarriersAt(service, carriers);
  return service;
}

const MINUTE = { timeout: 60_000, interval: 100 };

/** The caller hears the assistant. */
const isLive = (running: ServiceProcess, id: string) =>
  expect
    .poll(async () => (await journalOf(running, { id })).map(({ type }) => type), MINUTE)
    .toContain('play.started');

/** The telephone hears the call go on. */
async function goesOn(running: ServiceProcess, call: EmulatedCall, id: string, when: string) {
  const control = (body: object) =>
    running.json(`/calls/v1/conversations/${id}/control`, { method: 'POST', body });
  // Until its process is there again, the call takes no requests.
  const say = async () => {
    try {
      await control({ type: 'say', message: 'Still here.' });
      return 'said';
    } catch (error) {
      const { endReason, phoneCallStatus } = await read(running, { id });
      return `${error} ${endReason} ${phoneCallStatus}`;
    }
  };
  await expect.poll(say, { timeout: 60_000, interval: 200, message: when }).toBe('said');
  // With what happened last, for the message of a failure.
  const said = async () => {
    const { messages, endReason } = await read(running, { id });
    const last = (await journalOf(running, { id })).slice(-8);
    const events = last.map(({ at, type }) => `${at} ${type}`).join(', ');
    return `${messages.map(({ text }) => text).join(' ')} (${events}; ${endReason})`;
  };
  await expect
    .poll(said, { timeout: 60_000, interval: 500, message: when })
    .toContain('Still here.');
  await control({ type: 'end' });
  await call.ended;
  await expect
    .poll(async () => (await read(running, { id })).status, { ...MINUTE, message: when })
    .toBe('finished');
}

describe.skipIf(reason !== '')(`telephone calls whose process ends${reason}`, () => {
  test.each([
    { how: 'killed', signal: 'SIGKILL' },
    { how: 'replaced', signal: 'SIGTERM' },
  ] as const)(
    'go on in another process if theirs is $how: the carrier asks for a new socket',
    async ({ how, signal }) => {
      const running = await start({ PROCESSES: '2', LOG_LEVEL: 'info', DRAIN_SECONDS: '20' });
      await answerNumbers(running, carriers);
      const takenOver = new Set<string>();
      for (let round = 0; round < ROUNDS; round++) {
        const afterMs = 500 + Math.round(CHANCE.next() * 6000);
        const calls = await Promise.all(
          carriers.flatMap((carrier, c) =>
            [0, 1].map(async (i) => {
              const from = `+1500555${1000 + round * 10 + c * 2 + i}`;
              const call = await carrier.call({ from, to: numberOf(carrier) });
              await call.connected;
              return { carrier: carrier.name, call };
            }),
          ),
        );
        for (const { call } of calls) await isLive(running, await idOf(running, call));
        await delay(afterMs);
        const workers = await childrenOf(running.pid);
        // The first follows the events of Asterisk.
        process.kill(workers.at(round % 2) as number, signal);
        await Promise.all(
          calls.map(async ({ carrier, call }) => {
            const when = `round ${round}, ${carrier}, ${how} after ${afterMs} ms`;
            const id = await idOf(running, call);
            await goesOn(running, call, id, when);
            // A socket may also have been lost with the process that relayed it.
            const lines = await journalOf(running, { id });
            if (!lines.some(({ type }) => type === 'call.resumed')) return;
            takenOver.add(carrier);
            await isWhole(running, { id }, { said: WHOLE, when });
          }),
        );
        await haveComeBack(running, round + 1);
      }
      // Which process has which calls is chance: in many rounds each carrier's have moved.
      expect(takenOver).toContain('asterisk');
    },
    600_000,
  );

  test('go on in the process that is started anew, where the carrier keeps the call meanwhile', async () => {
    const port = { PORT: String(await freePort()) };
    let running = await start(port);
    await answerNumbers(running, carriers);
    const keeping = carriers.filter(({ name }) => name !== 'twilio');
    const calls = await Promise.all(
      keeping.map(async (carrier, i) => {
        const call = await carrier.call({ from: `+1500555200${i}`, to: numberOf(carrier) });
        await call.connected;
        return { call, when: carrier.name, id: await idOf(running, call) };
      }),
    );
    for (const { id } of calls) await isLive(running, id);
    await delay(2000);
    await running.kill();
    running = await start(port);
    await Promise.all(
      calls.map(async ({ call, id, when }) => {
        await goesOn(running, call, id, when);
        await isWhole(running, { id }, { said: WHOLE, when });
      }),
    );
  }, 120_000);
});
