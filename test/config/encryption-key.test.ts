import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/config.ts';
import { openSealer } from '../../src/config/encryption-key.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-key-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const KEY = 'a phrase of the operator';

test('a key is made once, kept, and readable by its owner alone', async () => {
  const dataDir = join(root, 'made/here');
  const sealed = (await openSealer({ dataDir })).seal('secret', 'team');
  const path = join(dataDir, 'encryption.key');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await chmod(path, 0o644);
  expect((await openSealer({ dataDir })).open(sealed, 'team')).toBe('secret');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(sealed).not.toContain((await readFile(path, 'utf8')).trim());
});

test('a configured key is used instead, and no file is made', async () => {
  const config = parseConfig({ ENCRYPTION_KEY: KEY, DATA_DIR: join(root, 'none') });
  const sealed = (await openSealer(config)).seal('secret', 'team');
  await expect(stat(config.dataDir)).rejects.toThrow('ENOENT');
  const next = parseConfig({ ENCRYPTION_KEY: `the key from now on, ${KEY}` });
  expect((await openSealer(next)).open(sealed, 'team')).toBe('secret');
});

test('a key that is too short is refused without showing it', () => {
  expect(() => parseConfig({ ENCRYPTION_KEY: 'short-key' })).toThrow(
    /ENCRYPTION_KEY: the value must/,
  );
  expect(() => parseConfig({ ENCRYPTION_KEY: 'short-key' })).not.toThrow(/short-key/);
});

test('an empty key file is refused: its secrets would be sealed with nothing', async () => {
  await writeFile(join(root, 'encryption.key'), '\n');
  await expect(openSealer({ dataDir: root })).rejects.toThrow('is empty');
});
