import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EmulatedCarrier } from '../../src/carriers/emulator/emulated-carrier.ts';
import { signTwilio } from '../../src/carriers/twilio/signature.ts';
import { createApiKey } from '../../src/store/api-keys.ts';
import { createTeam } from '../../src/store/teams.ts';
import { PhoneRig } from '../support/phone-rig.ts';
import { type TestDatabase, testDatabase } from '../support/postgres.ts';
import { installedServer } from '../support/postgres-server.ts';

const VOICE = '/carriers/twilio/voice';
const OTHER_NUMBER = '+15005550777';
const OTHER_ACCOUNT = { accountSid: `AC${'e'.repeat(32)}`, authToken: 'f'.repeat(32) };

interface Page {
  readonly totalCount: number;
  readonly conversations: readonly { readonly id: string; readonly status: string }[];
}

describe.skipIf(!installedServer())('two teams on one service', () => {
  let database: TestDatabase;
  let rig: PhoneRig;
  let carrier: EmulatedCarrier<'twilio'>;
  let own: { id: string; number: string };
  let otherKey: string;

  beforeAll(async () => {
    database = await testDatabase('server');
    if (!('connectionString' in database.connection)) throw new Error('a server has a URL');
    rig = await PhoneRig.start({ DATABASE_URL: database.connection.connectionString });
    carrier = rig.carrier('twilio') as EmulatedCarrier<'twilio'>;
    own = await rig.addNumber(carrier, { welcomeMessage: 'Hello.' });
    const { id: teamId } = await createTeam(database.db, { name: 'Others' });
    otherKey = (await createApiKey(database.db, { teamId, name: 'Theirs' })).key;
    const owned = { sid: `PN${'7'.repeat(32)}`, phone_number: OTHER_NUMBER };
    const json = { incoming_phone_numbers: [owned] };
    carrier.faults.answers.push({ path: '/IncomingPhoneNumbers', status: 200, json });
    const imported = await as(otherKey, 'POST', '/assistants/v1/numbers/twilio', {
      number: OTHER_NUMBER,
      credentials: OTHER_ACCOUNT,
    });
    expect(imported.status).toBe(201);
  });
  afterAll(async () => {
    await rig?.[Symbol.asyncDispose]();
    await database?.close();
  });

  async function as(key: string, method: string, path: string, body?: unknown) {
    const response = await fetch(rig.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  async function webhook(path: string, fields: Record<string, string>, authToken: string) {
    const url = rig.url + path;
    const form = new URLSearchParams(fields);
    const signature = signTwilio(authToken, url, [...form]);
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signature,
      },
      body: form.toString(),
    });
    return { status: response.status, markup: await response.text() };
  }

  const arrival = (to: string, sid: string) => ({
    CallSid: sid,
    CallStatus: 'ringing',
    Direction: 'inbound',
    From: '+15005550100',
    To: to,
  });

  test("one team's signature opens no number and no call of the other's", async () => {
    const sid = `CA${'1'.padStart(32, '0')}`;
    const forged = await webhook(VOICE, arrival(own.number, sid), OTHER_ACCOUNT.authToken);
    expect(forged.status).toBe(403);
    const calls = () => rig.ask<Page>('GET', '/calls/v1/conversations');
    expect((await calls()).totalCount).toBe(0);

    const { authToken } = carrier.credentials;
    expect((await webhook(VOICE, arrival(own.number, sid), authToken)).markup).toContain('<Stream');
    const [call] = (await calls()).conversations;
    const at = `?call=${call?.id}&attempt=1`;
    const stolen = { ...arrival(OTHER_NUMBER, sid), CallStatus: 'in-progress' };
    const { markup } = await webhook(VOICE + at, stolen, OTHER_ACCOUNT.authToken);
    expect(markup).not.toContain('<Stream');
    const over = { ...stolen, CallStatus: 'completed', CallbackSource: 'call-progress-events' };
    await webhook(`/carriers/twilio/status${at}`, over, OTHER_ACCOUNT.authToken);
    expect((await calls()).conversations[0]).toMatchObject({ id: call?.id, status: 'queued' });
  });

  test("one team neither takes over, sees, dials from nor telephones at the other's number", async () => {
    const account = carrier.credentials;
    const taken = await as(otherKey, 'POST', '/assistants/v1/numbers/twilio', {
      number: own.number,
      credentials: account,
    });
    expect(taken).toMatchObject({ status: 409, body: { message: 'Number already exists' } });
    const unproved = await as(otherKey, 'POST', '/assistants/v1/numbers/twilio', {
      number: own.number,
      credentials: OTHER_ACCOUNT,
    });
    // The emulated carrier does not know that account.
    expect(unproved).toMatchObject({
      status: 502,
      body: { message: 'twilio refused: Authenticate' },
    });
    expect((await as(otherKey, 'GET', `/assistants/v1/numbers/${own.id}`)).status).toBe(404);
    const dialled = await as(otherKey, 'POST', '/calls/v1/conversations/connect', {
      direction: 'outbound',
      phoneNumberId: own.id,
      customer: { number: '+15005550601' },
    });
    expect(dialled.status).toBe(404);
    const { body } = await as(otherKey, 'GET', '/calls/v1/conversations');
    expect(body).toMatchObject({ totalCount: 0 });
  });
});
