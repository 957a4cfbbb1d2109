import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { explainStart } from '../../src/service/explain-start.ts';
import { QueryFailedError } from '../../src/store/errors.ts';
import { isLong } from '../support/effort.ts';

const systemError = (code: string) => Object.assign(new Error(`${code}: no`), { code });
const queryError = (state: string) => new QueryFailedError('said the database', state, undefined);

test.each<[unknown, RegExp]>([
  [systemError('EROFS'), /read-only: set DATA_DIR/],
  [systemError('EACCES'), /may not do what it needs/],
  [systemError('ENOSPC'), /disk is full/],
  [systemError('EADDRINUSE'), /set PORT/],
  [queryError('28P01'), /refused the password in DATABASE_URL/],
  [queryError('28000'), /refused the user in DATABASE_URL/],
  [queryError('3D000'), /does not exist/],
  [queryError('42501'), /may not make the tables/],
  [queryError('XX001'), /restore a backup/],
])('%s is a sentence', (error, sentence) => {
  expect(explainStart(error)).toMatch(sentence);
  expect(explainStart(error)).not.toContain('\n');
});

test('what nobody foresaw keeps its trace', () => {
  expect(explainStart(queryError('42601'))).toContain('\n    at ');
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-start-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The error line that a failed start prints. */
async function failedStart(env: Record<string, string>): Promise<string> {
  const main = join(import.meta.dirname, '../../src/start.mjs');
  const options = { env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent', ...env }, cwd: folder };
  try {
    await promisify(execFile)(process.execPath, [main], options);
  } catch (error) {
    return (error as { stderr: string }).stderr.trim();
  }
  throw new Error('it started');
}

test.runIf(isLong)('a database that is damaged ends the start in a sentence', async () => {
  await mkdir(join(folder, 'data', 'postgres'), { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'data', 'postgres', 'PG_VERSION'), '18\n');
  const said = await failedStart({ DATA_DIR: join(folder, 'data') });
  expect(said).toMatch(/did not start: .*restore a backup/);
  expect(said).not.toContain('    at ');
});

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'a DATA_DIR on a read-only file system ends the start in a sentence',
  async () => {
    const disk = join(folder, 'disk');
    await mkdir(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
    try {
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      const said = await failedStart({ DATA_DIR: disk });
      expect(said).toMatch(/read-only: set DATA_DIR/);
      expect(said).not.toContain('    at ');
    } finally {
      execFileSync('umount', [disk]);
    }
  },
);
