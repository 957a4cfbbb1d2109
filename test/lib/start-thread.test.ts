import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startThread } from '../../src/lib/start-thread.ts';

const SRC = resolve(import.meta.dirname, '../../src');

function answerOf<Answer>(code: string): Promise<Answer> {
  const entry = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const thread = startThread(entry);
  onTestFinished(async () => void (await thread.terminate()));
  return new Promise((found, failed) => {
    thread.once('message', found);
    thread.once('error', failed);
  });
}

describe('a thread of the service', () => {
  test('does not see the environment', async () => {
    process.env.SECRET_OF_A_TEST = 'hidden';
    onTestFinished(() => void delete process.env.SECRET_OF_A_TEST);
    const names = await answerOf<string[]>(
      `import { parentPort } from 'node:worker_threads';
       parentPort.postMessage(Object.keys(process.env));`,
    );
    expect(names.filter((name) => name !== 'NODE_COMPILE_CACHE')).toEqual([]);
  });

  test('loads TypeScript, and a package whose modules import each other by path', async () => {
    const column = await answerOf<string>(
      `import { parentPort } from 'node:worker_threads';
       import { calls } from ${JSON.stringify(`file://${SRC}/store/schema/calls.ts`)};
       parentPort.postMessage(calls.id.name);`,
    );
    expect(column).toBe('id');
  });
});

test('a start keeps what it compiles where nobody else can write', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(SRC, 'start.mjs'),
    '--help',
  ]);
  expect(stdout).toContain('Usage: npm start');
  const folder = resolve(SRC, '../node_modules/.cache/parley');
  expect((await readdir(folder, { recursive: true })).length).toBeGreaterThan(10);
  expect((await stat(folder)).mode & 0o022).toBe(0);
});
