import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { HandsetSocket } from '../../src/cli/handset-socket.ts';
import { tone } from '../support/tones.ts';

let server: WebSocketServer;
let url: string;

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/media/handset`;
});

afterEach(async () => {
  for (const client of server.clients) client.terminate();
  await new Promise((resolve) => server.close(resolve));
});

interface Arrival {
  readonly token: string;
  readonly socket: WebSocket;
}

/** The next socket that the phone opens, and that it has begun with its first frame. */
async function arrival(): Promise<Arrival> {
  const [socket, request] = (await once(server, 'connection')) as [WebSocket, { url: string }];
  const [first] = (await once(socket, 'message')) as [Buffer];
  expect(JSON.parse(first.toString())).toEqual({ type: 'start', sampleRate: 8000 });
  return { socket, token: request.url.split('/').at(-1) as string };
}

const tell = (socket: WebSocket, frame: object) => socket.send(JSON.stringify(frame));

/** The phone is on, at its first socket. */
async function switchedOn() {
  const arrived = arrival();
  const opened = HandsetSocket.open(`${url}/first`, '+15005552800');
  const { socket, token } = await arrived;
  expect(token).toBe('first');
  tell(socket, { type: 'ready', resumeToken: 'again-1' });
  return { phone: await opened, socket };
}

describe("the command line's phone", () => {
  test('comes back with its last token when its socket breaks, and goes on with its call', async () => {
    const { phone, socket } = await switchedOn();
    tell(socket, { type: 'answered', peer: '+15005550198' });
    await phone.next('answered');
    let isOver = false;
    void phone.ended.then(() => (isOver = true));
    const soon = arrival();
    socket.terminate();
    const early = await soon;
    expect(early.token).toBe('again-1');
    // The carrier is not yet in that process: the token is still good.
    const later = arrival();
    tell(early.socket, { type: 'error', code: 'not_yet', message: 'try again' });
    early.socket.close(1013);
    const back = await later;
    expect(back.token).toBe('again-1');
    tell(back.socket, { type: 'ready', resumeToken: 'again-2', inCall: true });
    await expect.poll(() => heardBy(back.socket, phone)).toBeGreaterThan(0);
    expect(isOver).toBe(false);
    tell(back.socket, { type: 'ended', reason: 'completed' });
    expect(await phone.ended).toBe('completed');
  });

  test('is over when the service does not know its token any more', async () => {
    const { phone, socket } = await switchedOn();
    const soon = arrival();
    socket.terminate();
    tell((await soon).socket, { type: 'error', code: 'unknown_token', message: 'no such token' });
    expect(await phone.ended).toBe('no such token');
  });

  test('has hung up when it is told to while it has no connection', async () => {
    const { phone, socket } = await switchedOn();
    socket.terminate();
    await once(socket, 'close');
    await expect.poll(() => server.clients.size).toBe(0);
    phone.hangup();
    expect(await phone.ended).toBe('hung up');
  });
});

/** Frames with sound that arrive of what the phone says. */
async function heardBy(socket: WebSocket, phone: HandsetSocket): Promise<number> {
  let loud = 0;
  const listen = (data: Buffer, isBinary: boolean) => {
    if (isBinary && data.some((byte) => byte !== 0)) loud++;
  };
  socket.on('message', listen);
  await phone.handset.say(tone(700, 200)).spoken;
  socket.off('message', listen);
  return loud;
}
