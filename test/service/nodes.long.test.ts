import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { WebCaller } from '../../src/cli/web-caller.ts';
import type { Call } from '../../src/contract/call.ts';
import { NatsServer, natsMissing } from '../support/nats-server.ts';
import { type TestDatabase, testDatabase } from '../support/postgres.ts';
import { installedServer } from '../support/postgres-server.ts';
import { dial } from '../support/service-call.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

/** More than the headers of a recording: an encrypted one has its own before that of the sound. */
const HEADERS_BYTES = 1000;

describe.skipIf(!installedServer())('several services on one database', () => {
  let folder: string;
  let database: TestDatabase;
  let receiver: WebhookReceiver;
  const services: ServiceProcess[] = [];
  const callers: WebCaller[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-nodes-'));
    database = await testDatabase('server');
    receiver = await startWebhookReceiver();
  });

  afterEach(async () => {
    for (const caller of callers.splice(0)) caller.close();
    await Promise.all(services.splice(0).map((service) => service.stop()));
    await receiver[Symbol.asyncDispose]();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    if (!('connectionString' in database.connection)) throw new Error('a server has a URL');
    const service = await startTestService(folder, {
      DATABASE_URL: database.connection.connectionString,
      ENCRYPTION_KEY: 'one key for all of the services',
      ALLOW_PRIVATE_TARGETS: 'true',
      ...env,
    });
    services.push(service);
    return service;
  }

  async function call(service: ServiceProcess, socketAt = service) {
    const { _id: assistantId } = await service.json<{ _id: string }>('/assistants/v1/assistants', {
      method: 'POST',
      body: {
        name: 'Ada',
        welcomeMessage: 'Hello there.',
        assistantServer: { enabled: true, url: receiver.url, messages: ['status-update'] },
      },
    });
    const { id, caller, said } = await dial(service, { assistantId }, { socketAt });
    callers.push(caller);
    await expect.poll(() => said).toHaveLength(1);
    return { id, said, caller, path: `/calls/v1/conversations/${id}` };
  }

  /** Waits until sound of a call is on the disk: a process that is frozen before has recorded nothing. */
  async function untilRecorded(id: string): Promise<void> {
    const bytes = async () => {
      const names = await readdir(folder, { recursive: true });
      const name = names.find((one) => one.endsWith(`${id}.wav`));
      return name === undefined ? 0 : (await stat(join(folder, name))).size;
    };
    await expect.poll(bytes).toBeGreaterThan(HEADERS_BYTES);
  }

  const control = (service: ServiceProcess, path: string, type: string, message = '') =>
    service.json(`${path}/control`, { method: 'POST', body: { type, message } });

  test('one that starts leaves the calls of the other alone; the one that is killed has its calls ended by the other', async () => {
    const endsAtOnce = { RESUME_SECONDS: '0' };
    const a = await start(endsAtOnce);
    const live = await call(a);
    const b = await start(endsAtOnce);
    const own = await call(b);
    expect(await b.json<Call>(live.path)).toMatchObject({ status: 'ongoing' });
    await control(a, live.path, 'say', 'Still here.');
    await expect.poll(() => live.said.join()).toContain('Still here.');

    await a.kill();
    await expect
      .poll(() => b.json<Call>(live.path))
      .toMatchObject({ status: 'finished', endReason: 'service-restarted' });
    await receiver.until(() =>
      receiver.of(live.id).some(({ message }) => message.status === 'finished'),
    );
    expect(await b.json<Call>(own.path)).toMatchObject({ status: 'ongoing' });
  });

  test('a call opened at one and answered at the other is controlled, listened to and resumed at either', async () => {
    await isOneService(await start(), await start());
  });

  test.runIf(natsMissing === '')(
    `so it is between machines, over NATS, which may go and come back${natsMissing}`,
    async () => {
      await using nats = await NatsServer.start();
      const [a, b] = [await start({ BUS_URL: nats.url }), await start({ BUS_URL: nats.url })];
      await isOneService(a, b);
      const { path, said, caller } = await call(a, b);
      await nats.kill();
      await expect(control(a, path, 'say', 'Unheard.')).rejects.toThrow('503');
      await nats.comeBack();
      await expect
        .poll(() =>
          control(a, path, 'say', 'Heard.').then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      await expect.poll(() => said.join()).toContain('Heard.');
      expect(said.join()).not.toContain('Unheard.');
      await control(b, path, 'end');
      expect(await caller.ended).toMatchObject({ reason: 'ended-by-control' });
    },
  );

  /** A call at `b` that `a` has opened. */
  async function isOneService(a: ServiceProcess, b: ServiceProcess): Promise<void> {
    const { id, path, said, caller } = await call(a, b);

    await control(a, path, 'say', 'Said through the other.');
    await expect.poll(() => said.join()).toContain('Said through the other.');

    const { url } = await a.json<{ url: string }>(`${path}/listen`, { method: 'POST', body: {} });
    const listener = new WebSocket(url);
    const heard: { type?: string; callId?: string; bytes?: number }[] = [];
    listener.on('message', (data: Buffer, isBinary: boolean) =>
      heard.push(isBinary ? { bytes: data.length } : JSON.parse(String(data))),
    );
    await expect.poll(() => heard[0]).toMatchObject({ type: 'format', callId: id });
    await expect.poll(() => heard.some(({ bytes }) => bytes)).toBe(true);

    caller.drop();
    await caller.resume(a.url.replace(/^http/, 'ws'));
    await control(b, path, 'say', 'Welcome back.');
    await expect.poll(() => said.join()).toContain('Welcome back.');

    const listened = once(listener, 'close');
    await control(a, path, 'end');
    expect(await caller.ended).toMatchObject({ reason: 'ended-by-control' });
    await listened;
    expect(heard.at(-1)).toMatchObject({ type: 'ended' });
    await expect.poll(() => a.json<Call>(path)).toMatchObject({ status: 'finished' });
    await expect(control(a, path, 'say', 'Too late.')).rejects.toThrow('409');
  }

  test('a process that was frozen until its call was ended harms nothing when it wakes', async () => {
    const endsAtOnce = { RESUME_SECONDS: '0' };
    const [a, b] = [await start(endsAtOnce), await start(endsAtOnce)];
    const { id, path, caller } = await call(a);
    await untilRecorded(id);
    a.freeze(true);
    await expect
      .poll(() => b.json<Call>(path))
      .toMatchObject({ status: 'finished', endReason: 'service-restarted' });
    await receiver.until(() =>
      receiver
        .of(id)
        .some(({ type, message }) => type === 'status-update' && message.status === 'finished'),
    );
    // What was recorded of an interrupted call is known a little after its end.
    await expect.poll(() => b.json<Call>(path)).toHaveProperty('recording');
    const before = await b.json<Call>(path);
    a.freeze(false);
    // Its first line of the call is refused, and ends the call there.
    const metrics = async () => (await fetch(`${a.url}/metrics`)).text();
    await caller.ended;
    await expect.poll(metrics).toMatch(/^parley_calls_live 0$/m);
    expect(await b.json<Call>(path)).toEqual(before);
    const recording = await fetch(`${b.url}${path}/recording`, {
      headers: { authorization: `Bearer ${b.key}` },
    });
    expect((await recording.arrayBuffer()).byteLength).toBe(before.recording?.bytes);
    expect(
      receiver
        .of(id)
        .filter(({ type, message }) => type === 'status-update' && message.status === 'finished'),
    ).toHaveLength(1);
  }, 90_000);

  test('a call whose process does not answer is not controlled, and says so', async () => {
    const [a, b] = [await start(), await start()];
    const { path } = await call(a);
    a.freeze(true);
    await expect(control(b, path, 'say', 'Hello?')).rejects.toThrow('503');
    a.freeze(false);
    await control(b, path, 'say', 'Hello!');
  });
});
