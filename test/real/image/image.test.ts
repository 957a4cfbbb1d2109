import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';

const IMAGE = process.env.IMAGE_UNDER_TEST ?? '';
const DEBIAN = process.env.IMAGE_BASE ?? '';
const ROOT = resolve(import.meta.dirname, '../../..');
const QUESTION = join(ROOT, 'fixtures/audio/ask-what-you-can-do.wav');
const KEY = 'key-of-the-image-key-of-the-image';
/** `debian:bookworm-slim`, which lacks the manuals and languages that ours has, is of this size. */
const SLIM_MB = 75;

const buildah = (...args: string[]) => execFileSync('buildah', args, { encoding: 'utf8' }).trim();
const out = mkdtempSync(join(tmpdir(), 'parley-image-'));
let container = '';
let port = 0;

beforeAll(async () => {
  container = buildah('from', IMAGE);
  port = await freePort();
});

afterAll(() => {
  for (const { pid } of processes()) process.kill(pid, 'SIGKILL');
  buildah('rm', container);
  rmSync(out, { recursive: true });
});

const { config } = JSON.parse(buildah('inspect', '--type', 'image', IMAGE)).Docker;

interface Running {
  /** Of the service. */
  readonly pid: number;
  /** Asks it to end as an operator does; resolves to its exit code. */
  stop(): Promise<number | null>;
  /** Kills all of its processes at once, as the end of a container does. */
  kill(): Promise<void>;
}

/** Runs what the image says. */
async function start(): Promise<Running> {
  const settings = ['--env', `PORT=${port}`, '--env', `API_KEY=${KEY}`];
  const command = ['--', ...config.Entrypoint, ...config.Cmd];
  const child = spawn('buildah', ['run', ...settings, container, ...command], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  await eventually(
    async () => expect((await fetch(`http://127.0.0.1:${port}/livez`)).ok).toBe(true),
    { timeoutMs: 120_000 },
  );
  const find = (name: string) => processes().find((one) => one.name === name)?.pid ?? Number.NaN;
  return {
    pid: find('node'),
    async stop() {
      process.kill(find('tini'), 'SIGTERM');
      const [code] = await ended;
      return code;
    },
    async kill() {
      for (const { pid } of processes()) process.kill(pid, 'SIGKILL');
      await ended;
    },
  };
}

/** Those of the container, known by its API key. */
function processes(): readonly { readonly pid: number; readonly name: string }[] {
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return pids.flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`API_KEY=${KEY}`))
        return [];
      const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
      return [{ pid: Number(pid), name: name.startsWith('node') ? 'node' : name }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

const call = (...more: string[]) =>
  execFileSync(
    process.execPath,
    [
      join(ROOT, 'src/cli/call.ts'),
      QUESTION,
      '--url',
      `http://127.0.0.1:${port}`,
      '--key',
      KEY,
      ...more,
    ],
    { encoding: 'utf8' },
  );

const calls = async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/calls/v1/conversations`, {
    headers: { authorization: `Bearer ${KEY}` },
  });
  return ((await answer.json()) as { readonly conversations: readonly unknown[] }).conversations;
};

test('is no larger than 350 MB on a slim Debian', () => {
  const bytesOf = (image: string) => {
    const used = buildah('from', image);
    try {
      const [bytes] = execFileSync('du', ['-sb', buildah('mount', used)], {
        encoding: 'utf8',
      }).split('	');
      return Number(bytes) / 1e6;
    } finally {
      buildah('rm', used);
    }
  };
  const addedMb = bytesOf(IMAGE) - bytesOf(DEBIAN);
  console.log({ addedMb });
  expect(SLIM_MB + addedMb).toBeLessThanOrEqual(350);
});

test('holds a call, runs as nobody in particular, ends when it is told to and keeps its data', async () => {
  const first = await start();
  expect(call('--out', join(out, 'first'))).toContain('The call is finished');
  const status = readFileSync(`/proc/${first.pid}/status`, 'utf8');
  expect(status).toMatch(/^Uid:\t10001\t10001\t10001/m);
  expect(await first.stop()).toBe(0);

  const second = await start();
  expect(await calls()).toHaveLength(1);
  // Killed like a machine without power: what was written is there.
  await second.kill();

  const third = await start();
  expect(await calls()).toHaveLength(1);
  expect(call('--out', join(out, 'third'))).toContain('The call is finished');
  expect(await third.stop()).toBe(0);
});

test('writes nowhere but to its volume and to temporary files', () => {
  const root = buildah('mount', container);
  const written = execFileSync(
    'find',
    [
      root,
      '-xdev',
      '-user',
      '10001',
      '-not',
      '-path',
      `${root}/data*`,
      '-not',
      '-path',
      `${root}/tmp/*`,
    ],
    { encoding: 'utf8' },
  );
  expect(written).toBe('');
});
