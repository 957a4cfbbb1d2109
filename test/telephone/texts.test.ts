import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EmulatedCarrier } from '../../src/carriers/emulator/emulated-carrier.ts';
import { readOptOutWord } from '../../src/telephone/sms-conversations.ts';
import { PhoneRig } from '../support/phone-rig.ts';

let rig: PhoneRig;
beforeAll(async () => {
  rig = await PhoneRig.start();
});
afterAll(() => rig?.[Symbol.asyncDispose](), 30_000);

describe.each(['twilio', 'telnyx'] as const)('texts by %s', (name) => {
  let carrier: EmulatedCarrier;
  let number: string;
  const user = '+15005550101';

  beforeAll(async () => {
    carrier = rig.carrier(name);
    ({ number } = await rig.addNumber(carrier, {
      smsConfiguration: { enabled: true },
      assistantSystemPrompt: 'You work for a bicycle shop.',
    }));
  });

  const answersTo = (from: string) => carrier.texts.filter(({ to }) => to === from);

  test('a text is answered by the assistant, from the number it came to', async () => {
    await carrier.text({ from: user, to: number, text: 'Hello, who are you?' });
    await expect.poll(() => answersTo(user)).toHaveLength(1);
    expect(answersTo(user)[0]).toMatchObject({
      from: number,
      text: expect.stringMatching(/\w{2,}/),
    });
  });

  test('who says stop gets no more, until they say start', async () => {
    const from = '+15005550102';
    await carrier.text({ from, to: number, text: 'STOP' });
    await carrier.text({ from, to: number, text: 'Are you still there?' });
    await carrier.text({ from, to: number, text: ' start.' });
    await carrier.text({ from, to: number, text: 'Hello again' });
    await expect.poll(() => answersTo(from).length).toBe(1);
  });
});

test('a text to a number whose assistant answers none is kept, and not answered', async () => {
  const carrier = rig.carrier('twilio');
  const silent = await rig.addNumber(carrier, {});
  const talkative = await rig.addNumber(carrier, { smsConfiguration: { enabled: true } });
  const from = '+15005550103';
  await carrier.text({ from, to: silent.number, text: 'Hello?' });
  await carrier.text({ from, to: talkative.number, text: 'Hello?' });
  await expect.poll(() => carrier.texts.some(({ to }) => to === from)).toBe(true);
  expect(carrier.texts.filter((text) => text.from === silent.number)).toEqual([]);
});

test.each([
  ['STOP', false, 'stop'],
  ['Unsubscribe.', false, 'stop'],
  ['stop all', false, 'stop'],
  ['please stop by tomorrow', false, undefined],
  ['yes', false, undefined],
  ['yes', true, 'start'],
  ['Start', false, 'start'],
] as const)('%s asks for %s', (text, hasOptedOut, expected) => {
  expect(readOptOutWord(text, { hasOptedOut })).toBe(expected);
});
