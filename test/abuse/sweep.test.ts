import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createContract, operationsOf } from '../../src/contract/contract.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import type { JsonSchema } from '../../src/contract/openapi-schema.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { testVendors } from '../support/api.ts';
import { isLong } from '../support/effort.ts';
import fc from '../support/properties.ts';
import { arbitraryOf } from '../support/schema-arbitrary.ts';
import { dial, type ServiceCall } from '../support/service-call.ts';
import { OPERATOR_KEY, SERVICE_KEY, type ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';
import { worstBodies } from './worst-bodies.ts';

/** Computing longer than this at a stretch keeps the frames of every call waiting. */
const MAX_STRETCH_MS = 100;
const SEED = 7;

/** In `npm test` each operation gets some of what is tried, the next one others. */
const someOf = <Tried>(all: readonly Tried[], at: number) =>
  isLong ? all : all.filter((_, i) => (i + at) % Math.min(8, all.length) === 0);

const operations = operationsOf(createContract(testVendors));
const document = JSON.parse(JSON.stringify(openApiDocument(operations)));
const components: Record<string, JsonSchema> = document.components.schemas;

let service: ServiceProcess;
let folder: string;
let probeFile: string;
let call: ServiceCall;
let hostile: ServiceCall;
let framesAtStart = 0;
/** A resource of each collection, by its path. */
const ids = new Map<string, string>();

function bodySchemaOf({ path, method }: Operation): JsonSchema {
  return document.paths[path][method.toLowerCase()].requestBody.content['application/json'].schema;
}

async function send(method: string, path: string, body?: string | Buffer | FormData) {
  const key = path.startsWith('/admin/') ? OPERATOR_KEY : SERVICE_KEY;
  const response = await fetch(service.url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined || body instanceof FormData
        ? {}
        : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, text: await response.text() };
}

/** The longest stretches that the service's main thread computed since this was last asked. */
async function stretches(): Promise<readonly number[]> {
  const text = await readFile(probeFile, 'utf8');
  await writeFile(probeFile, '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Number(line.split(' ')[1]));
}

const worstOf = async () => Math.max(0, ...(await stretches()));

/** A place of the right kind, or none. */
function addressOf({ path }: Operation): string {
  return path.replaceAll(/\{\w+\}/g, (parameter, offset: number) => {
    const collection = path.slice(0, offset - 1).replaceAll(/\{\w+\}/g, '{}');
    return encodeURIComponent(ids.get(collection) ?? `no-${parameter.slice(1, -1)}`);
  });
}

/** Makes one of everything, from the first bodies that the operations take. */
async function furnish(): Promise<void> {
  for (const operation of operations) {
    const { method, path, body } = operation;
    if (method !== 'POST' || !body || /\{|connect|sms|twilio|telnyx/.test(path)) continue;
    const bodies = arbitraryOf(bodySchemaOf(operation), components);
    for (const sample of fc.sample(bodies, { numRuns: 15, seed: SEED })) {
      const { status, text } = await send(method, path, JSON.stringify(sample));
      if (status >= 300) continue;
      const made = JSON.parse(text) as { _id?: string; id?: string };
      ids.set(path, made._id ?? made.id ?? 'none');
      break;
    }
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-sweep-'));
  probeFile = join(folder, 'stretches');
  await writeFile(probeFile, '');
  service = await startTestService(folder, {
    ADMIN_KEY: OPERATOR_KEY,
    LOOP_PROBE_FILE: probeFile,
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'loop-probe.ts')).href}`,
    LOG_LEVEL: 'error',
  });
  const assistant = await service.json<{ _id: string }>('/assistants/v1/assistants', {
    method: 'POST',
    body: { name: 'Victim', backgroundSound: 'enable', idleTimeout: 600 },
  });
  call = await dial(service, { assistantId: assistant._id });
  hostile = await dial(service, { assistantId: assistant._id });
  await furnish();
  ids.set('/calls/v1/conversations', hostile.id);
  framesAtStart = call.caller.tracks.speaker.length;
  await stretches();
});

afterAll(async () => {
  call?.caller.hangup();
  hostile?.caller.hangup();
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('the operator’s operations are there, and open to what they are tried with', async () => {
  expect(ids.get('/admin/v1/teams')).toMatch(/./);
  const read = operations.filter(({ role, method }) => role === 'operator' && method === 'GET');
  expect(read.length).toBeGreaterThan(3);
  for (const operation of read)
    expect
      .soft(await send('GET', addressOf(operation)), operation.id)
      .toMatchObject({ status: 200 });
});

describe('no operation lets a request hold up a call', () => {
  const bodied = operations.filter(({ body }) => body !== undefined);
  test.each(bodied.map((operation, at) => [operation.id, operation, at] as const))(
    '%s: the worst bodies within the limit',
    async (_id, operation, at) => {
      const schema = bodySchemaOf(operation);
      const [valid] = fc.sample(arbitraryOf(schema, components), { numRuns: 1, seed: SEED });
      const address = addressOf(operation);
      for (const { name, text } of someOf(worstBodies(schema, components, valid), at)) {
        const { status } = await send(operation.method, address, text);
        expect.soft(status, name).toBeLessThan(500);
        expect.soft(await worstOf(), name).toBeLessThan(MAX_STRETCH_MS);
      }
    },
  );

  test.each(operations.map((operation, at) => [operation.id, operation, at] as const))(
    '%s: the worst addresses within the limit',
    async (_id, operation, at) => {
      for (const pattern of someOf(['a', '%20', ',', '+1', '-', '%7B%7B'], at)) {
        const long = pattern.repeat(Math.floor(6000 / pattern.length));
        const path = operation.path.replaceAll(/\{\w+\}/g, long.slice(0, 190));
        const names = Object.keys(operation.query?.shape ?? {});
        const query = names.map((name) => `${name}=${long.slice(0, 6000 / names.length)}!`);
        const { status } = await send(
          operation.method,
          `${path}?${query.join('&')}`,
          operation.body ? '{}' : undefined,
        );
        expect.soft(status, pattern).toBeLessThan(500);
      }
      expect.soft(await worstOf()).toBeLessThan(MAX_STRETCH_MS);
    },
  );

  test
    .runIf(isLong)
    .each(
      operations.flatMap((operation) =>
        operation.upload ? [[operation.id, operation, operation.upload.part] as const] : [],
      ),
    )('%s: the worst files', async (_id, operation, part) => {
    const files: [name: string, content: string][] = [
      ['comments.txt', `${'<!---->'.repeat(60)}x`],
      ['deep.json', '['.repeat(500_000) + ']'.repeat(500_000)],
      ['wide.csv', `${'a,'.repeat(400_000)}\n${'1,'.repeat(400_000)}`],
      ['marks.md', '*_['.repeat(100_000)],
      // Deeper ones occupy a reader of files for its whole time: test/knowledge/hostile-files.test.ts.
      ['deep.html', '<div>'.repeat(10_000)],
    ];
    for (const [name, content] of someOf(files, 3)) {
      const form = new FormData();
      form.set(part, new Blob([content]), name);
      const { status } = await send(operation.method, addressOf(operation), form);
      expect.soft(status, name).toBeLessThan(500);
      expect.soft(await worstOf(), name).toBeLessThan(MAX_STRETCH_MS);
    }
  });

  test('the media socket: the worst frames within the limit', async () => {
    const connected = await service.json<{ webCall: { url: string } }>(
      '/calls/v1/conversations/connect',
      { method: 'POST', body: { direction: 'inbound', assistant: { name: 'Hostile' } } },
    );
    const socket = new WebSocket(connected.webCall.url);
    await new Promise((resolve) => socket.once('open', resolve));
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    socket.send('{"type":"start","sampleRate":16000}');
    const size = 60_000;
    for (const frame of [
      '['.repeat(size),
      JSON.stringify({ type: 'text', text: 'a'.repeat(size) }),
      JSON.stringify({ type: 'text', text: '. '.repeat(size / 2) }),
      JSON.stringify({ type: 'text', text: '{{a}}'.repeat(size / 5) }),
      JSON.stringify({ type: 'dtmf', digit: '1'.repeat(size) }),
    ])
      socket.send(frame);
    // Frames are taken in order: the line that closes has had them all.
    socket.send('{"type":"hangup"}');
    await closed;
    expect(await worstOf()).toBeLessThan(MAX_STRETCH_MS);
  });
});

test('and the call that ran meanwhile is alive, and was heard all along', async () => {
  const { status } = await service.json<{ status: string }>(`/calls/v1/conversations/${call.id}`);
  expect(status).toBe('ongoing');
  expect(call.errors).toEqual([]);
  expect(call.caller.tracks.speaker.length).toBeGreaterThan(framesAtStart);
});
