import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { docSamples } from '../support/doc-samples.ts';
import { isLong } from '../support/effort.ts';
import { installLibraries, sampleEnvironment, serveTenLines } from '../support/library-folder.ts';
import { sharedService } from '../support/shared-service.ts';

const MOST_WEB_BYTES = 15_000;
let installed: Awaited<ReturnType<typeof installLibraries>>;
let service: Awaited<ReturnType<typeof sharedService>>;
/** A folder with both packages and nothing else. */
let folder: string;

beforeAll(async () => {
  installed = await installLibraries();
  folder = installed.folder;
  service = await sharedService();
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await installed[Symbol.asyncDispose]();
});

test('the sample of the client runs in an empty folder, and its types are right', async () => {
  const [sample = ''] = docSamples('client.md', 'ts');
  const file = join(folder, 'sample.ts');
  await writeFile(file, sample);
  const types = createRequire(import.meta.url).resolve('@types/node/package.json');
  const compiler = join(import.meta.dirname, '../../node_modules/.bin/tsc');
  const options = ['--strict', '--noEmit', '--target', 'ES2024', '--module', 'NodeNext'];
  const { stdout: faults } = await promisify(execFile)(
    compiler,
    [file, '--ignoreConfig', ...options, '--typeRoots', join(types, '../..'), '--types', 'node'],
    { cwd: folder },
  ).catch((error: { stdout: string }) => error);
  expect(faults).toBe('');
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    env: { PATH: process.env.PATH ?? '', ...(await sampleEnvironment(service)) },
  });
  expect(stdout).toContain('made Front desk\n');
  expect(stdout).toContain('there is Front desk\n');
  expect(stdout).toMatch(/^refused 404 \S.*$/m);
});

test('a wrong request does not compile', async () => {
  const file = join(folder, 'wrong.ts');
  const lines = [
    `import { Client } from '@parley/client';`,
    `const client = new Client({ baseUrl: '' });`,
    `await client.call('getAssistant', { path: { name: 'x' } });`,
    `await client.call('getNobody');`,
  ];
  await writeFile(file, lines.join('\n'));
  const compiler = join(import.meta.dirname, '../../node_modules/.bin/tsc');
  const options = ['--strict', '--noEmit', '--target', 'ES2024', '--module', 'NodeNext'];
  const refused = await promisify(execFile)(
    compiler,
    [file, '--ignoreConfig', ...options, '--lib', 'ES2024,DOM', '--types', ''],
    { cwd: folder },
  ).catch((error: { stdout: string }) => error);
  expect(refused.stdout.match(/wrong\.ts\(\d+/g)).toEqual(['wrong.ts(3', 'wrong.ts(4']);
});

test('the web package is small, and comes with nothing else', async () => {
  const web = join(folder, 'node_modules/@parley/web');
  const scripts = (await readdir(web)).filter((name) => name.endsWith('.js'));
  const bytes = await Promise.all(
    scripts.map(async (name) => gzipSync(await readFile(join(web, name))).length),
  );
  expect(scripts).toHaveLength(3);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_WEB_BYTES);
  expect(await readdir(join(folder, 'node_modules'))).toEqual(['.package-lock.json', '@parley']);
});

const title = chromiumPath
  ? 'the page of ten lines'
  : 'the page of ten lines (skipped: no Chromium is installed)';

describe.skipIf(!chromiumPath)(title, () => {
  test.runIf(isLong)('hears the assistant and writes down what it says', async () => {
    const [page = ''] = docSamples('web.md', 'html');
    expect(page.match(/<script.*<\/script>/s)?.[0].split('\n').length).toBeLessThan(11);
    await using site = await serveTenLines(folder, service);
    await using browser = await openChromium();
    const view = await browser.context.newPage();
    const complaints: string[] = [];
    view.on('pageerror', (error) => complaints.push(String(error)));
    await view.goto(site.url);
    await view.click('button');
    await view.locator('ol', { hasText: 'assistant: Hello, I am the speech guide' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
