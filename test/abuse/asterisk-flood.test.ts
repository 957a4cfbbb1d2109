import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { PhoneRig } from '../support/phone-rig.ts';

const EVENTS = 60_000;
/** Events that a server may send at once, and some more for the time that the test takes. */
const ALLOWED = 10_000;

/** An Asterisk of a team that means harm: each event is a call for a number that nobody has. */
async function startFlood() {
  let commands = 0;
  const server = createServer((_request, response) => {
    commands++;
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closes: { code: number; reason: string }[] = [];
  let connections = 0;
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    connections++;
    socket.on('close', (code, reason) => closes.push({ code, reason: reason.toString() }));
    socket.on('error', () => undefined);
    const send = (from: number) => {
      for (let i = from; i < from + 1000 && socket.readyState === socket.OPEN; i++)
        socket.send(
          JSON.stringify({
            type: 'StasisStart',
            args: ['inbound'],
            channel: { id: `x.${i}`, dialplan: { exten: `+1999${i}` }, caller: { number: '+1' } },
          }),
        );
      if (from + 1000 < EVENTS) setImmediate(() => send(from + 1000));
    };
    send(0);
  });
  const { port } = server.address() as AddressInfo;
  return {
    ariUrl: `http://127.0.0.1:${port}/ari`,
    closes,
    connections: () => connections,
    /** Requests to its REST interface. */
    commands: () => commands,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
      server.closeAllConnections();
    },
  };
}

test('an Asterisk that floods us with calls is closed with a reason and left alone, and others go on', async () => {
  await using flood = await startFlood();
  await using rig = await PhoneRig.start();
  const twilio = rig.carrier('twilio');
  const { number } = await rig.addNumber(twilio, { welcomeMessage: 'Hello.' });
  await rig.ask('POST', '/assistants/v1/numbers/asterisk', {
    number: '+15005550280',
    credentials: { ariUrl: flood.ariUrl, user: 'u', password: 'p' },
  });
  await expect.poll(flood.connections).toBe(1);
  // Called while the flood comes in; before, the service read on for minutes and answered nobody.
  const call = await twilio.call({ from: rig.person(), to: number });
  await call.connected;
  await expect.poll(() => flood.closes).toEqual([{ code: 1008, reason: 'too-many-messages' }]);
  // What it was asked for is bounded by what was read of it, and that by its allowance.
  expect(flood.commands()).toBeLessThan(ALLOWED);
  // It is not asked again at once.
  expect(flood.connections()).toBe(1);
});
