import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCallEvents } from '../../../src/store/call-events.ts';
import { getCall } from '../../../src/store/calls.ts';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { listMessages } from '../../../src/store/messages.ts';
import { closeOrphanedCalls } from '../../../src/store/orphaned-calls.ts';
import { collect } from '../../support/collect.ts';
import { isLong } from '../../support/effort.ts';

const SERVICE = fileURLToPath(new URL('./acknowledging-service.ts', import.meta.url));

interface Heard {
  readonly readyMs: number;
  readonly teamId: string;
  readonly callId: string;
  readonly acknowledged: number;
}

let dataDir = '';
let service: ChildProcess | undefined;
let reopened: Database | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-test-kill-'));
});
afterEach(async () => {
  service?.kill('SIGKILL');
  await reopened?.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Lets a service acknowledge some writes, then calls `kill` during the next one. */
async function runAndKill(kill: (child: ChildProcess) => Promise<void> | void): Promise<Heard> {
  const child = spawn(process.execPath, [SERVICE, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  service = child;
  let first: Omit<Heard, 'acknowledged'> | undefined;
  let acknowledged = -1;
  let killed = false;
  for await (const line of createInterface({
    input: child.stdout as NonNullable<typeof child.stdout>,
  })) {
    const said = JSON.parse(line);
    if (said.acknowledged === undefined) first = said;
    else acknowledged = said.acknowledged;
    if (acknowledged >= 40 && !killed) {
      killed = true;
      await kill(child);
    }
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  if (!first) throw new Error('the service did not start');
  return { ...first, acknowledged };
}

async function reopen(): Promise<Database> {
  reopened = await openDatabase({ dataDir });
  return reopened;
}

async function expectEverythingThere({ db }: Database, heard: Heard): Promise<void> {
  const lines = await collect(readCallEvents(db, { callId: heard.callId }));
  const messages = await listMessages(db, { callId: heard.callId });
  expect(lines.length).toBeGreaterThan(heard.acknowledged);
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, i) => i));
  // A batch is stored completely or not at all.
  expect(messages.map(({ messageId }) => messageId)).toEqual(lines.map(({ seq }) => `m${seq}`));
}

async function serverPid(): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
}

test.runIf(isLong)(
  'what a killed service had acknowledged is there after the restart',
  async () => {
    const heard = await runAndKill((child) => {
      child.kill('SIGKILL');
    });
    const database = await reopen();
    await expectEverythingThere(database, heard);
  },
);

test.skipIf(isLong)('also when its database was killed with it', async () => {
  const heard = await runAndKill(async (child) => {
    const pid = await serverPid();
    child.kill('SIGKILL');
    process.kill(pid, 'SIGKILL');
  });
  const database = await reopen();
  await expectEverythingThere(database, heard);
});

test.runIf(isLong)(
  'also when the database is frozen, and left to the next start to end',
  async () => {
    const heard = await runAndKill(async (child) => {
      // A suspended server cannot stop with its service, so the next start finds an orphan.
      process.kill(await serverPid(), 'SIGSTOP');
      child.kill('SIGKILL');
    });
    process.kill(await serverPid(), 'SIGCONT');
    const database = await reopen();
    await expectEverythingThere(database, heard);
  },
);

test.runIf(isLong)(
  'the call that was cut off is ended at its last line, and says why',
  async () => {
    const heard = await runAndKill((child) => {
      child.kill('SIGKILL');
    });
    const database = await reopen();
    const { db } = database;
    const lines = await collect(readCallEvents(db, { callId: heard.callId }));
    expect(await closeOrphanedCalls(db)).toEqual([{ id: heard.callId, teamId: heard.teamId }]);
    const call = await getCall(db, { teamId: heard.teamId, id: heard.callId });
    expect(call).toMatchObject({ status: 'finished', endReason: 'service-restarted' });
    expect(call.endAt?.getTime()).toBe(call.startAt.getTime() + (lines.at(-1)?.at ?? Number.NaN));
    expect(await closeOrphanedCalls(db)).toEqual([]);
  },
);

test.runIf(isLong)(
  'a database that dies under a living service comes back, and the service goes on',
  async () => {
    const database = await reopen();
    await database.ping();
    process.kill(await serverPid(), 'SIGKILL');
    await expect
      .poll(() =>
        database.ping().then(
          () => 'back',
          () => 'away',
        ),
      )
      .toBe('back');
  },
);
