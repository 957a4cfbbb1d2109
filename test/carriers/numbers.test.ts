import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EmulatedCarrier } from '../../src/carriers/emulator/emulated-carrier.ts';
import { startTelnyxEmulator } from '../../src/carriers/emulator/telnyx-side.ts';
import { startTwilioEmulator } from '../../src/carriers/emulator/twilio-side.ts';
import { openTelnyxAccount } from '../../src/carriers/telnyx/account.ts';
import { openTwilioAccount } from '../../src/carriers/twilio/account.ts';
import { systemClock as clock } from '../../src/lib/system-clock.ts';
import type { CarrierAccount, CarrierNumbers } from '../../src/ports/carrier.ts';

const signal = new AbortController().signal;

describe.each(['twilio', 'telnyx'] as const)('the account at %s', (name) => {
  let carrier: EmulatedCarrier<'twilio'> | EmulatedCarrier<'telnyx'>;
  let account: CarrierAccount;
  let numbers: CarrierNumbers;

  beforeAll(async () => {
    if (name === 'twilio') {
      carrier = await startTwilioEmulator('twilio', { clock });
      const { baseUrl, credentials } = carrier;
      account = openTwilioAccount(credentials, { name, clock, baseUrl, deadlineMs: 2000 });
    } else {
      carrier = await startTelnyxEmulator({ clock });
      const { baseUrl, credentials } = carrier;
      account = openTelnyxAccount(credentials, { clock, baseUrl, deadlineMs: 2000 });
    }
    numbers = account.numbers as CarrierNumbers;
  });
  afterAll(() => carrier[Symbol.asyncDispose]());

  test('finds, buys, configures and releases a number', async () => {
    const offered = await numbers.available({ country: 'US', areaCode: '500', limit: 3, signal });
    expect(offered).toHaveLength(3);
    const [first] = offered;
    expect(first).toMatchObject({ country: 'US', capabilities: { voice: true, sms: true } });
    const number = first?.number ?? '';
    expect(await numbers.find(number, signal)).toBeUndefined();
    const id = await numbers.purchase(number, signal);
    expect(await numbers.find(number, signal)).toBe(id);
    const at = 'https://voice.example.test/carriers';
    const webhooks = { voiceUrl: `${at}/voice`, smsUrl: `${at}/sms`, statusUrl: `${at}/status` };
    await numbers.configureWebhooks(id, webhooks, signal);
    await expect(numbers.purchase(number, signal)).rejects.toMatchObject({ class: 'invalid' });
    await numbers.release(id, signal);
    expect(await numbers.find(number, signal)).toBeUndefined();
    await expect(numbers.release(id, signal)).resolves.toBeUndefined();
  });

  test("a refusal says why in the carrier's words, and nothing secret", async () => {
    const text = { from: '+15005550000', to: '+15005550100', text: 'Hello' };
    const refusal = await account.sendText?.(text, signal).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: 'ProviderError', provider: name, class: 'invalid' });
    const { message } = refusal as Error;
    expect(message).toMatch(name === 'twilio' ? /cannot send/ : /Invalid 'from'/);
    for (const secret of Object.values(carrier.credentials)) expect(message).not.toContain(secret);
  });

  test('a server error passes once where it does no harm, and is not retried where it would', async () => {
    carrier.faults.answers.push({ path: 'umbers', status: 503 });
    await expect(numbers.find('+15005550001', signal)).resolves.toBeUndefined();
    carrier.faults.answers.push({ path: 'essages', status: 503 });
    const text = { from: '+15005550000', to: '+15005550100', text: 'Hello' };
    await expect(account.sendText?.(text, signal)).rejects.toMatchObject({
      code: expect.stringMatching(/503/),
    });
  });

  test('hanging up what is gone already is no failure; an abort is told as one', async () => {
    await expect(account.hangup('CA0', signal)).resolves.toBeUndefined();
    await expect(account.hangup('CA0', AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});

test.each([
  ['wrong credentials', 'auth'],
  ['nobody there', 'network'],
] as const)('%s is a failure of class %s', async (what, failure) => {
  const carrier = await startTwilioEmulator('twilio', { clock });
  const { baseUrl } = carrier;
  if (what === 'nobody there') await carrier[Symbol.asyncDispose]();
  const account = openTwilioAccount(
    { accountSid: carrier.credentials.accountSid, authToken: 'wrong' },
    { name: 'twilio', clock, baseUrl },
  );
  await expect(account.numbers?.find('+15005550001', signal)).rejects.toMatchObject({
    class: failure,
  });
  if (what !== 'nobody there') await carrier[Symbol.asyncDispose]();
});
