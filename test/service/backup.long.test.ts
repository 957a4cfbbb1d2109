import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceClient } from '../../src/cli/service-client.ts';
import { S3Bucket } from '../../src/storage/s3-bucket.ts';
import { serviceDatabaseUrl } from '../support/postgres.ts';
import { installedServer } from '../support/postgres-server.ts';
import { startS3Server } from '../support/s3-server.ts';
import { SERVICE_KEY, ServiceProcess } from '../support/service-process.ts';
import { openCall, readCall } from '../support/short-call.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const BACKUPS = join(ROOT, 'fixtures/backups');

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-backup-'));
});
afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 3 }));

/** Runs a command on the data of this folder, as a user does. */
async function run(
  command: 'backup' | 'restore',
  folder: string,
  { data, env = {} }: { readonly data: string; readonly env?: Readonly<Record<string, string>> },
  ...flags: readonly string[]
): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, `src/cli/${command}.ts`), folder, ...flags],
    {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', DATA_DIR: join(data, 'data'), ...env },
      timeout: 100_000,
    },
  );
  return stdout;
}

const started = async (folder: string, env: Readonly<Record<string, string>> = {}) => {
  const service = await ServiceProcess.start(folder, env);
  return { service, client: new ServiceClient(service.url, service.key) };
};

async function finished(client: ServiceClient, id: string) {
  await expect.poll(async () => (await client.getCall(id)).status).toBe('finished');
  await expect.poll(async () => (await client.getCall(id)).recording).toBeDefined();
  return readCall(client, id);
}

async function holdCall(service: ServiceProcess, text: string): Promise<string> {
  const call = await openCall(service);
  await call.welcomed;
  call.say(text);
  await call.hangUp();
  return call.id;
}

test('a backup of a live service has every call; what was deleted since does not come back', async () => {
  const home = await mkdtemp(join(root, 'old-'));
  const backup = join(root, 'backup');
  const first = await started(home);
  const kept = await holdCall(first.service, 'my word is marzipan');
  const deleted = await holdCall(first.service, 'my word is saffron');
  const before = await finished(first.client, kept);
  await finished(first.client, deleted);
  const live = await openCall(first.service);
  await live.welcomed;

  expect(await run('backup', backup, { data: home })).toMatch(/has 3 calls, \d+ files and the key/);
  expect((await stat(backup)).mode & 0o077).toBe(0);
  await expect(run('backup', backup, { data: home })).rejects.toThrow('is not empty');
  await expect(run('restore', backup, { data: home })).rejects.toThrow('already has a team');
  await first.service.json(`/calls/v1/conversations/${deleted}`, { method: 'DELETE' });
  await live.hangUp();
  expect(await finished(first.client, kept)).toEqual(before);
  await first.service.stop();
  await rename(join(home, 'data/recordings'), join(home, 'elsewhere'));

  const anew = await mkdtemp(join(root, 'new-'));
  await cp(join(home, 'data/deleted-calls'), join(anew, 'data/deleted-calls'), { recursive: true });
  expect(await run('restore', backup, { data: anew })).toMatch(/^restored 3 calls/);
  const second = await started(anew);
  try {
    expect(await readCall(second.client, kept)).toEqual(before);
    await expect
      .poll(() => second.client.getCall(deleted).catch(({ message }) => message))
      .toMatch(/404/);
    await expect
      .poll(async () => readdir(join(anew, 'data/recordings'), { recursive: true }))
      .not.toContainEqual(expect.stringContaining(deleted));
    // Its service is gone, as after a crash.
    await expect.poll(async () => (await second.client.getCall(live.id)).status).toBe('finished');
    // Positions and numbers go on where they were.
    const next = await holdCall(second.service, 'my word is nutmeg');
    expect((await finished(second.client, next)).transcript).toContain('nutmeg');
  } finally {
    await second.service.stop();
  }
});

test('what is kept in a bucket is in the backup, and comes back to another bucket or to the disk', async () => {
  const server = await startS3Server();
  const envOf = (prefix: string) => ({
    STORAGE_URL: `s3://${server.access.bucket}/${prefix}`,
    AWS_ENDPOINT_URL: server.access.endpoint ?? '',
    AWS_ACCESS_KEY_ID: server.access.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.access.secretAccessKey,
  });
  const bucketOf = (prefix: string) => new S3Bucket({ ...server.access, prefix });
  try {
    const home = await mkdtemp(join(root, 'bucket-'));
    const backup = join(root, 'of-a-bucket');
    const first = await started(home, envOf('old'));
    const id = await holdCall(first.service, 'my word is cardamom');
    const before = await finished(first.client, id);
    const file = await uploadFile(first.service, 'We are open from nine to five.');
    const keys = [`recordings/${id}.wav`, `files/${file}`];
    for (const key of keys) await expect.poll(() => bucketOf('old').size(key)).toBeGreaterThan(0);
    const recordings = join(home, 'data/recordings');
    await expect.poll(() => readdir(recordings)).not.toContain(`${id}.wav`);

    // Away at first: what is there of the backup is no backup, and is gone on with.
    await server.pause();
    await expect(run('backup', backup, { data: home, env: envOf('old') })).rejects.toThrow();
    const anew = await mkdtemp(join(root, 'bucket-new-'));
    await expect(run('restore', backup, { data: anew })).rejects.toThrow('not finished');
    await server.resume();
    expect(await run('backup', backup, { data: home, env: envOf('old') })).toMatch(/has 1 calls/);
    expect(await readdir(backup)).not.toContain('unfinished');
    const without = join(root, 'without-bucket');
    expect(
      await run('backup', without, { data: home, env: envOf('old') }, '--without-bucket'),
    ).toContain('the bucket is not in it');
    expect(await readdir(without)).not.toContain('bucket');
    await first.service.stop();
    await Promise.all(keys.map((key) => bucketOf('old').remove(key)));

    for (const env of [envOf('new'), undefined]) {
      const data = await mkdtemp(join(root, 'bucket-back-'));
      expect(await run('restore', backup, { data, ...(env ? { env } : {}) })).toMatch(/1 calls/);
      for (const key of keys)
        expect(await bucketOf('new').size(key)).toEqual(env ? expect.any(Number) : undefined);
      const { service, client } = await started(data, env);
      try {
        expect(await readCall(client, id)).toEqual(before);
        const content = await fetch(`${service.url}/kb/v1/files/${file}/content`, {
          headers: { authorization: `Bearer ${service.key}` },
        });
        expect(await content.text()).toBe('We are open from nine to five.');
      } finally {
        await service.stop();
      }
      await Promise.all(keys.map((key) => bucketOf('new').remove(key)));
    }
  } finally {
    await server.close();
  }
});

async function uploadFile(service: ServiceProcess, text: string): Promise<string> {
  const body = new FormData();
  body.set('file', new Blob([text]), 'hours.txt');
  const response = await fetch(`${service.url}/kb/v1/files`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${service.key}` },
  });
  return ((await response.json()) as { readonly id: string }).id;
}

test('a backup that was not finished is refused', async () => {
  const data = await mkdtemp(join(root, 'none-'));
  await expect(run('restore', join(root, 'nothing'), { data })).rejects.toThrow(
    'is no backup, or one that was not finished',
  );
});

/** Backups of released versions, made by `record.ts` there. */
const versions = (await readdir(BACKUPS)).filter((name) => /^\d/.test(name));

test.each(versions)('data of version %s is upgraded, and every call of it is read', (version) =>
  expectEveryCall(join(BACKUPS, version), {}),
);

const noServer = installedServer() ? '' : ' (none is installed in /usr/lib/postgresql)';
test.skipIf(noServer !== '')(
  `and so into a Postgres server, with a key of its own${noServer}`,
  async () => {
    const DATABASE_URL = (await serviceDatabaseUrl()) ?? '';
    const backup = join(BACKUPS, versions.at(-1) as string);
    const data = await mkdtemp(join(root, 'newer-'));
    await expect(run('restore', backup, { data, env: { DATABASE_URL } })).rejects.toThrow(
      'the tables of a newer release than the backup',
    );
    const client = new pg.Client(DATABASE_URL);
    await client.connect();
    await client.query('drop schema public cascade; create schema public');
    await client.end();
    await expectEveryCall(backup, { DATABASE_URL });
  },
);

async function expectEveryCall(
  backup: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const data = await mkdtemp(join(root, 'upgraded-'));
  await run('restore', backup, { data, env });
  const { service, client } = await started(data, env);
  const known = JSON.parse(await readFile(join(backup, 'known.json'), 'utf8')) as {
    readonly calls: Readonly<Record<string, string>>;
  };
  try {
    const page = await service.json<{ conversations: { id: string }[] }>(
      '/calls/v1/conversations?size=100',
    );
    expect(page.conversations.map(({ id }) => id).toSorted()).toEqual(
      Object.keys(known.calls).toSorted(),
    );
    for (const [id, words] of Object.entries(known.calls)) {
      const { call, transcript, events, recording } = await readCall(client, id);
      expect(call.status).toBe('finished');
      expect(transcript).toContain(words);
      expect(events).toContain(words);
      expect(recording.length).toBeGreaterThan(10_000);
    }
  } finally {
    await service.stop();
  }
  expect(service.key).toBe(SERVICE_KEY);
}
