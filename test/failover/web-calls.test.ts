import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseWav } from '../../src/audio/parse-wav.ts';
import { CallerError } from '../../src/cli/web-caller.ts';
import type { Call } from '../../src/contract/call.ts';
import { findDifferences, replayJournal } from '../../src/engine/machine/replay.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { Random } from '../bench/turns/random.ts';
import { runs, testSeed } from '../support/effort.ts';
import { dial, type ServiceCall } from '../support/service-call.ts';
import { SERVICE_KEY, type ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

const WELCOME = [
  'Good morning, and thank you for calling the town library.',
  'We are open from nine to six on every day but Sunday.',
  'Books can be kept for four weeks, and films for seven days.',
].join(' ');
const BACK = 'Sorry, the line dropped for a moment.';

const ROUNDS = runs({ usual: 2, long: 60 });
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

/** Comes back with the token as a client does: again and again until a process takes the call. */
async function comeBack({ caller }: ServiceCall, address?: string): Promise<void> {
  const lostAt = performance.now();
  for (;;) {
    try {
      return await caller.resume(address);
    } catch (error) {
      if (!(error instanceof CallerError) || performance.now() - lostAt > 20_000) throw error;
      if (error.code === 'unknown-token') throw error;
      await delay(50);
    }
  }
}

/**
 * `fetch` may still try connections to the process that was killed, and a call whose caller is on the way back has no
 * process for a moment (503): nothing was done on these.
 */
async function ask<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await request();
    } catch (error) {
      const isPassing = error instanceof TypeError || String(error).includes(': 503 ');
      if (!isPassing || tries === 50) throw error;
      await delay(200);
    }
  }
}

const read = (running: ServiceProcess, { id }: ServiceCall) =>
  ask(() => running.json<Call>(`/calls/v1/conversations/${id}`));

async function journalOf(running: ServiceProcess, { id }: ServiceCall) {
  const response = await ask(() =>
    fetch(`${running.url}/calls/v1/conversations/${id}/events`, {
      headers: { authorization: `Bearer ${SERVICE_KEY}` },
    }),
  );
  const text = await response.text();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalLine);
}

/** The call went on where it was, says the rest of its sentences, and obeys. */
async function goesOn(running: ServiceProcess, call: ServiceCall, when: string): Promise<void> {
  const path = `/calls/v1/conversations/${call.id}`;
  const control = (body: object) =>
    ask(() => running.json(`${path}/control`, { method: 'POST', body }));
  await control({ type: 'say', message: 'Still here.' });
  await expect
    .poll(() => call.said.join('\n'), { timeout: 40_000, message: when })
    .toContain('Still here.');
  await control({ type: 'end' });
  expect(await call.caller.ended, when).toMatchObject({ reason: 'ended-by-control' });
}

async function isWhole(running: ServiceProcess, call: ServiceCall, when: string): Promise<void> {
  const record = await read(running, call);
  expect(record, when).toMatchObject({ status: 'finished', endReason: 'ended-by-control' });
  const said = record.messages.map(({ text }) => text).join(' ');
  expect(said.replace(`${BACK} `, ''), when).toBe(`${WELCOME} Still here.`);
  const lines = await journalOf(running, call);
  expect(
    lines.map(({ seq }) => seq),
    when,
  ).toEqual(lines.map((_, i) => i));
  expect(
    lines.filter(({ type }) => type === 'call.resumed'),
    when,
  ).toHaveLength(1);
  expect(
    lines.filter(({ type }) => type === 'finish'),
    when,
  ).toHaveLength(1);
  expect(findDifferences(replayJournal(lines)), when).toEqual([]);
  // It is there once its parts were joined, which the end of the call does not wait for.
  const recording = await vi.waitFor(
    async () => {
      const response = await fetch(`${running.url}/calls/v1/conversations/${call.id}/recording`, {
        headers: { authorization: `Bearer ${SERVICE_KEY}` },
      });
      expect(response.status, when).toBe(200);
      return response.arrayBuffer();
    },
    { timeout: 20_000, interval: 100 },
  );
  const { channels, sampleRateHz } = parseWav(new Uint8Array(recording));
  const lengthMs = (channels[0].length / sampleRateHz) * 1000;
  const end = lines.find(({ type }) => type === 'finish')?.at ?? 0;
  expect(Math.abs(lengthMs - end), `${when}: ${lengthMs} ms recorded of ${end}`).toBeLessThan(700);
}

describe.skipIf(reason !== '')(`web calls whose process is killed${reason}`, () => {
  test('go on in another process of the service: no word lost, one record, the same decisions in a replay', async () => {
    const running = await start({ PROCESSES: '2' });
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
          if (reason === undefined) affected.set(call, comeBack(call));
        });
      await delay(afterMs);
      const workers = await childrenOf(running.pid);
      process.kill(workers[Math.floor(CHANCE.next() * workers.length)] as number, 'SIGKILL');
      for (const call of own) await goesOn(running, call, when);
      for (const [call, back] of affected) {
        await back;
        await isWhole(running, call, when);
      }
      takenOver += affected.size;
      for (const { caller } of own) caller.close();
      await expect.poll(async () => (await childrenOf(running.pid)).length).toBe(2);
    }
    expect(takenOver).toBeGreaterThan(0);
  }, 600_000);

  test('go on in the process that is started anew, if there is only one', async () => {
    let running = await start();
    const assistantId = await newAssistant(running);
    const call = await dial(running, { assistantId });
    calls.push(call);
    await delay(3000);
    await running.kill();
    running = await start();
    await comeBack(call, running.url.replace(/^http/, 'ws'));
    await goesOn(running, call, 'started anew');
    await isWhole(running, call, 'started anew');
    const spoken = (await read(running, call)).messages.map(({ text }) => text).join(' ');
    expect(spoken).toContain(BACK);
  }, 120_000);
});

/** Ids of the worker processes of this one. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const pids = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  const commands = await Promise.all(
    pids.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, i) => commands[i]?.includes('start.mjs')).map(Number);
}
