import { chmod, lstat, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeToOthers, isPrivateFolder } from '../../src/lib/private-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-private-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (path: string) => ((await lstat(path)).mode & 0o7777).toString(8);

test('what a former version or a restore left open is closed, but nothing behind a link', async () => {
  const recordings = join(folder, 'recordings');
  await mkdir(join(recordings, 'deep'), { recursive: true, mode: 0o755 });
  await writeFile(join(recordings, 'deep', 'a.wav'), '', { mode: 0o644 });
  await writeFile(join(folder, 'outside'), '', { mode: 0o644 });
  await chmod(join(folder, 'outside'), 0o644);
  await symlink(join(folder, 'outside'), join(recordings, 'link'));
  expect(await closeToOthers(recordings)).toBe(true);
  expect(await modeOf(recordings)).toBe('700');
  expect(await modeOf(join(recordings, 'deep'))).toBe('700');
  expect(await modeOf(join(recordings, 'deep', 'a.wav'))).toBe('600');
  expect(await modeOf(join(folder, 'outside'))).toBe('644');
});

test('a folder that is missing is made for its owner alone', async () => {
  expect(await closeToOthers(join(folder, 'new', 'deep'))).toBe(true);
  expect(await modeOf(join(folder, 'new'))).toBe('700');
  expect(await modeOf(join(folder, 'new', 'deep'))).toBe('700');
});

test('a folder that all users share keeps its mode', async () => {
  await chmod(folder, 0o1777);
  expect(await closeToOthers(folder)).toBe(false);
  expect(await modeOf(folder)).toBe('1777');
});

test('a private folder is a folder, ours, entered by nobody else, and no link to one', async () => {
  await chmod(folder, 0o700);
  expect(await isPrivateFolder(folder)).toBe(true);
  await symlink(folder, `${folder}-link`);
  expect(await isPrivateFolder(`${folder}-link`)).toBe(false);
  await rm(`${folder}-link`);
  await chmod(folder, 0o710);
  expect(await isPrivateFolder(folder)).toBe(false);
});
