import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EmulatedCarrier } from '../../src/carriers/emulator/emulated-carrier.ts';
import type { NumberSetup } from '../../src/contract/number-setup.ts';
import { startLocalServer } from '../support/local-server.ts';
import { PhoneRig } from '../support/phone-rig.ts';

const PATH = '/assistants/v1/numbers';
describe('the set-up of a number, at emulated carriers', () => {
  const open = new AsyncDisposableStack();
  let rig: PhoneRig;
  /** Answers at the public address of the service; undefined: it breaks off. */
  let status: number | undefined;
  let publicUrl: string;
  beforeAll(async () => {
    const site = await startLocalServer((_, response) => {
      if (status === undefined) response.destroy();
      else response.writeHead(status).end();
    });
    open.use(site);
    publicUrl = site.url;
    rig = open.use(await PhoneRig.start({ PUBLIC_URL: publicUrl }));
  });
  afterAll(() => open.disposeAsync());

  const carrierOf = (name: string) =>
    rig.carriers.find((carrier) => carrier.name === name) as EmulatedCarrier;
  const statesOf = async (id: string) => {
    const { status, body } = await rig.json<NumberSetup>('GET', `${PATH}/${id}/setup`);
    expect(status).toBe(200);
    return Object.fromEntries(body.checks.map(({ check, state }) => [check, state]));
  };
  const messageOf = async (id: string, name: string) => {
    const { body } = await rig.json<NumberSetup>('GET', `${PATH}/${id}/setup`);
    return body.checks.find(({ check }) => check === name)?.message;
  };
  const imported = async (name: string, number: string, credentials: object) => {
    const { status, body } = await rig.json<{ _id: string }>('POST', `${PATH}/${name}`, {
      ...{ number, credentials },
    });
    expect(status).toBe(201);
    return body._id;
  };
  const answers = async (numberId: string) => {
    const assistant = { name: 'Desk', assistantProvider: 'offline' };
    const { body } = await rig.json<{ _id: string }>(
      'POST',
      '/assistants/v1/assistants',
      assistant,
    );
    await rig.json('PUT', `${PATH}/${numberId}`, { assistantId: body._id });
  };

  test.each(['twilio', 'telnyx'])('at %s follows each step', async (name) => {
    const carrier = carrierOf(name);
    const number = name === 'twilio' ? '+15005550141' : '+15005550142';
    carrier.addNumber(number, { voiceUrl: '', smsUrl: '' });
    // The import enters the service's address.
    const id = await imported(name, number, carrier.credentials);
    expect(await statesOf(id)).toEqual({
      ...{ credentials: 'ok', address: 'failed', number: 'ok', webhook: 'ok' },
      ...{ assistant: 'failed', inbound: 'ok', signature: 'todo', arrival: 'todo' },
    });
    await answers(id);
    expect(await statesOf(id)).toMatchObject({ assistant: 'ok' });

    expect(await messageOf(id, 'address')).toMatch(`${publicUrl} does not answer: `);
    status = 502;
    expect(await messageOf(id, 'address')).toBe(
      `${publicUrl} does not answer: the answer has the status 502.`,
    );
    status = 200;
    expect(await messageOf(id, 'address')).toMatch(`${publicUrl} answers, but is not https`);
    expect(await statesOf(id)).toMatchObject({ address: 'todo' });
    status = undefined;

    // Somebody enters another address at the carrier.
    carrier.addNumber(number, {
      voiceUrl: 'https://elsewhere.example/voice',
      smsUrl: 'https://elsewhere.example/sms',
    });
    expect(await messageOf(id, 'webhook')).toBe(
      `They go to https://elsewhere.example/voice instead of ${publicUrl}/carriers/${name}/voice.`,
    );

    const forged = await fetch(`${rig.url}/carriers/${name}/voice`, {
      method: 'POST',
      ...(name === 'twilio'
        ? {
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            body: new URLSearchParams({ To: number, From: '+15005550100', CallSid: 'CA1' }),
          }
        : {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({
              data: {
                event_type: 'call.initiated',
                payload: { to: number, from: '+15005550100', direction: 'incoming' },
              },
            }),
          }),
    });
    expect(forged.status).toBe(403);
    expect(await statesOf(id)).toMatchObject({ signature: 'failed', arrival: 'todo' });
  });

  test('at asterisk tells a listener from none, and a wrong password', async () => {
    const carrier = carrierOf('asterisk');
    const id = await imported('asterisk', '+15005550143', carrier.credentials);
    await expect
      .poll(() => statesOf(id))
      .toEqual({
        ...{ credentials: 'ok', listening: 'ok', assistant: 'failed', inbound: 'ok' },
        arrival: 'todo',
      });
    const wrong = { ...carrier.credentials, password: 'wrong' };
    const other = await imported('asterisk', '+15005550144', wrong);
    expect(await statesOf(other)).toMatchObject({ credentials: 'failed', listening: 'todo' });
  });

  test('notes the call that arrives, over the connection to asterisk', async () => {
    const { status, body } = await rig.json<{ _id: string }>('POST', `${PATH}/asterisk`, {
      number: '+15005550145',
      credentials: carrierOf('asterisk').credentials,
    });
    expect(status).toBe(201);
    await answers(body._id);
    const carrier = carrierOf('asterisk');
    carrier.addNumber('+15005550145', { voiceUrl: `${rig.url}/`, smsUrl: '' });
    const call = await carrier.call({ from: '+15005550199', to: '+15005550145' });
    await expect.poll(() => statesOf(body._id)).toMatchObject({ arrival: 'ok', listening: 'ok' });
    call.hangup();
  });
});
