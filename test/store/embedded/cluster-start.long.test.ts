import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beginCluster, readyCluster } from '../../../src/store/embedded/cluster-start.ts';

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-cluster-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('the files of a new database are made while the service loads, once', () =>
  inFolder(async (folder) => {
    const dataDir = join(folder, 'data');
    await beginCluster(dataDir, 1);
    // initdb runs by now and has not ended.
    expect(await readdir(dataDir)).toEqual([expect.stringMatching(/^postgres\.draft-/)]);
    const { clusterDir } = await readyCluster(dataDir, 1);
    await access(join(clusterDir, 'PG_VERSION'));
    expect(await readdir(dataDir)).toEqual(['postgres']);
  }));

test('a folder that cannot be used is told of when its database is wanted, and tried anew after that', () =>
  inFolder(async (folder) => {
    const dataDir = join(folder, 'data');
    await writeFile(dataDir, 'a file');
    await beginCluster(dataDir, 1);
    await rm(dataDir);
    await expect(readyCluster(dataDir, 1)).rejects.toMatchObject({ code: 'EEXIST' });
    const { clusterDir } = await readyCluster(dataDir, 1);
    await access(join(clusterDir, 'PG_VERSION'));
  }));
