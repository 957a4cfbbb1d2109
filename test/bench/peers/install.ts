import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { VERSIONS } from './livekit/packages.ts';

const run = promisify(execFile);
const INSTALL_MS = 10 * 60_000;

/**
 * The folder with the peer's packages, outside of the repository; installed if it is not there yet. They are no dependency of
 * the project, and weigh some 500 MB.
 */
export async function installPeer(): Promise<string> {
  const wanted = JSON.stringify(VERSIONS);
  const key = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `parley-bench-peers-${key}`);
  if (existsSync(folder)) return folder;
  console.log('installing LiveKit Agents for Node from npm, some 500 MB');
  const partial = `${folder}.${process.pid}`;
  try {
    await mkdir(partial);
    const manifest = { private: true, type: 'module', dependencies: VERSIONS };
    await writeFile(join(partial, 'package.json'), JSON.stringify(manifest, undefined, 2));
    // One plugin names an earlier version of the others than the newest.
    const flags = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--omit=dev'];
    await run('npm', ['install', ...flags], {
      cwd: partial,
      timeout: INSTALL_MS,
      // Without the libraries for graphics cards, which a script would fetch.
      env: {
        ...process.env,
        ONNXRUNTIME_NODE_INSTALL: 'skip',
        ONNXRUNTIME_NODE_INSTALL_CUDA: 'skip',
      },
    });
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new Error(`LiveKit Agents could not be installed from npm: ${stderr || message}`);
  }
  return folder;
}
