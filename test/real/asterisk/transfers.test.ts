import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Lab } from './lab.ts';
import { Service, until } from './service.ts';
import { stretchesOfSound } from './sounds.ts';
import type { Telephone } from './telephone.ts';

const PHONE1 = '+15005550121';
const BUSY = '+15005550101';
const COLLEAGUE = '+15005550123';
const MAILBOX = '+15005550111';

let lab: Lab;
let service: Service;
let phone: Telephone;
beforeAll(async () => {
  lab = await Lab.start();
  phone = await lab.telephone(1);
  const name = 'Anna';
  service = await Service.start(lab, {
    assistant: {
      assistantPredefinedTools: { knowledgeBase: true, endCall: true, callForward: true },
      callForwardData: { name, phoneNumber: PHONE1 },
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

const nothingStands = () =>
  until('the exchange has no channel and no bridge left', async () => {
    const { channels, bridges } = await lab.standing();
    return channels === 0 && bridges === 0;
  });

/** Somebody is on the line with the assistant, which has welcomed them. */
async function caller(by: Service = service): Promise<string> {
  const before = await by.calls();
  await lab.call('stay');
  const { id } = await by.arrival(before);
  await until('they are welcomed', async () => (await by.read(id)).messages.length > 0);
  await delay(5500);
  return id;
}

const rings = () => {
  const seen = phone.events.length;
  return () =>
    until('the telephone rings', async () =>
      phone.events.slice(seen).some((type) => type.includes('INCOMING')),
    );
};

const failures = async (id: string) =>
  (await service.events(id))
    .filter(({ type }) => type === 'operator.failed' || type === 'operator.declined')
    .map(({ data }) => data.reason);

describe('blind', () => {
  test('[ci] a telephone is dialled and joined, and both hear each other', async () => {
    await service.change(service.ids.assistantId, { warmTransferEnabled: false });
    const id = await caller();
    const ringing = rings();
    await service.control(id, { type: 'forward', message: '' });
    await ringing();
    await phone.answer();
    await until('they are joined', async () => (await service.read(id)).status === 'forwarded');
    await delay(1000);
    await phone.say('seven-of-clubs');
    await delay(4000);
    await phone.hangup();
    const call = await service.ended(id);
    expect(call).toMatchObject({ status: 'forwarded', endReason: 'transferred' });
    expect(call.transfers).toMatchObject([{ to: PHONE1, name: 'Anna', outcome: 'transferred' }]);
    // The telephone's words are the last that the caller heard, as long as they are.
    const [from = 0, to = 0] = stretchesOfSound(await lab.recording('stay', 'heard')).at(-1) ?? [];
    const [said] = stretchesOfSound(await lab.recording('phone1', 'said'));
    expect(Math.abs(to - from - ((said?.[1] ?? 0) - (said?.[0] ?? 0)))).toBeLessThan(0.3);
    await nothingStands();
  });

  test('a colleague who is busy: the caller is told, and stays', async () => {
    const id = await caller();
    await service.control(id, { type: 'forward', message: BUSY });
    await until('it fails', async () => (await failures(id)).includes('busy'));
    expect((await service.read(id)).status).toBe('ongoing');
    await service.control(id, { type: 'end' });
    await service.ended(id);
    await nothingStands();
  });

  test('a telephone that nobody takes: the caller is told in time, and it stops ringing', async () => {
    await service.change(service.ids.assistantId, { warmTransferTimeout: 8 });
    const id = await caller();
    const ringing = rings();
    await service.control(id, { type: 'forward', message: '' });
    await ringing();
    await until(
      'the telephone is let go',
      async () => phone.events.at(-1)?.includes('CLOSED') === true,
      15_000,
    );
    await delay(2000);
    const call = await service.read(id);
    expect(call).toMatchObject({
      status: 'ongoing',
      transfers: [{ to: PHONE1, outcome: 'failed', reason: 'timeout' }],
    });
    await service.control(id, { type: 'end' });
    await service.ended(id);
    await nothingStands();
  });
});

describe('with a word before', () => {
  test('a colleague is told of the caller, and joined', async () => {
    await service.change(service.ids.assistantId, {
      warmTransferEnabled: true,
      warmTransferConversational: false,
      warmTransferTimeout: 30,
    });
    const id = await caller();
    const ringing = rings();
    await service.control(id, { type: 'forward', message: '' });
    await ringing();
    await phone.answer();
    await until(
      'they are joined',
      async () => (await service.read(id)).status === 'forwarded',
      30_000,
    );
    await phone.hangup();
    await service.ended(id);
    expect(stretchesOfSound(await lab.recording('phone1', 'heard')).length).toBeGreaterThan(0);
    await nothingStands();
  });

  test('a colleague who says yes to what is asked gets the caller', async () => {
    await service.change(service.ids.assistantId, {
      warmTransferEnabled: true,
      warmTransferConversational: true,
      callForwardData: { name: 'Otto', phoneNumber: COLLEAGUE },
    });
    const id = await caller();
    await service.control(id, { type: 'forward', message: '' });
    await until(
      'they are joined',
      async () => (await service.read(id)).status === 'forwarded',
      45_000,
    );
    await service.ended(id, 40_000);
    await nothingStands();
  });

  test("a colleague's mailbox does not get the caller, and is not talked over", async () => {
    await service.change(service.ids.assistantId, {
      callForwardData: { name: 'Otto', phoneNumber: MAILBOX },
    });
    const id = await caller();
    await service.control(id, { type: 'forward', message: '' });
    await until('it is let go', async () => (await failures(id)).length > 0, 60_000);
    expect((await service.read(id)).status).toBe('ongoing');
    await service.control(id, { type: 'end' });
    await service.ended(id);
    await nothingStands();
  });
});

describe('hold', () => {
  test('[ci] a caller whose telephone holds the line and comes back is still there', async () => {
    const before = await service.calls();
    await phone.callAssistant();
    const { id } = await service.arrival(before);
    await until('they are welcomed', async () => (await service.read(id)).messages.length > 0);
    await delay(5000);
    await phone.hold();
    await delay(12_000);
    await phone.resume();
    await delay(1000);
    await phone.say('what-your-country-can-do');
    await until(
      'the question is heard',
      async () =>
        (await service.read(id)).messages.some(
          ({ role, text }) => role === 'user' && /country/i.test(text),
        ),
      20_000,
    );
    const lost = (await service.events(id)).filter(({ type }) => type === 'media.lost');
    expect(lost).toEqual([]);
    await phone.hangup();
    expect(await service.ended(id)).toMatchObject({ endReason: 'user-hung-up' });
    await nothingStands();
  });
});
