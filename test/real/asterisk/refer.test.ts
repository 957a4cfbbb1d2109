import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Lab } from './lab.ts';
import { Service, until } from './service.ts';
import { stretchesOfSound } from './sounds.ts';
import type { Telephone } from './telephone.ts';

const PHONE1 = '+15005550121';
const NOBODY = '+15005559999';

let lab: Lab;
let service: Service;
let phone: Telephone;
beforeAll(async () => {
  lab = await Lab.start();
  phone = await lab.telephone(1);
  service = await Service.start(lab, {
    number: { referUri: `sip:{number}@127.0.0.1:${lab.ports.carrierSip}` },
    assistant: {
      warmTransferEnabled: false,
      assistantPredefinedTools: { callForward: true },
      callForwardData: { name: 'Anna', phoneNumber: PHONE1 },
    },
  });
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await lab?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await lab.forgetRecordings();
  await phone.listen();
});

/** Somebody is on the line with the assistant, which has welcomed them. */
async function caller(): Promise<string> {
  const before = await service.calls();
  await lab.call('stay');
  const { id } = await service.arrival(before);
  await until('they are welcomed', async () => (await service.read(id)).messages.length > 0);
  await delay(5500);
  return id;
}

test('the carrier takes the caller over by REFER, and the exchange is free of the call', async () => {
  const id = await caller();
  await service.control(id, { type: 'forward', message: '' });
  await until('the telephone rings', async () =>
    phone.events.some((type) => type.includes('INCOMING')),
  );
  await phone.answer();
  const call = await service.ended(id);
  expect(call).toMatchObject({ status: 'forwarded', endReason: 'transferred' });
  await until('the exchange has no channel and no bridge left', async () => {
    const { channels, bridges } = await lab.standing();
    return channels === 0 && bridges === 0;
  });
  await delay(1000);
  await phone.say('seven-of-clubs');
  await delay(4000);
  await phone.hangup();
  // The telephone's words are the last that the caller heard, as long as they are.
  const [from = 0, to = 0] = stretchesOfSound(await lab.recording('stay', 'heard')).at(-1) ?? [];
  const [said] = stretchesOfSound(await lab.recording('phone1', 'said'));
  expect(Math.abs(to - from - ((said?.[1] ?? 0) - (said?.[0] ?? 0)))).toBeLessThan(0.3);
});

test('a REFER that the carrier refuses: the caller is told, and stays', async () => {
  const id = await caller();
  await service.control(id, { type: 'forward', message: NOBODY });
  await until('it fails', async () =>
    (await service.events(id)).some(({ type }) => type === 'operator.failed'),
  );
  expect((await service.read(id)).status).toBe('ongoing');
  await service.control(id, { type: 'end' });
  await service.ended(id);
});
