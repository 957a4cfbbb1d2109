import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const PATH = '/assistants/v1/calendars';
const MISSING = { status: 404, body: { message: 'Calendar not found!' } };
const always = Object.fromEntries(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [
    day,
    [{ from: '08:00', to: '18:00' }],
  ]),
);

withDatabase('calendars', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  let eve: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db());
    ada = await api.client(await newTeam());
    eve = await api.client(await newTeam());
  });
  afterAll(() => api.close());

  const create = async (fields: object = {}) =>
    (await ada.post(PATH, { name: 'Desk', openingHours: always, ...fields })).body;
  const firstSlot = async (id: string) => {
    const [slot] = (await ada.get(`${PATH}/${id}/slots?days=3`)).body;
    expect(slot.left).toBe(1);
    return { startAt: slot.startAt as string, endAt: slot.endAt as string };
  };

  test('a name is enough: 201 with every default', async () => {
    const { status, body } = await ada.post(PATH, { name: 'Desk' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      teamId: ada.teamId,
      timezone: 'UTC',
      slotMinutes: 30,
      capacity: 1,
      openingHours: { monday: [{ from: '09:00', to: '17:00' }], sunday: [] },
      feedUrl: expect.stringMatching(/\/calendars\/[\w-]{32}\.ics$/),
    });
    expect((await ada.get(`${PATH}/${body._id}`)).body).toEqual(body);
    expect((await ada.get(PATH)).body).toContainEqual(body);
  });

  test.each<[string, object, string]>([
    ['a time zone', { timezone: 'Mars/Olympus' }, 'timezone: must be a time zone'],
    [
      'hours that end before they begin',
      { openingHours: { monday: [{ from: '10:00', to: '09:00' }] } },
      'must be later than from',
    ],
    [
      'hours that overlap',
      {
        openingHours: {
          monday: [
            { from: '08:00', to: '12:00' },
            { from: '11:00', to: '13:00' },
          ],
        },
      },
      'must not be earlier',
    ],
    ['a capacity', { capacity: 0 }, 'capacity'],
    ['a field', { colour: 'red' }, 'colour'],
  ])('%s that makes no sense is refused by name', async (_what, fields, said) => {
    const { status, body } = await ada.post(PATH, { name: 'Desk', ...fields });
    expect(status).toBe(400);
    expect(body.message).toContain(said);
  });

  test('an appointment is booked, listed, moved and cancelled', async () => {
    const { _id: id } = await create();
    const slot = await firstSlot(id);
    const { status, body } = await ada.post(`${PATH}/${id}/appointments`, {
      startAt: slot.startAt,
      name: 'Bo',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...slot, status: 'booked', name: 'Bo', calendarId: id });
    expect((await ada.get(`${PATH}/${id}/appointments`)).body).toEqual([body]);
    const twice = await ada.post(`${PATH}/${id}/appointments`, {
      startAt: slot.startAt,
      name: 'Cy',
    });
    expect(twice).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('not free; free near it') },
    });
    const next = await firstSlot(id);
    const own = `${PATH}/${id}/appointments/${body._id}`;
    const moved = await ada.send('PUT', own, { body: { startAt: next.startAt } });
    expect(moved).toMatchObject({ status: 200, body: { ...next, reference: body.reference } });
    expect((await ada.send('DELETE', own)).body).toMatchObject({ status: 'cancelled' });
    expect((await ada.send('DELETE', own)).status).toBe(200);
    expect((await ada.get(`${PATH}/${id}/appointments`)).body).toEqual([]);
    expect((await ada.send('PUT', own, { body: { startAt: slot.startAt } })).status).toBe(409);
  });

  test('the feed is read by whoever knows its address, and by nobody else', async () => {
    const calendar = await create({ name: 'Desk; "one", two' });
    const { startAt } = await firstSlot(calendar._id);
    const name = 'Bo\r\nSUMMARY:forged; a, b';
    const { status } = await ada.post(`${PATH}/${calendar._id}/appointments`, { startAt, name });
    expect(status).toBe(201);
    const path = new URL(calendar.feedUrl).pathname;
    const feed = await api.app.inject({ url: path });
    expect(feed.statusCode).toBe(200);
    expect(feed.headers['content-type']).toBe('text/calendar; charset=utf-8');
    const lines = feed.body.replaceAll('\r\n ', '').split('\r\n');
    expect(lines[0]).toBe('BEGIN:VCALENDAR');
    expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('SUMMARY'))).toHaveLength(1);
    expect(lines).toContain(`DTSTART:${startAt.replace(/[-:]|\.\d+/g, '')}`);
    const token = path.slice('/calendars/'.length, -'.ics'.length);
    const other = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    for (const wrong of [other, 'x', `${token}x`, '..%2f']) {
      expect((await api.app.inject({ url: `/calendars/${wrong}.ics` })).statusCode).toBe(404);
    }
  });

  test('a patch changes what it names; appointments stay', async () => {
    const { _id: id } = await create();
    const { startAt } = await firstSlot(id);
    await ada.post(`${PATH}/${id}/appointments`, { startAt, name: 'Bo' });
    const patched = await ada.send('PATCH', `${PATH}/${id}`, {
      body: { slotMinutes: 60, openingHours: { monday: [] } },
    });
    expect(patched).toMatchObject({
      status: 200,
      body: { slotMinutes: 60, openingHours: { monday: [], friday: always.friday } },
    });
    expect((await ada.get(`${PATH}/${id}/appointments`)).body).toHaveLength(1);
  });

  test("another team's calendar is missing", async () => {
    const { _id: id } = await create();
    expect(await eve.get(`${PATH}/${id}`)).toMatchObject(MISSING);
    expect(await eve.get(`${PATH}/${id}/slots`)).toMatchObject(MISSING);
    expect(await eve.get(`${PATH}/${id}/appointments`)).toMatchObject(MISSING);
    expect(
      await eve.post(`${PATH}/${id}/appointments`, {
        startAt: new Date().toISOString(),
        name: 'E',
      }),
    ).toMatchObject(MISSING);
    expect(await eve.send('DELETE', `${PATH}/${id}`)).toMatchObject(MISSING);
    expect(await ada.send('DELETE', `${PATH}/${id}`)).toMatchObject({ status: 200, body: { id } });
    expect(await ada.get(`${PATH}/${id}`)).toMatchObject(MISSING);
  });

  describe('wait lists', () => {
    const LISTS = '/assistants/v1/wait-lists';
    const newList = async (fields: object = {}) =>
      (await ada.post(LISTS, { name: 'Tables', ...fields })).body;

    test('are made, read, changed and deleted', async () => {
      const list = await newList();
      expect(list).toMatchObject({
        name: 'Tables',
        maxEntries: 1000,
        waiting: 0,
        assistantIds: [],
      });
      expect((await ada.get(`${LISTS}/${list._id}`)).body).toEqual(list);
      expect((await ada.get(LISTS)).body).toContainEqual(list);
      const patched = await ada.send('PATCH', `${LISTS}/${list._id}`, { body: { maxEntries: 2 } });
      expect(patched.body).toMatchObject({ maxEntries: 2, name: 'Tables' });
      expect(await eve.get(`${LISTS}/${list._id}`)).toMatchObject({ status: 404 });
      expect((await ada.send('DELETE', `${LISTS}/${list._id}`)).body).toEqual({ id: list._id });
    });

    test('are joined and left, and the next is taken in turn', async () => {
      const { _id: id } = await newList({ maxEntries: 3 });
      const add = (name: string) =>
        ada.post(`${LISTS}/${id}/entries`, { name, phone: `+${name.length}` });
      expect(await add('A')).toMatchObject({
        status: 201,
        body: { position: 1, status: 'waiting' },
      });
      const bob = (await add('Bo')).body;
      expect((await add('Cyd')).body.position).toBe(3);
      expect(await add('Dora')).toMatchObject({
        status: 409,
        body: { message: 'The wait list is full' },
      });
      expect((await ada.get(`${LISTS}/${id}`)).body.waiting).toBe(3);
      expect((await ada.send('DELETE', `${LISTS}/${id}/entries/${bob._id}`)).body).toMatchObject({
        status: 'left',
      });
      const take = () => ada.send('POST', `${LISTS}/${id}/take-next`);
      expect((await take()).body).toMatchObject({ name: 'A', status: 'taken' });
      expect((await ada.get(`${LISTS}/${id}/entries`)).body).toMatchObject([
        { name: 'Cyd', position: 1 },
      ]);
      expect((await take()).body).toMatchObject({ name: 'Cyd' });
      expect(await take()).toMatchObject({ status: 404, body: { message: 'Nobody waits' } });
    });

    test('are searched, each entry with its place, and paged on', async () => {
      const { _id: id } = await newList();
      const names = ['Ada Lovelace', 'Bo', 'Ada Byron', 'Cyd', 'Ada King'];
      for (const [n, name] of names.entries())
        await ada.post(`${LISTS}/${id}/entries`, { name, phone: `+4930${n}`, notes: 'Table' });
      const found = await ada.get(`${LISTS}/${id}/entries?search=ADA%20table&limit=2`);
      expect(found.body).toMatchObject([
        { name: 'Ada Lovelace', position: 1 },
        { name: 'Ada Byron', position: 3 },
      ]);
      const next = /<([^>]+)>/.exec(found.headers.link ?? '')?.[1] ?? '';
      expect((await ada.get(next)).body).toMatchObject([{ name: 'Ada King', position: 5 }]);
      expect((await ada.get(`${LISTS}/${id}/entries?search=%2B49301`)).body).toMatchObject([
        { name: 'Bo' },
      ]);
    });

    test('the next is taken once for an idempotency key', async () => {
      const { _id: id } = await newList();
      await ada.post(`${LISTS}/${id}/entries`, { name: 'A', phone: '+1' });
      await ada.post(`${LISTS}/${id}/entries`, { name: 'B', phone: '+2' });
      const take = () =>
        ada.send('POST', `${LISTS}/${id}/take-next`, { headers: { 'idempotency-key': `k-${id}` } });
      expect((await take()).body.name).toBe('A');
      expect((await take()).body.name).toBe('A');
    });
  });
});
