import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Random } from '../bench/turns/random.ts';
import { isLong, runs, testSeed } from '../support/effort.ts';
import { ask, BACK, childrenOf, haveComeBack, isWhole, read } from '../support/failover.ts';
import { WELCOME, WHOLE } from '../support/library-line.ts';
import { comeBack, controlOf } from '../support/returning-call.ts';
import { dial, type ServiceCall } from '../support/service-call.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

const ROUNDS = runs({ usual: 1, long: 3 });
const CHANCE = new Random(testSeed(1));
const CALLS = 3;
const reason =
  process.platform === 'linux' ? '' : ': the pids of the processes are read from /proc';

let folder: string;
let service: ServiceProcess | undefined;
const calls: ServiceCall[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-failover-'));
});

afterEach(async () => {
  for (const { caller } of calls.splice(0)) caller.close();
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = async (env: Readonly<Record<string, string>> = {}) => {
  service = await startTestService(folder, env);
  return service;
};

async function newAssistant(running: ServiceProcess): Promise<string> {
  const { _id } = await running.json<{ _id: string }>('/assistants/v1/assistants', {
    method: 'POST',
    body: { name: 'Library', welcomeMessage: WELCOME, recordingEnabled: true },
  });
  return _id;
}

/** The call went on where it was, says the rest of its sentences, and obeys. */
async function goesOn(running: ServiceProcess, call: ServiceCall, when: string): Promise<void> {
  await controlOf(running, call, { type: 'say', message: 'Still here.' });
  await expect.poll(() => call.said.join('\n'), { message: when }).toContain('Still here.');
  await controlOf(running, call, { type: 'end' });
  expect(await call.caller.ended, when).toMatchObject({ reason: 'ended-by-control' });
}

describe.skipIf(reason !== '')(`web calls whose process is killed${reason}`, () => {
  test('go on in another process of the service: no word lost, one record, the same decisions in a replay', async () => {
    // What was said is encrypted, so the next process opens what the dead one had sealed.
    const running = await start({ PROCESSES: '2', LOG_LEVEL: 'info', ENCRYPT_CALLS: 'true' });
    const assistantId = await newAssistant(running);
    let takenOver = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const afterMs = Math.round(CHANCE.next() * 7000);
      const when = `round ${round}, killed after ${afterMs} ms`;
      const own: ServiceCall[] = [];
      for (let i = 0; i < CALLS; i++) own.push(await ask(() => dial(running, { assistantId })));
      calls.push(...own);
      // A client notices by its socket, which may be relayed by the process that lives, and comes back at once.
      const affected = new Map<ServiceCall, Promise<void>>();
      for (const call of own)
        void call.caller.ended.then(({ reason }) => {
          if (reason !== undefined) return;
          const back = comeBack(call);
          // Awaited below, unless the test has failed before.
          back.catch(() => undefined);
          affected.set(call, back);
        });
      await delay(afterMs);
      const workers = await childrenOf(running.pid);
      process.kill(workers[Math.floor(CHANCE.next() * workers.length)] as number, 'SIGKILL');
      for (const call of own) await goesOn(running, call, when);
      for (const [call, back] of affected) {
        await back;
        await isWhole(running, call, { said: WHOLE, when });
      }
      takenOver += affected.size;
      for (const { caller } of own) caller.close();
      await haveComeBack(running, round + 1);
    }
    expect(takenOver).toBeGreaterThan(0);
  }, 600_000);

  test.runIf(isLong)(
    'go on in the process that is started anew, if there is only one',
    async () => {
      let running = await start();
      const assistantId = await newAssistant(running);
      const call = await dial(running, { assistantId });
      calls.push(call);
      await delay(3000);
      await running.kill();
      // A machine is away for longer than the service takes to start: nobody sees when the process died.
      await delay(2000);
      running = await start();
      await comeBack(call, running.url.replace(/^http/, 'ws'));
      await goesOn(running, call, 'started anew');
      await isWhole(running, call, { said: WHOLE, when: 'started anew' });
      const spoken = (await read(running, call)).messages.map(({ text }) => text).join(' ');
      expect(spoken).toContain(BACK);
    },
    120_000,
  );
});
