import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseWav } from '../../src/audio/parse-wav.ts';
import { S3Bucket } from '../../src/storage/s3-bucket.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { dial } from '../support/service-call.ts';
import { SERVICE_KEY, type ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

interface Ended {
  readonly status: string;
  readonly recording?: { readonly bytes: number };
}

const WITHIN = { timeout: 60_000 };

let folder: string;
let server: S3Server;
let bucket: S3Bucket;
let service: ServiceProcess;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-bucket-'));
  server = await startS3Server();
  bucket = new S3Bucket(server.access);
});
afterEach(async () => {
  await service?.stop();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const start = (env: Readonly<Record<string, string>> = {}) =>
  startTestService(folder, {
    LOG_LEVEL: 'fatal',
    STORAGE_URL: `s3://${server.access.bucket}/${server.access.prefix}`,
    AWS_ENDPOINT_URL: server.access.endpoint as string,
    AWS_ACCESS_KEY_ID: server.access.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.access.secretAccessKey,
    ...env,
  });

const ask = (path: string, init: RequestInit = {}) =>
  fetch(service.url + path, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${SERVICE_KEY}` },
  });

/** Holds a call for a moment, does something meanwhile, and returns its path. */
async function hold(during: () => Promise<void> = async () => undefined) {
  const call = await dial(service, { assistant: { name: 'Ada', backgroundSound: 'enable' } });
  const heard = () => call.caller.tracks.speaker.length;
  await expect.poll(heard).toBeGreaterThan(16_000);
  await during();
  const since = heard();
  await expect.poll(heard).toBeGreaterThan(since + 16_000);
  call.caller.hangup();
  const path = `/calls/v1/conversations/${call.id}`;
  const ended = () => service.json<Ended>(path);
  await expect.poll(async () => (await ended()).recording?.bytes ?? 0, WITHIN).toBeGreaterThan(44);
  return { id: call.id, path, bytes: (await ended()).recording?.bytes };
}

const files = () => readdir(join(folder, 'data', 'recordings'));

test('a call whose storage is away loses nothing: its recording waits, and is kept and deleted there', async () => {
  service = await start();
  const { id, path, bytes } = await hold(() => server.pause());
  // Before the storage is back the recording is read from the disk.
  expect(await files()).toContain(`${id}.wav`);
  expect((await ask(`${path}/recording`)).status).toBe(200);

  await server.resume();
  const key = `recordings/${id}.wav`;
  await expect.poll(() => bucket.size(key), WITHIN).toBe(bytes);
  await expect.poll(files, WITHIN).not.toContain(`${id}.wav`);
  const whole = Buffer.from(await (await ask(`${path}/recording`)).arrayBuffer());
  expect(whole.length).toBe(bytes);
  expect(parseWav(whole).channels).toHaveLength(2);
  const part = await ask(`${path}/recording`, { headers: { range: 'bytes=100-199' } });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(100, 200))).toBe(true);

  const redirected = await ask(`${path}/recording?redirect=true`, { redirect: 'manual' });
  expect(redirected.status).toBe(302);
  const linked = await fetch(redirected.headers.get('location') as string);
  expect(Buffer.from(await linked.arrayBuffer()).equals(whole)).toBe(true);

  expect((await ask(path, { method: 'DELETE' })).status).toBe(200);
  await expect.poll(() => bucket.size(key), WITHIN).toBeUndefined();
});

test('what is encrypted is encrypted there too, and is read through the service alone', async () => {
  service = await start({ ENCRYPT_CALLS: 'true' });
  const { id, path, bytes } = await hold();
  const key = `recordings/${id}.wav`;
  await expect.poll(() => bucket.size(key), WITHIN).toBeGreaterThan(bytes as number);
  await expect.poll(files, WITHIN).not.toContain(`${id}.wav`);
  expect(String(await bucket.read(key, { first: 0, last: 5 }))).toBe('PARLEY');
  const sent = await ask(`${path}/recording?redirect=true`, { redirect: 'manual' });
  expect(sent.status).toBe(200);
  const wav = Buffer.from(await sent.arrayBuffer());
  expect(wav.length).toBe(bytes);
  expect(parseWav(wav).channels).toHaveLength(2);
});

test('an uploaded file is kept there, and read and deleted there', async () => {
  service = await start();
  const body = new FormData();
  body.set('file', new Blob(['We are open from nine to five.']), 'hours.txt');
  const response = await ask('/kb/v1/files', { method: 'POST', body });
  const { id } = (await response.json()) as { readonly id: string };
  await expect.poll(() => bucket.size(`files/${id}`), WITHIN).toBe(30);
  expect(await readdir(join(folder, 'data', 'files'))).toEqual(['incoming']);
  const content = await ask(`/kb/v1/files/${id}/content`);
  expect(await content.text()).toBe('We are open from nine to five.');
  const linked = await ask(`/kb/v1/files/${id}/content?redirect=true`);
  expect(linked.headers.get('content-disposition')).toContain('hours.txt');
  expect(await linked.text()).toBe('We are open from nine to five.');
  await ask(`/kb/v1/files/${id}`, { method: 'DELETE' });
  await expect.poll(() => bucket.size(`files/${id}`), WITHIN).toBeUndefined();
});
