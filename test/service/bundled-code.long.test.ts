import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freshBundle, makeBundle, wantsFiles } from '../../src/bundled-code.mjs';
import type { BundleInputs } from '../../src/lib/bundle-code.ts';
import { eventually } from '../support/eventually.ts';
import { SERVICE_KEY, ServiceProcess } from '../support/service-process.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Packages of which only parts are used that look for no file. */
const LOOK_BESIDE_THEMSELVES = ['pino', 'thread-stream'];
/** A process of low priority waits for all others. */
const BUNDLED_MS = 180_000;
const run = promisify(execFile);

let cache: string;
let bundle: string;

beforeAll(async () => {
  // Beneath the installation, where the bundle finds packages.
  cache = await mkdtemp(join(ROOT, 'node_modules/.cache/bundle-test-'));
  for (const earlier of ['1', '2', '3'])
    await mkdir(join(cache, 'bundles', earlier), { recursive: true });
  await Promise.all([makeBundle(cache), makeBundle(cache)]);
  bundle = freshBundle(cache) as string;
});

afterAll(() => rm(cache, { recursive: true, force: true }));

const inputsOf = async (folder: string): Promise<BundleInputs> =>
  JSON.parse(await readFile(join(folder, 'inputs.json'), 'utf8'));

describe('a bundle', () => {
  test('has nothing that fails as soon as it is loaded, in parts for later either', async () => {
    const parts = (await readdir(bundle)).filter(
      (name) => name.endsWith('.mjs') && name !== 'main.mjs',
    );
    expect(parts.length).toBeGreaterThan(10);
    const load = parts.map((name) => `await import(${JSON.stringify(join(bundle, name))});`);
    const { stdout } = await run(process.execPath, [
      ...['--input-type=module', '-e', `${load.join('')} console.log('loaded'); process.exit(0);`],
    ]);
    expect(stdout).toBe('loaded\n');
  });

  test('has no package in it that looks for files beside its code', async () => {
    const paths = (await inputsOf(bundle)).map(([path]) => resolve(bundle, path));
    const packages = paths.filter((path) => /\/node_modules\/.*js$/.test(path));
    expect(packages.length).toBeGreaterThan(300);
    const found = new Set<string>();
    for (const path of packages)
      if (/\b__(?:dir|file)name\b|import\.meta/.test(await readFile(path, 'utf8')))
        found.add(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path);
    expect([...found].toSorted()).toEqual(LOOK_BESIDE_THEMSELVES);
  });

  test('is not used once a file that went into it has changed or is gone', async () => {
    const other = await mkdtemp(join(ROOT, 'node_modules/.cache/bundle-test-'));
    onTestFinished(() => rm(other, { recursive: true, force: true }));
    await cp(cache, other, { recursive: true });
    const copy = freshBundle(other) as string;
    expect(copy.startsWith(other)).toBe(true);
    const [[path, changedAtMs, bytes] = ['', 0, 0], ...others] = await inputsOf(bundle);
    for (const input of [
      [path, changedAtMs + 1, bytes],
      [path, changedAtMs, bytes + 1],
      [`${path}.gone`, changedAtMs, bytes],
    ]) {
      await writeFile(join(copy, 'inputs.json'), JSON.stringify([input, ...others]));
      expect(freshBundle(other)).toBeUndefined();
    }
    await writeFile(join(copy, 'inputs.json'), '[["');
    expect(freshBundle(other)).toBeUndefined();
  });

  test('is made by one process at a time, and the last three are kept', async () => {
    const kept = await readdir(join(cache, 'bundles'));
    expect(kept.toSorted()).toEqual([basename(bundle), '2', '3'].toSorted());
  });
});

test('a process that is ended while it makes one leaves nothing in the way of the next', async () => {
  const other = await mkdtemp(join(ROOT, 'node_modules/.cache/bundle-test-'));
  onTestFinished(() => rm(other, { recursive: true, force: true }));
  const maker = spawn(process.execPath, [join(ROOT, 'src/bundled-code.mjs'), other]);
  const ended = once(maker, 'exit');
  const begun = () => readdir(join(other, 'bundles')).catch(() => []);
  await expect.poll(begun, { interval: 5 }).toEqual(['draft']);
  maker.kill();
  await ended;
  expect(await begun()).toEqual([]);
});

test('who watches, debugs or covers the code has it file by file', () => {
  expect(wantsFiles({ NODE_OPTIONS: '--max-old-space-size=900' }, ['--no-warnings'])).toBe(false);
  expect(wantsFiles({ NODE_OPTIONS: '--max-old-space-size=900 -r ./x.js' }, [])).toBe(true);
  expect(wantsFiles({ NODE_V8_COVERAGE: '/tmp/coverage' }, [])).toBe(true);
  for (const option of ['--inspect', '--import=./hook.mjs', '--watch'])
    expect(wantsFiles({}, [option]), option).toBe(true);
});

test(
  'a service that started with a bundle answers a call, and shows its console and its API',
  async () => {
    const own = join(ROOT, 'node_modules/.cache/parley');
    // Another service of the run may be about to make it, at low priority.
    const used = await eventually(
      async () => {
        if (!freshBundle(own)) await makeBundle(own);
        return freshBundle(own) ?? expect.fail('no bundle was made');
      },
      { timeoutMs: BUNDLED_MS },
    );
    const folder = await mkdtemp(join(tmpdir(), 'parley-bundle-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const service = await ServiceProcess.start(folder);
    onTestFinished(() => service.stop().then(() => undefined));
    for (const path of ['/console/', '/console/app.js', '/docs/', '/docs/js/scalar.js']) {
      const answer = await fetch(service.url + path);
      expect(answer.status, path).toBe(200);
      expect((await answer.text()).length, path).toBeGreaterThan(100);
    }
    const { stdout } = await run(process.execPath, [
      join(ROOT, 'src/cli/call.ts'),
      join(ROOT, 'fixtures/audio/what-your-country-can-do.wav'),
      ...[
        '--url',
        service.url,
        '--key',
        SERVICE_KEY,
        '--wait',
        '60',
        '--out',
        join(folder, 'call'),
      ],
    ]);
    expect(stdout).toMatch(/assistant {2}That is the wrong way round/);
    expect(await service.stop()).toBe(0);
    // What it compiled is beside the code that it ran.
    expect((await readdir(join(used, 'compiled'), { recursive: true })).length).toBeGreaterThan(10);
  },
  2 * BUNDLED_MS,
);
