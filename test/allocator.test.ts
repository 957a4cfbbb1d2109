import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALLOCATOR, HEAP_FLAGS } from '../src/allocator.mjs';

const ENDED_THREADS = join(import.meta.dirname, 'support/ended-threads.ts');

let folder: string;
let program: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-allocator-'));
  program = join(folder, 'program.mjs');
  const module = new URL('../src/allocator.mjs', import.meta.url).href;
  const told = '{ args: process.argv.slice(2), flags: process.execArgv, env: process.env }';
  await writeFile(
    program,
    `import { applyAllocatorSettings } from '${module}';
applyAllocatorSettings();
const told = ${told};
if (process.send) process.send(told); else console.log(JSON.stringify(told));`,
  );
});
afterAll(() => rm(folder, { recursive: true }));

async function run(env: Readonly<Record<string, string>>) {
  const args = ['--no-deprecation', program, 'one', 'two'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as { args: unknown; flags: unknown; env: Record<string, string> };
}

const onLinux = test.runIf(process.platform === 'linux' && 'execve' in process);

onLinux('a process gets the settings of the allocator, and keeps all else', async () => {
  const told = await run({ OWN: 'kept' });
  expect(told).toMatchObject({
    args: ['one', 'two'],
    flags: ['--no-deprecation', ...HEAP_FLAGS],
  });
  expect(told.env).toEqual({ OWN: 'kept', ...ALLOCATOR });
});

onLinux("the operator's settings of the allocator stand", async () => {
  const env = { MALLOC_ARENA_MAX: '2' };
  expect(await run(env)).toMatchObject({ env, flags: ['--no-deprecation', ...HEAP_FLAGS] });
});

test.runIf(HEAP_FLAGS.length > 0)('threads that have ended leave no memory behind', async () => {
  const held = async (flags: readonly string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, ENDED_THREADS]);
    return JSON.parse(stdout) as { pages: number };
  };
  const [without, withFlags] = [await held([]), await held(HEAP_FLAGS)];
  expect(withFlags.pages).toBeLessThan(without.pages - 50);
});

test('a process that its parent talks to keeps its channel', async () => {
  const child = fork(program, { env: {} });
  const [told] = (await once(child, 'message')) as [{ env: Record<string, string> }];
  expect(Object.keys(told.env).filter((name) => name.startsWith('MALLOC_'))).toEqual([]);
});
