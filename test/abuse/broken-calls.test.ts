import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { probationDefaults } from '../../src/calls/probation.ts';
import type { EmulatedCarrier } from '../../src/carriers/emulator/emulated-carrier.ts';
import { createTwilioWire } from '../../src/carriers/emulator/twilio-wire.ts';
import { parseTwiml } from '../../src/carriers/emulator/twiml.ts';
import { signTwilio } from '../../src/carriers/twilio/signature.ts';
import type { ConnectedCall } from '../../src/client/api.generated.ts';
import { isLong } from '../support/effort.ts';
import { eventually } from '../support/eventually.ts';
import { PhoneRig } from '../support/phone-rig.ts';

/** As many as are let pass, and two more. */
const BROKEN = probationDefaults.brokenInARow + 2;
const CONNECT = '/calls/v1/conversations/connect';

let rig: PhoneRig;
let carrier: EmulatedCarrier<'twilio'>;
let number: string;
let arrivals = 0;

beforeAll(async () => {
  rig = await PhoneRig.start();
  carrier = rig.carrier('twilio') as EmulatedCarrier<'twilio'>;
  ({ number } = await rig.addNumber(carrier, { welcomeMessage: 'Hello.', idleTimeout: 600 }));
});
afterAll(() => rig?.[Symbol.asyncDispose](), 30_000);

const connect = () =>
  rig.json<ConnectedCall & { error?: string }>('POST', CONNECT, {
    ...{ direction: 'inbound', assistant: { name: 'A', recordingEnabled: false } },
  });

async function webCall(): Promise<WebSocket> {
  const { status, body } = await connect();
  if (status !== 201) throw new Error(`${status} ${body.error}`);
  const socket = new WebSocket(body.webCall?.url ?? '');
  await once(socket, 'open');
  socket.send('{"type":"start","sampleRate":8000}');
  await once(socket, 'message');
  return socket;
}

/** A caller whom the team's own account at Twilio brings: what the service says to it. */
async function arrive() {
  const callSid = `CA${String(++arrivals).padStart(32, '0')}`;
  const url = `${rig.url}/carriers/twilio/voice`;
  const form = new URLSearchParams({
    ...{ CallSid: callSid, CallStatus: 'ringing', Direction: 'inbound' },
    ...{ From: '+15005550100', To: number },
  });
  const { authToken } = carrier.credentials;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signTwilio(authToken, url, [...form]),
    },
    body: form.toString(),
  });
  const verbs = parseTwiml(await response.text());
  return { callSid, verb: typeof verbs === 'string' ? undefined : verbs[0] };
}

async function brokenPhoneCall(): Promise<void> {
  const { callSid, verb } = await eventually(async () => {
    const arrived = await arrive();
    if (arrived.verb?.verb !== 'connect-stream') throw new Error(JSON.stringify(arrived.verb));
    return { ...arrived, verb: arrived.verb };
  });
  const { accountSid } = carrier.credentials;
  const wire = createTwilioWire({ streamSid: 'MZ1', accountSid, callSid, parameters: {} });
  const socket = new WebSocket(verb.url);
  await once(socket, 'open');
  for (const frame of wire.start()) socket.send(frame);
  // The call has begun once its assistant speaks.
  await once(socket, 'message');
  socket.send('no frame of Twilio');
  const [code] = await once(socket, 'close');
  expect(code).toBe(1003);
}

/** Until the pauses end with an orderly call. */
async function makeGood(): Promise<void> {
  const socket = await eventually(webCall);
  socket.send('{"type":"hangup"}');
  await once(socket, 'close');
  await eventually(async () => {
    (await webCall()).send('{"type":"hangup"}');
    (await webCall()).send('{"type":"hangup"}');
  });
}

test.skipIf(isLong)(
  'web calls that break the protocol again and again make the next one wait, until one keeps it',
  async () => {
    for (let i = 0; i < BROKEN; i++) {
      const socket = await eventually(webCall);
      socket.send('{"type":"start","sampleRate":8000}');
      expect((await once(socket, 'close'))[0]).toBe(1008);
    }
    expect(await connect()).toMatchObject({ status: 429, body: { error: 'broken-calls' } });
    expect((await arrive()).verb).toMatchObject({ verb: 'reject', reason: 'busy' });
    await makeGood();
  },
);

test.runIf(isLong)('so do phone calls', async () => {
  for (let i = 0; i < BROKEN; i++) await brokenPhoneCall();
  expect((await arrive()).verb).toMatchObject({ verb: 'reject', reason: 'busy' });
  expect(await connect()).toMatchObject({ status: 429, body: { error: 'broken-calls' } });
  await makeGood();
});
