import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_EVENT_ACCOUNTS } from '../../src/contract/number.ts';
import { findNumberCredentials, getNumber } from '../../src/store/numbers.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const PATH = '/assistants/v1/numbers';
const ASSISTANTS = '/assistants/v1/assistants';
const MISSING = { status: 404, body: { message: 'Number not found!' } };
const NOT_VALID = { status: 400, body: { message: 'Not received valid inputs!' } };
const ACCOUNT = { accountSid: 'AC1', authToken: 'a-token-nobody-may-see' };
const SOUND = 'https://sounds.example/rain.mp3';

withDatabase('numbers', ({ db, newTeam }) => {
  let api: TestApi;
  let open: TestApi;
  let ada: TestClient;
  let eve: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db());
    open = await startTestApi(db(), { carrierBaseUrl: 'https://parley.example' });
  });
  beforeEach(async () => {
    ada = await api.client(await newTeam());
    eve = await api.client(await newTeam());
    for (const { carriers } of [api, open]) {
      carriers.asked.length = 0;
      carriers.failures.clear();
    }
  });
  afterAll(async () => {
    await api.close();
    await open.close();
  });

  let count = 0;
  const newNumber = () => `+1415555${String(++count).padStart(4, '0')}`;
  const importOne = async (provider = 'twilio', fields: object = {}) =>
    (
      await ada.post(`${PATH}/${provider}`, {
        number: newNumber(),
        ...(provider === 'twilio' ? { credentials: ACCOUNT } : {}),
        ...fields,
      })
    ).body;
  const newAssistant = async (fields: object = {}, client = ada) =>
    (await client.post(ASSISTANTS, { name: 'A', ...fields })).body._id as string;

  describe('importing', () => {
    test('201 with the number, detached and switched on; its credentials are nowhere to be seen', async () => {
      const number = newNumber();
      const sent = { number, label: 'Sales', credentials: ACCOUNT };
      const { status, body, text } = await ada.post(`${PATH}/twilio`, sent);
      expect(status).toBe(201);
      expect(body).toEqual({
        _id: expect.any(String),
        teamId: ada.teamId,
        number,
        provider: { name: 'twilio' },
        assistantId: '',
        inboundEnabled: true,
        outboundEnabled: true,
        label: 'Sales',
      });
      const read = await ada.get(`${PATH}/${body._id}`);
      expect(read.body).toEqual(body);
      const listed = await ada.get(PATH);
      expect(listed.body).toEqual([body]);

      const stored = await db().execute(sql`select to_jsonb(n) as row from numbers n`);
      const seen = [text, read.text, listed.text, JSON.stringify(stored.rows), ...api.log].join();
      expect(seen).not.toContain(ACCOUNT.authToken);
      const params = { teamId: ada.teamId, id: body._id };
      expect(await findNumberCredentials(db(), params)).toEqual(ACCOUNT);
    });

    test('is honoured once for an Idempotency-Key, and 409 for a number that is there', async () => {
      const sent = { number: newNumber(), credentials: ACCOUNT };
      const header = { 'idempotency-key': 'once' };
      const first = await ada.post(`${PATH}/twilio`, sent, header);
      const again = await ada.post(`${PATH}/twilio`, sent, header);
      expect(again.body).toEqual(first.body);
      const taken = { status: 409, body: { message: 'Number already exists' } };
      expect(await ada.post(`${PATH}/twilio`, sent)).toMatchObject(taken);
      expect(await ada.post(`${PATH}/asterisk`, { number: sent.number })).toMatchObject(taken);
    });

    test('409 for an Asterisk too many of one team, which names the limit; its other servers take more numbers', async () => {
      const at = (server: number) => ({
        credentials: { ariUrl: `http://pbx${server}.example/ari`, user: 'u', password: 'p' },
      });
      const added = (client: TestClient, server: number) =>
        client.post(`${PATH}/asterisk`, { number: newNumber(), ...at(server) });
      for (let server = 0; server < MAX_EVENT_ACCOUNTS; server++)
        expect((await added(ada, server)).status).toBe(201);
      const refused = await added(ada, MAX_EVENT_ACCOUNTS);
      expect(refused).toMatchObject({ status: 409 });
      expect(refused.body.message).toContain(`${MAX_EVENT_ACCOUNTS} different asterisk accounts`);
      expect((await added(ada, 3)).status).toBe(201);
      expect((await ada.post(`${PATH}/asterisk`, { number: newNumber() })).status).toBe(201);
      expect((await added(eve, MAX_EVENT_ACCOUNTS)).status).toBe(201);
    });

    test('of two imports at once, one wins', async () => {
      const sent = { number: newNumber(), credentials: ACCOUNT };
      const answers = await Promise.all([1, 2, 3].map(() => ada.post(`${PATH}/twilio`, sent)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    });

    test.each([
      ['twilio', { number: '4155550100' }, 'number: must be a phone number in E.164 form'],
      ['twilio', {}, 'number: is required'],
      ['twilio', { number: '+14155550100', labels: 'x' }, 'labels: unknown field'],
      [
        'twilio',
        { number: '+14155550100', credentials: { accountSid: 'AC1' } },
        'credentials.authToken: is required',
      ],
      [
        'asterisk',
        { number: '+14155550100', credentials: ACCOUNT },
        'credentials.ariUrl: is required',
      ],
      ['pigeon', { number: '+14155550100' }, 'provider: must be one of twilio, telnyx, asterisk'],
    ])('%s %j is refused: %s', async (provider, body, message) => {
      const answer = await ada.post(`${PATH}/${provider}`, body);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain(message);
    });

    test('without credentials, where the service has none either, it is refused', async () => {
      const answer = await ada.post(`${PATH}/twilio`, { number: newNumber() });
      expect(answer.status).toBe(409);
      expect(answer.body.message).toContain('no credentials for twilio');
      const other = await ada.post(`${PATH}/telnyx`, { number: newNumber() });
      expect(other).toMatchObject({
        status: 409,
        body: { message: 'This service has no line to telnyx' },
      });
      expect((await ada.get(PATH)).body).toEqual([]);
    });

    test('where the service has a public address, the vendor is told it', async () => {
      const client = await open.client(ada.teamId);
      const number = newNumber();
      open.carriers.owned.set(number, 'PN7');
      const { status } = await client.post(`${PATH}/twilio`, { number, credentials: ACCOUNT });
      expect(status).toBe(201);
      expect(open.carriers.webhooks.get('PN7')).toEqual({
        voiceUrl: 'https://parley.example/carriers/twilio/voice',
        smsUrl: 'https://parley.example/carriers/twilio/sms',
        statusUrl: 'https://parley.example/carriers/twilio/status',
      });
      expect(open.carriers.asked.map(({ what, by }) => [what, by])).toEqual([
        ['find', ACCOUNT],
        ['configureWebhooks', ACCOUNT],
      ]);
    });

    test('a number that the account has not, or a vendor that refuses, leaves nothing behind', async () => {
      const client = await open.client(ada.teamId);
      const body = { number: newNumber(), credentials: ACCOUNT };
      open.carriers.foreign.add(body.number);
      expect(await client.post(`${PATH}/twilio`, body)).toMatchObject({
        status: 400,
        body: { message: 'number: the twilio account does not have it' },
      });
      open.carriers.fail('find', 'Authenticate');
      expect(await client.post(`${PATH}/twilio`, body)).toMatchObject({
        status: 502,
        body: { message: 'Authenticate' },
      });
      expect((await client.get(PATH)).body).toEqual([]);
    });
  });

  describe('ownership', () => {
    test('is asked of the carrier without a public address as well, with the credentials that were sent', async () => {
      const number = newNumber();
      api.carriers.owned.set(number, 'PN31');
      const { _id } = await importOne('twilio', { number });
      expect(api.carriers.asked).toEqual([{ what: 'find', by: ACCOUNT, of: number }]);
      expect(await getNumber(db(), { teamId: ada.teamId, id: _id })).toMatchObject({
        carrierNumberId: 'PN31',
      });
    });

    test('unproved, a number of another team and a number of nobody get the same answer', async () => {
      const { number: taken } = await importOne();
      const free = newNumber();
      for (const number of [taken, free]) api.carriers.foreign.add(number);
      const answers = await Promise.all(
        [taken, free].map((number) => eve.post(`${PATH}/twilio`, { number, credentials: ACCOUNT })),
      );
      const refused = {
        status: 400,
        body: { message: 'number: the twilio account does not have it' },
      };
      expect(answers).toMatchObject([refused, refused]);
      expect(answers[0]?.text.length).toBe(answers[1]?.text.length);
    });

    test('proved, the number stays with the team that has it', async () => {
      const { _id, number } = await importOne();
      expect(await eve.post(`${PATH}/twilio`, { number, credentials: ACCOUNT })).toMatchObject({
        status: 409,
        body: { message: 'Number already exists' },
      });
      expect((await ada.get(`${PATH}/${_id}`)).status).toBe(200);
      expect((await eve.get(PATH)).body).toEqual([]);
    });
  });

  describe('the list', () => {
    test('is newest first, filtered by label, and paged', async () => {
      const [a, b, c] = [
        await importOne('twilio', { label: 'x' }),
        await importOne('twilio', { label: 'y' }),
        await importOne('twilio', { label: 'x' }),
      ];
      expect((await ada.get(PATH)).body).toEqual([c, b, a]);
      expect((await ada.get(`${PATH}?label=x`)).body).toEqual([c, a]);
      expect((await ada.get(`${PATH}?label=none`)).body).toEqual([]);
      const page = await ada.get(`${PATH}?limit=1&label=x`);
      expect(page.body).toEqual([c]);
      const next = /<([^>]+)>; rel="next"/.exec(page.headers.link ?? '')?.[1] as string;
      const last = await ada.get(next);
      expect(last.body).toEqual([a]);
      expect(last.headers.link).toBeUndefined();
    });
  });

  describe('updating', () => {
    test('attaches, switches and detaches; what is absent stays', async () => {
      const { _id } = await importOne();
      const url = `${PATH}/${_id}`;
      const assistantId = await newAssistant();
      expect((await ada.put(url, { assistantId })).body).toMatchObject({ assistantId });
      expect((await ada.put(url, { inboundEnabled: false })).body).toMatchObject({
        assistantId,
        inboundEnabled: false,
        outboundEnabled: true,
      });
      const all = { assistantId: '', inboundEnabled: true, outboundEnabled: false };
      expect((await ada.put(url, all)).body).toMatchObject(all);
      expect((await ada.put(url, {})).body).toMatchObject(all);
      expect((await ada.get(url)).body).toMatchObject(all);
    });

    test.each([
      [{ assistantId: 7 }],
      [{ assistantId: null }],
      [{ assistantId: 'no-such-assistant' }],
      [{ inboundEnabled: 'yes' }],
      [{ outboundEnabled: 1 }],
      [{ label: 'renamed' }],
      [[]],
      ['not json'],
    ])('%j is refused in the words of the contract', async (body) => {
      const { _id } = await importOne();
      expect(await ada.put(`${PATH}/${_id}`, body)).toMatchObject(NOT_VALID);
    });

    test("another team's assistant counts as none", async () => {
      const { _id } = await importOne();
      const assistantId = await newAssistant({}, eve);
      expect(await ada.put(`${PATH}/${_id}`, { assistantId })).toMatchObject(NOT_VALID);
    });

    test('of two who read the same, the second is refused', async () => {
      const { _id } = await importOne();
      const url = `${PATH}/${_id}`;
      const { etag } = (await ada.get(url)).headers as { etag: string };
      const first = await ada.put(url, { inboundEnabled: false }, { 'if-match': etag });
      expect(first.status).toBe(200);
      expect(first.headers.etag).toBe((await ada.get(url)).headers.etag);
      const second = await ada.put(url, { outboundEnabled: false }, { 'if-match': etag });
      expect(second.status).toBe(412);
    });

    test('changes made at the same time are all kept', async () => {
      const { _id } = await importOne();
      const url = `${PATH}/${_id}`;
      const assistantId = await newAssistant();
      const changes = [{ assistantId }, { inboundEnabled: false }, { outboundEnabled: false }];
      await Promise.all(changes.map((change) => ada.put(url, change)));
      expect((await ada.get(url)).body).toMatchObject(Object.assign({}, ...changes));
    });
  });

  describe('an attached assistant', () => {
    test('cannot be deleted, and the refusal names the number', async () => {
      const { _id, number } = await importOne();
      const assistantId = await newAssistant();
      await ada.put(`${PATH}/${_id}`, { assistantId });
      const refused = await ada.delete(`${ASSISTANTS}/${assistantId}`);
      expect(refused.status).toBe(409);
      expect(refused.body.message).toContain(number);
      await ada.put(`${PATH}/${_id}`, { assistantId: '' });
      expect((await ada.delete(`${ASSISTANTS}/${assistantId}`)).status).toBe(200);
    });

    test('attached and deleted at the same time, one of the two is refused', async () => {
      for (let round = 0; round < 5; round++) {
        const { _id } = await importOne();
        const assistantId = await newAssistant();
        const [attached, deleted] = await Promise.all([
          ada.put(`${PATH}/${_id}`, { assistantId }),
          ada.delete(`${ASSISTANTS}/${assistantId}`),
        ]);
        expect([
          [200, 409],
          [400, 200],
        ]).toContainEqual([attached.status, deleted.status]);
      }
    });

    test("cannot have a sound of one's own where the vendor cannot play it", async () => {
      const silent = await importOne('asterisk');
      const able = await importOne();
      const assistantId = await newAssistant({ backgroundSound: SOUND });
      const refused = await ada.put(`${PATH}/${silent._id}`, { assistantId });
      expect(refused.status).toBe(409);
      expect(refused.body.message).toContain('backgroundSound: asterisk');
      expect((await ada.get(`${PATH}/${silent._id}`)).body.assistantId).toBe('');
      expect((await ada.put(`${PATH}/${able._id}`, { assistantId })).status).toBe(200);

      const quiet = await newAssistant({ backgroundSound: 'enable' });
      expect((await ada.put(`${PATH}/${silent._id}`, { assistantId: quiet })).status).toBe(200);
      const url = `${ASSISTANTS}/${quiet}`;
      const changed = await ada.patch(url, { backgroundSound: SOUND });
      expect(changed.status).toBe(409);
      expect(changed.body.message).toContain(silent.number);
      expect((await ada.get(url)).body.backgroundSound).toBe('enable');
      expect((await ada.patch(url, { backgroundSound: 'disable' })).status).toBe(200);
    });
  });

  describe('buying', () => {
    test('looks for numbers as asked, with the account the team has', async () => {
      await importOne();
      api.carriers.asked.length = 0;
      api.carriers.offered.push({
        number: '+14155550199',
        country: 'US',
        region: 'CA',
        capabilities: { voice: true, sms: false },
      });
      const query = 'provider=twilio&country=US&areaCode=415&contains=55*';
      expect((await ada.get(`${PATH}/available?${query}`)).body).toEqual(api.carriers.offered);
      expect(api.carriers.asked).toEqual([
        {
          what: 'available',
          by: ACCOUNT,
          of: { country: 'US', areaCode: '415', contains: '55*', limit: 50 },
        },
      ]);
    });

    test.each(['', '?provider=pigeon', '?provider=twilio&country=usa', '?provider=twilio&x=1'])(
      'available%s is refused',
      async (query) => expect((await ada.get(`${PATH}/available${query}`)).status).toBe(400),
    );

    test('a carrier without numbers, and one without an account, say so', async () => {
      for (const provider of ['asterisk', 'twilio']) {
        const { status, body } = await ada.get(`${PATH}/available?provider=${provider}`);
        expect(status).toBe(409);
        expect(body.message).toContain(provider);
      }
    });

    test('buys once, keeps the number, and tells the vendor where to call', async () => {
      await importOne();
      const client = await open.client(ada.teamId);
      const number = newNumber();
      const sent = { provider: 'twilio', number, label: 'Bought' };
      const { status, body } = await client.post(`${PATH}/purchase`, sent);
      expect(status).toBe(201);
      expect(body).toMatchObject({ number, label: 'Bought', provider: { name: 'twilio' } });
      expect(open.carriers.webhooks.has(`PN${number}`)).toBe(true);
      const others = await open.client(eve.teamId);
      await others.post(`${PATH}/twilio`, { number: newNumber(), credentials: ACCOUNT });
      // A number that the service already has is reported without asking the vendor, whichever team owns it.
      for (const { post } of [client, others])
        expect((await post(`${PATH}/purchase`, sent)).status).toBe(409);
      expect(open.carriers.asked.filter(({ what }) => what === 'purchase')).toHaveLength(1);
    });

    test("the vendor's refusal is 502 in its words, and nothing is kept", async () => {
      await importOne();
      api.carriers.fail('purchase', 'That number is not available');
      const number = newNumber();
      expect(await ada.post(`${PATH}/purchase`, { provider: 'twilio', number })).toMatchObject({
        status: 502,
        body: { message: 'That number is not available' },
      });
      expect((await ada.get(PATH)).body).toHaveLength(1);
    });

    test('what was bought is kept even when the vendor then fails', async () => {
      await importOne();
      const client = await open.client(ada.teamId);
      open.carriers.fail('configureWebhooks', 'Try later');
      const number = newNumber();
      const answer = await client.post(`${PATH}/purchase`, { provider: 'twilio', number });
      expect(answer.status).toBe(502);
      expect(answer.body.message).toMatch(/bought and is kept.*Try later/);
      expect((await client.get(PATH)).body[0]).toMatchObject({ number });
    });
  });

  describe('deleting', () => {
    test('says so in the words of the contract, and releases nothing', async () => {
      const { _id } = await importOne();
      expect(await ada.delete(`${PATH}/${_id}`)).toMatchObject({
        status: 200,
        body: { message: 'Number deleted successfully' },
      });
      expect(await ada.get(`${PATH}/${_id}`)).toMatchObject(MISSING);
      expect(api.carriers.asked.map(({ what }) => what)).toEqual(['find']);
    });

    test('with release=true it is given back to the vendor first, and stays if that fails', async () => {
      const number = newNumber();
      api.carriers.owned.set(number, 'PN9');
      const { _id } = await importOne('twilio', { number });
      api.carriers.fail('release', 'Not now');
      expect((await ada.delete(`${PATH}/${_id}?release=true`)).status).toBe(502);
      expect((await ada.get(`${PATH}/${_id}`)).status).toBe(200);
      api.carriers.failures.clear();
      expect((await ada.delete(`${PATH}/${_id}?release=true`)).status).toBe(200);
      expect(api.carriers.asked.at(-1)).toEqual({ what: 'release', by: ACCOUNT, of: 'PN9' });
      expect(await ada.get(`${PATH}/${_id}`)).toMatchObject(MISSING);
    });
  });

  describe('setting the webhooks again', () => {
    const set = (client: TestClient, id: string) =>
      client.post(`${PATH}/${id}/webhooks`, undefined);

    test('has the vendor send calls here, though the number was imported before there was an address', async () => {
      const { _id } = await importOne();
      await db().execute(sql`update numbers set carrier_number_id = null where id = ${_id}`);
      const [{ number }] = (await ada.get(PATH)).body;
      open.carriers.owned.set(number, 'PN12');
      const client = await open.client(ada.teamId);
      expect(await set(client, _id)).toMatchObject({
        status: 200,
        body: {
          voiceUrl: 'https://parley.example/carriers/twilio/voice',
          smsUrl: 'https://parley.example/carriers/twilio/sms',
          statusUrl: 'https://parley.example/carriers/twilio/status',
        },
      });
      expect(open.carriers.webhooks.get('PN12')?.voiceUrl).toContain('/carriers/twilio/voice');
      expect(open.carriers.asked.map(({ what, by }) => ({ what, by }))).toEqual([
        { what: 'find', by: ACCOUNT },
        { what: 'configureWebhooks', by: ACCOUNT },
      ]);
      // The number's id at the carrier is known from now on.
      await set(client, _id);
      expect(open.carriers.asked.at(-1)).toMatchObject({ what: 'configureWebhooks', of: 'PN12' });
      expect(open.carriers.asked).toHaveLength(3);
    });

    test('says why it cannot be', async () => {
      const { _id, number } = await importOne();
      expect(await set(ada, _id)).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('PUBLIC_URL') },
      });
      await db().execute(sql`update numbers set carrier_number_id = null where id = ${_id}`);
      open.carriers.foreign.add(number);
      const client = await open.client(ada.teamId);
      expect(await set(client, _id)).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('does not have the number') },
      });
      open.carriers.fail('find', 'Not now');
      expect(await set(client, _id)).toMatchObject({ status: 502, body: { message: 'Not now' } });
      const own = await importOne('asterisk');
      expect((await set(client, own._id)).status).toBe(409);
      expect(await set(eve, _id)).toMatchObject(MISSING);
    });
  });

  test("another team's number is missing in every way", async () => {
    const { _id } = await importOne();
    const url = `${PATH}/${_id}`;
    expect((await eve.get(PATH)).body).toEqual([]);
    expect(await eve.get(url)).toMatchObject(MISSING);
    expect(await eve.put(url, {})).toMatchObject(MISSING);
    expect(await eve.delete(url)).toMatchObject(MISSING);
    expect(await eve.delete(`${url}?release=true`)).toMatchObject(MISSING);
  });
});
