import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseWav } from '../../src/audio/parse-wav.ts';
import type { WebCaller } from '../../src/cli/web-caller.ts';
import type { Call } from '../../src/contract/call.ts';
import { readRecording } from '../support/recordings.ts';
import { dial } from '../support/service-call.ts';
import { SERVICE_KEY, ServiceProcess } from '../support/service-process.ts';

let folder: string;
let service: ServiceProcess | undefined;
let caller: WebCaller | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-kill-'));
});

afterEach(async () => {
  caller?.close();
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('killed in the middle of a call: what was said, acknowledged and recorded is there after the restart', async () => {
  service = await ServiceProcess.start(folder);
  const [assistant] = await service.json<readonly { _id: string }[]>('/assistants/v1/assistants');
  const call = await dial(service, { assistantId: assistant?._id });
  caller = call.caller;
  await expect.poll(() => call.said).toHaveLength(1);
  await caller.say(readRecording('what-your-country-can-do.wav', 16_000)).spoken;
  await expect.poll(() => call.said.length).toBeGreaterThanOrEqual(2);
  await service.json(`/calls/v1/conversations/${call.id}/control`, {
    method: 'POST',
    body: { type: 'add-message', message: 'acknowledged before the end' },
  });
  const read = () => (service as ServiceProcess).json<Call>(`/calls/v1/conversations/${call.id}`);
  const hasNote = ({ messages }: Call) => messages.some(({ role }) => role === 'system');
  await expect.poll(async () => hasNote(await read())).toBe(true);
  const before = await read();
  await service.kill();

  service = await ServiceProcess.start(folder, { RESUME_SECONDS: '0' });
  const after = await read();
  expect(after).toMatchObject({ status: 'finished', endReason: 'service-restarted' });
  const ids = ({ messages }: Call) => messages.map(({ messageId }) => messageId);
  expect(ids(after).slice(0, ids(before).length)).toEqual(ids(before));
  const recording = await fetch(`${service.url}/calls/v1/conversations/${call.id}/recording`, {
    headers: { authorization: `Bearer ${SERVICE_KEY}` },
  });
  expect(recording.status).toBe(200);
  const { channels, sampleRateHz } = parseWav(new Uint8Array(await recording.arrayBuffer()));
  expect(channels).toHaveLength(2);
  expect(channels[0].length / sampleRateHz).toBeGreaterThan(5);
});
