import { access, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { createTeam, findTeam } from '../../../src/store/teams.ts';
import { isLong } from '../../support/effort.ts';

/** Time for a recovery on a busy machine. */
const PATIENCE_MS = 15_000;

let root = '';
const opened: Database[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-test-embedded-'));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
  await rm(root, { recursive: true, force: true });
});

async function open(dataDir: string): Promise<Database> {
  const database = await openDatabase({ dataDir });
  opened.push(database);
  return database;
}

test.skipIf(isLong)('what was written is there after the next start', async () => {
  const dataDir = join(root, 'not/there/yet');
  const before = await open(dataDir);
  const team = await createTeam(before.db, { name: 'Ada' });
  await before.close();
  const after = await open(dataDir);
  expect(await findTeam(after.db, { teamId: team.id })).toEqual(team);
});

test.skipIf(isLong)(
  'a second service on the same folder is refused in one line, and the first goes on',
  async () => {
    const first = await open(root);
    await expect(openDatabase({ dataDir: root })).rejects.toThrow(
      /^another service is using .*: stop it, or set another DATA_DIR$/,
    );
    await first.ping();
  },
);

test.runIf(isLong)(
  'a crash inside the database is survived, and the folder stays ours',
  async () => {
    const { db, ping } = await open(root);
    const { rows } = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
    await expect
      .poll(
        () =>
          ping().then(
            () => 'up',
            () => 'down',
          ),
        { timeout: PATIENCE_MS },
      )
      .toBe('up');
    await expect
      .poll(
        async () =>
          (await db.execute(sql`select 1 from pg_locks where locktype = 'advisory'`)).rows,
        { timeout: PATIENCE_MS },
      )
      .toHaveLength(1);
    await expect(openDatabase({ dataDir: root })).rejects.toThrow('another service is using');
  },
);

test.runIf(isLong)(
  'of two that start at once on a new folder one serves and the other is refused',
  async () => {
    const results = await Promise.allSettled([open(root), open(root)]);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.map(({ reason }) => String(reason))).toEqual([
      expect.stringContaining('another service is using'),
    ]);
    await expect
      .poll(() =>
        opened[0]?.ping().then(
          () => 'up',
          () => 'down',
        ),
      )
      .toBe('up');
  },
);

test.runIf(isLong)('a folder with a path too long for a socket works', async () => {
  const database = await open(join(root, 'long'.repeat(40)));
  await database.ping();
});

test.runIf(isLong)(
  'a start that died while it made the data leaves nothing in the way',
  async () => {
    const draft = join(root, 'postgres.draft-999999999-x');
    await mkdir(draft);
    await writeFile(join(draft, 'PG_VERSION'), '18\n');
    const database = await open(root);
    await database.ping();
    await expect(access(draft)).rejects.toThrow('ENOENT');
  },
);

test('data of another major version is refused, with what to do', async () => {
  await mkdir(join(root, 'postgres'));
  await writeFile(join(root, 'postgres/PG_VERSION'), '12\n');
  await expect(open(root)).rejects.toThrow(/was made by Postgres 12 .*pg_dump/);
});

test('a folder that is a file is refused', async () => {
  const path = join(root, 'file');
  await writeFile(path, '');
  await expect(open(path)).rejects.toThrow('EEXIST');
});

test.runIf(isLong)('nobody but its user can enter the data', async () => {
  await open(root);
  const { mode } = await stat(join(root, 'postgres'));
  expect(mode & 0o077).toBe(0);
});

test.runIf(isLong)(
  'closing twice is closing once, and what comes after is told that it is closed',
  async () => {
    const database = await open(root);
    await Promise.all([database.close(), database.close()]);
    await expect(database.ping()).rejects.toThrow('the store is closed');
    await expect(createTeam(database.db, { name: 'Late' })).rejects.toThrow('the store is closed');
  },
);
