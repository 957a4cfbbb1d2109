import { on, once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import type { Call, ConnectedCall } from '../../src/contract/call.ts';
import { isLong } from '../support/effort.ts';
import { eventually } from '../support/eventually.ts';
import { sharedService } from '../support/shared-service.ts';

let service: Awaited<ReturnType<typeof sharedService>>;

beforeAll(async () => {
  service = await sharedService();
});

afterAll(() => service[Symbol.asyncDispose]());

/** A call that announces its recording by a real voice, whose far end then writes a line. */
async function announcedCall(line: string): Promise<Call> {
  const { id, webCall } = await service.json<ConnectedCall>('/calls/v1/conversations/connect', {
    method: 'POST',
    body: {
      direction: 'inbound',
      assistant: {
        name: 'Announcing',
        welcomeMessage: 'Hello.',
        recordingConsent: { announce: 'always', text: 'We record this.' },
      },
    },
  });
  const read = () => service.json<Call>(`/calls/v1/conversations/${id}`);
  const socket = new WebSocket(webCall?.url ?? '');
  const frames = on(socket, 'message');
  await once(socket, 'open');
  socket.on('message', (data, isBinary) => {
    const frame = isBinary ? {} : JSON.parse(String(data));
    if (frame.type === 'mark') socket.send(JSON.stringify({ type: 'played', mark: frame.mark }));
  });
  socket.send(JSON.stringify({ type: 'start', sampleRate: 16_000 }));
  await frames.next();
  await eventually(async () => expect((await read()).consent?.state).toBe('announced'));
  socket.send(JSON.stringify({ type: 'text', text: line }));
  await eventually(async () =>
    expect((await read()).messages.map(({ text }) => text)).toContain(line),
  );
  socket.send(JSON.stringify({ type: 'hangup' }));
  await eventually(async () => expect((await read()).usage.length).toBeGreaterThan(0));
  socket.close();
  return read();
}

test.runIf(isLong).concurrent('a call is recorded from its announcement on', async () => {
  const call = await announcedCall('When are you open?');
  expect(call.messages[0]?.text).toContain('We record this.');
  expect(call.consent).toMatchObject({ state: 'announced' });
  expect(call.recording?.durationMs).toBeGreaterThan(call.consent?.atMs ?? Infinity);
});

test
  .skipIf(isLong)
  .concurrent('a caller who refuses is not recorded, and what was recorded is gone', async () => {
    const call = await announcedCall('Please do not record this call.');
    expect(call.consent).toMatchObject({ state: 'refused' });
    expect(call.recording).toBeUndefined();
  });
