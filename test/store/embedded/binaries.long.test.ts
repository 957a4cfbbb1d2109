import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, copyFile, link, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findServerAccount } from '../../../src/store/embedded/account.ts';
import {
  type Binaries,
  locateServerPackage,
  prepareBinaries,
  type ServerPackage,
} from '../../../src/store/embedded/binaries.ts';

const PROGRAMS = ['postgres', 'initdb'];

let root = '';
let unpacked: ServerPackage;
let made: Binaries | undefined;

/** The package as npm unpacks it without install scripts: no links, perhaps no execute permissions. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-test-binaries-'));
  const installed = await locateServerPackage();
  const links: { target: string }[] = JSON.parse(
    await readFile(join(installed.dir, 'native/pg-symlinks.json'), 'utf8'),
  );
  const skipped = new Set(links.map(({ target }) => join(installed.dir, target)));
  const dir = join(root, 'package');
  await mkdir(dir);
  const programs = PROGRAMS.map((name) => join(installed.dir, 'native/bin', name));
  for (const entry of await readdir(installed.dir, { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name);
    const path = join(dir, relative(installed.dir, source));
    if (entry.isDirectory()) await mkdir(path, { recursive: true });
    else if (programs.includes(source)) await copyFile(source, path);
    // The other 50 MB are the same files, where both are on one disk.
    else if (!skipped.has(source)) await link(source, path).catch(() => copyFile(source, path));
  }
  for (const name of PROGRAMS) await chmod(join(dir, 'native/bin', name), 0o644);
  unpacked = { dir, version: `test-${randomUUID()}` };
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
  if (made && !made.postgres.startsWith(root)) {
    await rm(join(made.postgres, '../../..'), { recursive: true, force: true });
  }
  made = undefined;
});

async function versionOf(program: string): Promise<string> {
  const account = await findServerAccount(root);
  const { stdout } = await promisify(execFile)(program, ['--version'], {
    cwd: '/',
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  });
  return stdout;
}

test('a package whose install script did not run is repaired in place', async () => {
  await chmod(root, 0o755);
  made = await prepareBinaries(unpacked, await findServerAccount(root));
  expect(made.postgres.startsWith(unpacked.dir)).toBe(true);
  expect(await versionOf(made.postgres)).toMatch(/^postgres \(PostgreSQL\) \d+/);
  expect(await versionOf(made.initdb)).toMatch(/^initdb \(PostgreSQL\) \d+/);
});

// Only root runs the server as another user.
test.runIf(process.getuid?.() === 0)(
  'a package in a folder that is closed to the server is copied, once',
  async () => {
    await chmod(root, 0o700);
    const account = await findServerAccount(root);
    made = await prepareBinaries(unpacked, account);
    expect(made.postgres.startsWith(unpacked.dir)).toBe(false);
    expect(await versionOf(made.postgres)).toMatch(/^postgres \(PostgreSQL\) \d+/);
    expect(await prepareBinaries(unpacked, account)).toEqual(made);
  },
);
