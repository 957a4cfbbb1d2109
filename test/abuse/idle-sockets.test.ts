import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { PhoneRig } from '../support/phone-rig.ts';

let rig: PhoneRig;
let numberId: string;
const idle: WebSocket[] = [];

beforeAll(async () => {
  rig = await PhoneRig.start();
  const path = '/assistants/v1/numbers/emulator';
  ({ _id: numberId } = await rig.ask<{ _id: string }>('POST', path, { number: '+15005550171' }));
  const { _id: assistantId } = await rig.ask<{ _id: string }>('POST', '/assistants/v1/assistants', {
    name: 'Phone',
    welcomeMessage: 'Hello.',
  });
  await rig.ask('PUT', `/assistants/v1/numbers/${numberId}`, { assistantId });
});
afterAll(async () => {
  for (const socket of idle) socket.terminate();
  await rig?.[Symbol.asyncDispose]();
});

const socketUrl = (path: string) => rig.url.replace(/^http/, 'ws') + path;

/** Opens sockets that say nothing, not even an answer to a close, each with a token that nobody issued. */
async function openIdle(path: string, count: number): Promise<void> {
  const opened = Array.from({ length: count }, async (_, index) => {
    const socket = new WebSocket(socketUrl(`${path}/nobodys-token-${index}`), {
      localAddress: '127.0.0.66',
    });
    socket.on('error', () => undefined);
    idle.push(socket);
    await once(socket, 'open');
    socket.pause();
  });
  await Promise.all(opened);
}

async function firstWordOf(url: string): Promise<unknown> {
  const socket = new WebSocket(url);
  idle.push(socket);
  const firstWord = once(socket, 'message');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'start', sampleRate: 16_000 }));
  return JSON.parse(String((await firstWord)[0]));
}

test('300 idle sockets on the web path keep no caller out', async () => {
  await openIdle('/media/web', 300);
  const { webCall } = await rig.ask<{ webCall: { url: string } }>(
    'POST',
    '/calls/v1/conversations/connect',
    { direction: 'inbound', assistant: { name: 'Web', welcomeMessage: 'Hello.' } },
  );
  expect(await firstWordOf(webCall.url)).toMatchObject({ type: 'ready' });
});

test('260 idle sockets on a carrier’s path keep no phone call out', async () => {
  await openIdle('/media/twilio', 260);
  const carrier = rig.carrier('twilio');
  const { number } = await rig.addNumber(carrier, { welcomeMessage: 'Hello.' });
  const call = await carrier.call({ from: '+15005550399', to: number });
  await call.connected;
  const loudMs = () =>
    call.handset.tracks.speaker.read().filter((sample) => Math.abs(sample) > 200).length / 8;
  await expect.poll(loudMs).toBeGreaterThan(100);
  expect(call.sockets).toBe(1);
  call.hangup();
  await call.ended;
});

test('70 idle sockets on the handsets’ path keep no handset out', async () => {
  await openIdle('/media/handset', 70);
  const { url } = await rig.ask<{ url: string }>('POST', '/calls/v1/handsets', {});
  expect(await firstWordOf(url)).toMatchObject({ type: 'ready' });
});
