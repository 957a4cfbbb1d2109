import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Call } from '../../src/contract/call.ts';
import { rowsOf } from '../support/effort.ts';
import { dial, type ServiceCall } from '../support/service-call.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

const CALLS = 4;
/** Much longer than any wait in this test. */
const DRAIN_SECONDS = 60;

let folder: string;
let service: ServiceProcess;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-drain-'));
});

afterEach(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = (env: Readonly<Record<string, string>>) =>
  startTestService(folder, { DRAIN_SECONDS: `${DRAIN_SECONDS}`, ...env });
const path = (id: string) => `/calls/v1/conversations/${id}`;

describe.each(rowsOf({ usual: [2], long: [1] }))('a service of %i that is stopped', (processes) => {
  test('takes no more calls, lets those it has finish, and is gone when they are', async () => {
    service = await start({ PROCESSES: `${processes}` });
    const { _id: assistantId } = await service.json<{ _id: string }>('/assistants/v1/assistants', {
      method: 'POST',
      body: { name: 'Ada', welcomeMessage: 'Hello there.' },
    });
    const calls: ServiceCall[] = [];
    for (let i = 0; i < CALLS; i++) calls.push(await dial(service, { assistantId }));
    for (const { id } of calls)
      await expect.poll(async () => (await service.json<Call>(path(id))).status).toBe('ongoing');

    let isGone = false;
    const stopped = service.stop().then((code) => {
      isGone = true;
      return code;
    });
    const another = () => dial(service, { assistantId }).then(() => 'taken', String);
    await expect.poll(another).not.toBe('taken');
    // The calls continue: they can be controlled and heard.
    for (const { id } of calls)
      await service.json(`${path(id)}/control`, {
        method: 'POST',
        body: { type: 'say', message: 'Still here.' },
      });
    const heard = () => calls.every(({ said }) => said.join().includes('Still here.'));
    await expect.poll(heard).toBe(true);
    expect(isGone).toBe(false);
    for (const { caller } of calls) caller.hangup();
    // The process ended by itself: one that waited for the whole time would have been killed before.
    expect(await stopped).toBe(0);

    service = await start({ PROCESSES: '1', DRAIN_SECONDS: '1' });
    for (const { id } of calls) {
      const { status, endReason } = await service.json<Call>(path(id));
      expect({ status, endReason }).toEqual({ status: 'finished', endReason: 'user-hung-up' });
    }
  });
});
