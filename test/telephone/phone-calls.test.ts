import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  EmulatedCall,
  EmulatedCarrier,
} from '../../src/carriers/emulator/emulated-carrier.ts';
import type { Call } from '../../src/contract/call.ts';
import { PhoneRig } from '../support/phone-rig.ts';

let rig: PhoneRig;
beforeAll(async () => {
  rig = await PhoneRig.start();
}, 60_000);
afterAll(() => rig?.[Symbol.asyncDispose](), 30_000);

const USER = '+15005550100';

describe.each(['twilio'] as const)('%s', (name) => {
  let carrier: EmulatedCarrier;
  let numberId: string;
  const number = '+15005550199';

  beforeAll(async () => {
    carrier = rig.carriers.find((candidate) => candidate.name === name) as EmulatedCarrier;
    const assistant = await rig.ask<{ _id: string }>('POST', '/assistants/v1/assistants', {
      name: 'Phone',
      welcomeMessage: 'Hello, you have reached the bicycle shop. How can I help you today?',
    });
    const webhooks = {
      voiceUrl: `${rig.url}/carriers/${name}/voice`,
      smsUrl: `${rig.url}/carriers/${name}/sms`,
    };
    carrier.addNumber(number, webhooks);
    const imported = await rig.ask<{ _id: string }>('POST', `/assistants/v1/numbers/${name}`, {
      number,
      label: 'main',
      credentials: carrier.credentials,
    });
    numberId = imported._id;
    await rig.ask('PUT', `/assistants/v1/numbers/${numberId}`, { assistantId: assistant._id });
  });

  test('an inbound call is answered, heard, and hung up by the caller', async () => {
    const call = await carrier.call({ from: USER, to: number });
    await call.connected;
    await heard(call, 1000);
    call.hangup();
    await call.ended;
    const record = await finished(USER);
    expect(record).toMatchObject({
      callType: 'phone',
      direction: 'inbound',
      status: 'finished',
      phoneCallStatus: 'completed',
      endReason: 'user-hung-up',
      userNumber: USER,
      assistantNumber: number,
    });
    expect(call.handset.refusals).toEqual([]);
  });
});

/** Resolves when the far end has so much audio of the service to play, or has played it. */
async function heard(call: EmulatedCall, ms: number): Promise<void> {
  await expect.poll(() => loudMs(call), { timeout: 15_000 }).toBeGreaterThan(ms);
}

function loudMs(call: EmulatedCall): number {
  return call.handset.tracks.speaker.read().filter((sample) => Math.abs(sample) > 200).length / 8;
}

async function finished(userNumber: string): Promise<Call> {
  const list = async () => {
    const path = `/calls/v1/conversations?userNumber=${encodeURIComponent(userNumber)}`;
    const page = await rig.ask<{ conversations: Call[] }>('GET', path);
    return page.conversations[0];
  };
  await expect.poll(async () => (await list())?.status, { timeout: 10_000 }).toBe('finished');
  return (await list()) as Call;
}
