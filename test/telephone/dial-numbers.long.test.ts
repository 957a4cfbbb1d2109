import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebCaller } from '../../src/cli/web-caller.ts';
import type { Call, ConnectedCall } from '../../src/contract/call.ts';
import { PhoneRig } from '../support/phone-rig.ts';

let rig: PhoneRig;
let assistantId: string;
beforeAll(async () => {
  rig = await PhoneRig.start();
  ({ _id: assistantId } = await rig.ask<{ _id: string }>('POST', '/assistants/v1/assistants', {
    name: 'Web',
    welcomeMessage: 'Hello.',
    assistantPredefinedTools: { callForward: true },
    callForwardData: { name: 'Anna', phoneNumber: '+15005550300' },
    warmTransferTimeout: 5,
  }));
});
afterAll(() => rig?.[Symbol.asyncDispose](), 30_000);

async function webCall() {
  const { id, webCall } = await rig.ask<ConnectedCall>('POST', '/calls/v1/conversations/connect', {
    direction: 'inbound',
    assistantId,
  });
  const caller = await WebCaller.connect({ url: webCall?.url ?? '', sampleRateHz: 16_000 });
  const read = () => rig.ask<Call>('GET', `/calls/v1/conversations/${id}`);
  await expect.poll(async () => (await read()).status).toBe('ongoing');
  const forward = () =>
    rig.json<{ message: string }>('POST', `/calls/v1/conversations/${id}/control`, {
      type: 'forward',
    });
  return { caller, read, forward };
}

test('a web call without a number is not put through to an imaginary telephone, until that was chosen', async () => {
  const { _id: numberId } = await rig.ask<{ _id: string }>(
    'POST',
    '/assistants/v1/numbers/emulator',
    { number: '+15005550290' },
  );
  const first = await webCall();
  const refused = await first.forward();
  expect(refused.status).toBe(409);
  expect(refused.body.message).toMatch(/No number can dial/);
  expect(await first.read()).toMatchObject({ status: 'ongoing' });
  expect((await first.read()).transfers).toBeUndefined();
  first.caller.hangup();
  first.caller.close();

  await rig.ask('PUT', `/assistants/v1/numbers/${numberId}`, { assistantId });
  const second = await webCall();
  expect((await second.forward()).status).toBe(200);
  await expect
    .poll(async () => (await second.read()).transfers)
    .toMatchObject([{ to: '+15005550300', name: 'Anna', mode: 'blind' }]);
  second.caller.hangup();
  second.caller.close();
});
