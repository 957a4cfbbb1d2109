import { execFile } from 'node:child_process';
import { cp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const TIMEOUT_MS = 300_000;

/** Runs npm without the scripts of packages; returns what it prints. Rejects with its own words if it fails. */
export async function npm(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'npm',
    [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd, timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout;
}

/** Fixes the versions of all that the package installs to those of this project's lock file, without the network. */
export async function writeShrinkwrap(out: string): Promise<void> {
  const lock = join(out, 'package-lock.json');
  await cp(join(ROOT, 'package-lock.json'), lock);
  const options = ['--package-lock-only', '--offline', '--omit-lockfile-registry-resolved'];
  await npm(out, 'install', ...options);
  await rename(lock, join(out, 'npm-shrinkwrap.json'));
}
