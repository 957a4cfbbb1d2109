import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getPerson } from '../../src/store/people.ts';
import { people, sessions } from '../../src/store/schema/people.ts';
import { createSession } from '../../src/store/sessions.ts';
import { suspendTeam } from '../../src/store/teams.ts';
import { createClient, startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';
import { join, PASSWORD, tokenIn, Visitor } from '../support/visitor.ts';

const ME = '/auth/v1/me';
const PEOPLE = '/auth/v1/people';
const INVITATIONS = '/auth/v1/invitations';
const SIGN_IN = '/auth/v1/sign-in';
const ACCOUNT = '/auth/v1/account';
const DAY_MS = 86_400_000;
const MANY = { perSecond: 1e6, burst: 1e6 };

let nowMs = Date.parse('2026-05-04T10:00:00Z');
let counter = 0;
const newEmail = () => `person${++counter}@example.com`;

withDatabase('people', ({ db, newTeam }) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi(db(), {
      now: () => nowMs,
      limits: { signIns: { address: MANY, account: MANY }, rate: MANY, strangers: MANY },
    });
  });
  afterAll(() => api.close());

  const start = async () => {
    const key = await api.client(await newTeam());
    const email = newEmail();
    const visitor = await join(api.app, key, { email, role: 'admin' });
    const { person } = (await visitor.get(ME)).body;
    return { key, email, visitor, id: person.id as string };
  };
  const signIn = async (email: string, password = PASSWORD) => {
    const visitor = new Visitor(api.app);
    const answer = await visitor.post(SIGN_IN, { email, password });
    return { visitor, answer };
  };

  describe('invitations', () => {
    test('lead to an account that is signed in, once', async () => {
      const key = await api.client(await newTeam());
      const email = newEmail();
      const made = await key.post(INVITATIONS, { email: email.toUpperCase(), role: 'reviewer' });
      expect(made).toMatchObject({ status: 201, body: { email, invitedBy: 'Test' } });
      expect(made.body.url).toMatch(/^http:\/\/parley\.test\/console\/#\/join\?token=[\w-]{43}$/);
      const token = tokenIn(made.body.url);
      expect((await key.get(INVITATIONS)).text).not.toContain(token);

      const visitor = new Visitor(api.app);
      const seen = await visitor.post(`${SIGN_IN}/invitation`, { token });
      expect(seen.body).toMatchObject({ teamName: 'Test', role: 'reviewer', email });
      const acceptance = { token, name: 'Ada', password: PASSWORD };
      expect((await visitor.post(`${SIGN_IN}/accept`, acceptance)).body).toEqual({
        state: 'signed-in',
      });
      expect((await visitor.get(ME)).body).toMatchObject({
        role: 'reviewer',
        person: { name: 'Ada', email },
      });
      expect((await new Visitor(api.app).post(`${SIGN_IN}/accept`, acceptance)).status).toBe(404);
      expect((await key.get(INVITATIONS)).body).toEqual([]);
    });

    test('accepted many times at once make one person', async () => {
      const key = await api.client(await newTeam());
      const { body } = await key.post(INVITATIONS, { email: newEmail(), role: 'viewer' });
      const acceptance = { token: tokenIn(body.url), name: 'Ada', password: PASSWORD };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => new Visitor(api.app).post(`${SIGN_IN}/accept`, acceptance)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await key.get(PEOPLE)).body).toHaveLength(1);
    });

    test('are void when they are a week old, taken back or replaced', async () => {
      const key = await api.client(await newTeam());
      const email = newEmail();
      const invite = async () => (await key.post(INVITATIONS, { email, role: 'viewer' })).body;
      const statusOf = async ({ url }: { readonly url: string }) =>
        (await new Visitor(api.app).post(`${SIGN_IN}/invitation`, { token: tokenIn(url) })).status;
      const first = await invite();
      const second = await invite();
      expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
      await key.delete(`${INVITATIONS}/${second.id}`);
      expect(await statusOf(second)).toBe(404);
      const third = await invite();
      nowMs += 7 * DAY_MS;
      expect(await statusOf(third)).toBe(404);
      expect((await key.get(INVITATIONS)).body).toEqual([]);
    });

    test('of another address, a member, or with a short password are refused and stay', async () => {
      const { key, email } = await start();
      expect((await key.post(INVITATIONS, { email, role: 'viewer' })).status).toBe(409);
      const { body } = await key.post(INVITATIONS, { email: newEmail(), role: 'viewer' });
      const acceptance = { token: tokenIn(body.url), name: 'Eve', password: PASSWORD };
      const visitor = new Visitor(api.app);
      const accept = async (more: object) =>
        (await visitor.post(`${SIGN_IN}/accept`, { ...acceptance, ...more })).status;
      expect(await accept({ email: newEmail() })).toBe(404);
      expect(await accept({ password: 'too short' })).toBe(400);
      expect(await accept({})).toBe(200);
    });

    test('of somebody who is in another team tell so only to whoever has the link', async () => {
      const { email } = await start();
      const other = await api.client(await newTeam());
      const made = await other.post(INVITATIONS, { email, role: 'admin' });
      expect(made.status).toBe(201);
      const acceptance = { token: tokenIn(made.body.url), name: 'Ada', password: PASSWORD };
      expect(await new Visitor(api.app).post(`${SIGN_IN}/accept`, acceptance)).toMatchObject({
        status: 409,
        body: { message: 'Somebody signs in with this address already' },
      });
    });

    test('of a suspended team cannot be accepted', async () => {
      const key = await api.client(await newTeam());
      const { body } = await key.post(INVITATIONS, { email: newEmail(), role: 'viewer' });
      const suspension = { reason: 'unpaid', farewell: null, now: new Date(nowMs) };
      await suspendTeam(db(), { teamId: key.teamId, ...suspension });
      const token = tokenIn(body.url);
      const answer = await new Visitor(api.app).post(`${SIGN_IN}/invitation`, { token });
      expect(answer).toMatchObject({ status: 403, body: { message: /unpaid/ } });
    });
  });

  describe('sessions', () => {
    test('a session counts only beside the header of the console, and from its own pages', async () => {
      const { visitor } = await start();
      const as = async (headers: Readonly<Record<string, string>>) =>
        (await visitor.send('GET', ME, undefined, headers)).status;
      const own = { 'x-parley-console': '1' };
      expect(await as(own)).toBe(200);
      expect(await as({})).toBe(401);
      expect(await as({ ...own, origin: 'http://parley.test' })).toBe(200);
      expect(await as({ ...own, origin: 'http://localhost:80', host: 'localhost' })).toBe(200);
      expect(await as({ ...own, origin: 'https://evil.example' })).toBe(403);
      expect(await as({ ...own, origin: 'null' })).toBe(403);
      expect(await as({ ...own, 'sec-fetch-site': 'same-site' })).toBe(403);
      expect(await as({ ...own, 'sec-fetch-site': 'same-origin' })).toBe(200);
    });

    test('pages of other sites cannot sign a browser in', async () => {
      const { email } = await start();
      const body = { email, password: PASSWORD };
      const from = { origin: 'https://evil.example' };
      expect((await new Visitor(api.app).send('POST', SIGN_IN, body, from)).status).toBe(403);
    });

    test('the cookie is out of reach of scripts and other sites', async () => {
      const { email } = await start();
      const { answer } = await signIn(email);
      const cookie = String(answer.headers['set-cookie']);
      expect(cookie).toMatch(
        /^parley_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=/,
      );
      expect(cookie).not.toContain('Secure');
    });

    test('a token that was there before signing in is none afterwards', async () => {
      const { email, visitor: earlier } = await start();
      const planted = earlier.cookies.get('parley_session') as string;
      const victim = new Visitor(api.app);
      victim.cookies.set('parley_session', planted);
      await victim.post(SIGN_IN, { email, password: PASSWORD });
      expect(victim.cookies.get('parley_session')).not.toBe(planted);
      expect((await victim.get(ME)).status).toBe(200);
      expect((await earlier.get(ME)).status).toBe(401);
    });

    test('end by signing out, here alone', async () => {
      const { email, visitor } = await start();
      const { visitor: other } = await signIn(email);
      const token = visitor.cookies.get('parley_session') as string;
      expect((await visitor.post('/auth/v1/sign-out')).body).toEqual({ state: 'signed-out' });
      expect(visitor.cookies.has('parley_session')).toBe(false);
      visitor.cookies.set('parley_session', token);
      expect((await visitor.get(ME)).status).toBe(401);
      expect((await other.get(ME)).status).toBe(200);
    });

    test('end twelve hours after their last use, and after thirty days in any case', async () => {
      const { visitor } = await start();
      const status = async () => (await visitor.get(ME)).status;
      const HOUR_MS = 3600_000;
      nowMs += 11.9 * HOUR_MS;
      expect(await status()).toBe(200);
      nowMs += 11.9 * HOUR_MS;
      expect(await status()).toBe(200);
      nowMs += 12.1 * HOUR_MS;
      expect(await status()).toBe(401);
      const { visitor: kept } = await start();
      for (let used = 0; used < 60; used++) {
        nowMs += 11.9 * HOUR_MS;
        expect((await kept.get(ME)).status).toBe(200);
      }
      nowMs += 11.9 * HOUR_MS;
      expect((await kept.get(ME)).status).toBe(401);
    });

    test.each<[string, (by: TestClient, id: string, own: Visitor) => Promise<unknown>, number]>([
      ['sign out everywhere', (_by, _id, own) => own.post(`${ACCOUNT}/sign-out`), 0],
      ['an admin signs them out', (by, id) => by.post(`${PEOPLE}/${id}/sign-out`), 0],
      ['their role changes', (by, id) => by.patch(`${PEOPLE}/${id}`, { role: 'viewer' }), 0],
      ['they are removed', (by, id) => by.delete(`${PEOPLE}/${id}`), 0],
      [
        'their second factor is taken off',
        (by, id) => by.delete(`${PEOPLE}/${id}/second-factor`),
        0,
      ],
      [
        'they change their password, but for the one that did',
        (_by, _id, own) =>
          own.send('PUT', `${ACCOUNT}/password`, {
            current: PASSWORD,
            password: 'another long one',
          }),
        1,
      ],
    ])('all end at once when %s', async (_, act, left) => {
      const { key, email, visitor, id } = await start();
      const others = await Promise.all([signIn(email), signIn(email)]);
      expect(await act(key, id, visitor)).toMatchObject({ status: 200 });
      for (const other of others) expect((await other.visitor.get(ME)).status).toBe(401);
      expect((await visitor.get(ME)).status).toBe(left === 1 ? 200 : 401);
      const rows = await db().select().from(sessions).where(eq(sessions.personId, id));
      expect(rows).toHaveLength(left);
    });

    test('another name ends none', async () => {
      const { key, visitor, id } = await start();
      await key.patch(`${PEOPLE}/${id}`, { name: 'Grace' });
      expect((await visitor.get(ME)).body.person.name).toBe('Grace');
    });

    test('are listed to whose they are, who can end each', async () => {
      const { email, visitor } = await start();
      const { visitor: other } = await signIn(email);
      const list = (await visitor.get(`${ACCOUNT}/sessions`)).body;
      expect(list.map(({ current }: { current: boolean }) => current)).toEqual([false, true]);
      const { visitor: stranger } = await start();
      const path = `${ACCOUNT}/sessions/${list[0].id}`;
      expect((await stranger.send('DELETE', path)).status).toBe(404);
      expect((await visitor.send('DELETE', path)).status).toBe(200);
      expect((await other.get(ME)).status).toBe(401);
    });

    test('at most fifty are kept of one person, the newest', async () => {
      const { key, visitor, id } = await start();
      const person = await getPerson(db(), { teamId: key.teamId, id });
      const visit = { person, pending: false, from: '::1', userAgent: '' };
      for (let n = 0; n < 50; n++) await createSession(db(), { ...visit, now: new Date(nowMs) });
      const rows = await db().select().from(sessions).where(eq(sessions.personId, id));
      expect(rows).toHaveLength(50);
      expect((await visitor.get(ME)).status).toBe(401);
    });
  });

  test('a password that is changed while it is checked begins no session', async () => {
    const { key, visitor, id } = await start();
    const checked = await getPerson(db(), { teamId: key.teamId, id });
    const visit = { person: checked, pending: false, from: '::1', userAgent: '' };
    const now = new Date(nowMs);
    expect(await createSession(db(), { ...visit, now })).toBeDefined();
    const change = { current: PASSWORD, password: 'another long one' };
    expect((await visitor.send('PUT', `${ACCOUNT}/password`, change)).status).toBe(200);
    expect(await createSession(db(), { ...visit, now })).toBeUndefined();
  });

  describe('passwords', () => {
    test('an unknown address and a wrong password are answered alike', async () => {
      const { email } = await start();
      const { answer: wrong } = await signIn(email, 'not the right one');
      const { answer: unknown } = await signIn(newEmail(), 'not the right one');
      const told = ({ status, body, headers }: typeof wrong) => [
        status,
        body,
        Object.keys(headers),
      ];
      expect(told(wrong)).toEqual(told(unknown));
      expect(wrong).toMatchObject({
        status: 401,
        body: { message: 'The e-mail address or the password is wrong' },
      });
      expect(wrong.headers['set-cookie']).toBeUndefined();
    });

    test('are kept hashed by argon2id alone, and letters written in another way are the same', async () => {
      const key = await api.client(await newTeam());
      const email = newEmail();
      const { body } = await key.post(INVITATIONS, { email, role: 'viewer' });
      const password = 'd\u00e9j\u00e0 vu encore une fois';
      const token = tokenIn(body.url);
      await new Visitor(api.app).post(`${SIGN_IN}/accept`, { token, name: 'A', password });
      const [row] = await db().select().from(people).where(eq(people.email, email));
      expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect((await signIn(email, password.normalize('NFD'))).answer.status).toBe(200);
      expect((await signIn(email.toUpperCase(), password)).answer.status).toBe(200);
    });

    test('change only beside the present one', async () => {
      const { email, visitor } = await start();
      const put = (body: object) => visitor.send('PUT', `${ACCOUNT}/password`, body);
      expect((await put({ password: 'another long one' })).status).toBe(400);
      expect((await put({ current: 'wrong', password: 'another long one' })).status).toBe(400);
      expect((await put({ current: PASSWORD, password: 'short' })).status).toBe(400);
      expect((await put({ current: PASSWORD, password: 'another long one' })).status).toBe(200);
      expect((await signIn(email)).answer.status).toBe(401);
      expect((await signIn(email, 'another long one')).answer.status).toBe(200);
    });

    test('cannot be guessed fast, at one account from anywhere nor from one address at any', async () => {
      const limits = {
        account: { perSecond: 0.001, burst: 3 },
        address: { perSecond: 0.001, burst: 5 },
      };
      const slow = await startTestApi(db(), { now: () => nowMs, limits: { signIns: limits } });
      const email = newEmail();
      const guess = async (at: string) =>
        (await new Visitor(slow.app).post(SIGN_IN, { email: at, password: 'guess' })).status;
      const told = [];
      for (let n = 0; n < 4; n++) told.push(await guess(email));
      // The account exists or not: the answers are the same.
      expect(told).toEqual([401, 401, 401, 429]);
      expect([await guess(newEmail()), await guess(newEmail())]).toEqual([401, 429]);
      await slow.close();
    });

    test('of strangers shut nobody out of a browser in which they have signed in', async () => {
      const account = { perSecond: 0.001, burst: 3 };
      const limits = { signIns: { account, address: MANY }, strangers: MANY };
      const slow = await startTestApi(db(), { now: () => nowMs, limits });
      const key = await slow.client(await newTeam());
      const email = newEmail();
      const owner = await join(slow.app, key, { email, role: 'viewer' });
      const attempt = async (by: Visitor, password = PASSWORD, at = email) =>
        (await by.post(SIGN_IN, { email: at, password })).status;
      const stranger = async () => attempt(new Visitor(slow.app), 'guess');
      for (let n = 0; n < 3; n++) expect(await stranger()).toBe(401);
      expect(await stranger()).toBe(429);
      await owner.post('/auth/v1/sign-out');
      expect(await attempt(owner)).toBe(200);
      // Guesses from there are limited as well, and the mark is good for its account alone.
      for (let n = 0; n < 3; n++) expect(await attempt(owner, 'guess')).toBe(401);
      expect(await attempt(owner)).toBe(429);
      const other = newEmail();
      await join(slow.app, key, { email: other, role: 'viewer' });
      for (let n = 0; n < 3; n++) await attempt(new Visitor(slow.app), 'guess', other);
      expect(await attempt(owner, PASSWORD, other)).toBe(429);
      // Nobody makes such a mark up.
      const forger = new Visitor(slow.app);
      forger.cookies.set('parley_known', 'made-up');
      expect(await attempt(forger)).toBe(429);
      await slow.close();
    });

    test('made-up sessions cannot be looked up without end', async () => {
      const slow = await startTestApi(db(), {
        now: () => nowMs,
        limits: { strangers: { perSecond: 0.001, burst: 3 } },
      });
      const statuses = [];
      for (let n = 0; n < 5; n++) {
        const visitor = new Visitor(slow.app);
        visitor.cookies.set('parley_session', `made-up-${n}`);
        statuses.push((await visitor.get(SIGN_IN)).status);
      }
      expect(statuses).toEqual([200, 200, 200, 429, 429]);
      await slow.close();
    });

    test('sign nobody of a suspended team in', async () => {
      const { key, visitor } = await start();
      const suspension = { reason: 'unpaid', farewell: null, now: new Date(nowMs) };
      await suspendTeam(db(), { teamId: key.teamId, ...suspension });
      expect(await visitor.get(ME)).toMatchObject({ status: 403, body: { message: /unpaid/ } });
    });
  });

  describe('an invitation', () => {
    const invited = async (by: Pick<TestClient, 'post'>) => {
      const { body } = await by.post(INVITATIONS, { email: newEmail(), role: 'admin' });
      return tokenIn(body.url);
    };
    const accept = async (token: string) =>
      (
        await new Visitor(api.app).post(`${SIGN_IN}/accept`, {
          token,
          name: 'A',
          password: PASSWORD,
        })
      ).status;

    test.each<[string, (key: TestClient, id: string) => Promise<{ status: number }>]>([
      ['is removed', (key, id) => key.delete(`${PEOPLE}/${id}`)],
      ['gets another role', (key, id) => key.patch(`${PEOPLE}/${id}`, { role: 'viewer' })],
    ])('of a person who %s is void, and nobody else’s', async (_, act) => {
      const { key, visitor, id } = await start();
      const [theirs, others] = [await invited(visitor), await invited(key)];
      expect((await act(key, id)).status).toBe(200);
      expect(await accept(theirs)).toBe(404);
      expect(await accept(others)).toBe(200);
    });

    test('of an API key that is revoked is void', async () => {
      const { key } = await start();
      const { body } = await key.post('/auth/v1/api-keys', { name: 'Other', role: 'admin' });
      const other = createClient(api.app, { key: body.key, teamId: key.teamId });
      const token = await invited(other);
      await key.delete(`/auth/v1/api-keys/${body.id}`);
      expect(await accept(token)).toBe(404);
    });
  });

  describe('the last admin', () => {
    /** A team whose admins are people alone. */
    const withoutKeys = async (admins: number) => {
      const { key, visitor, id } = await start();
      const more = [];
      for (let n = 1; n < admins; n++)
        more.push(await join(api.app, key, { email: newEmail(), role: 'admin' }));
      const [apiKey] = (await key.get('/auth/v1/api-keys')).body;
      await key.delete(`/auth/v1/api-keys/${apiKey.id}`);
      return { visitor, id, more };
    };

    test('can neither go nor become less', async () => {
      const { visitor, id } = await withoutKeys(1);
      const message = { message: /no other admin who is there to stay/ };
      const removed = await visitor.send('DELETE', `${PEOPLE}/${id}`);
      expect(removed).toMatchObject({ status: 409, body: message });
      const demoted = await visitor.send('PATCH', `${PEOPLE}/${id}`, { role: 'builder' });
      expect(demoted).toMatchObject({ status: 409, body: message });
      expect((await visitor.get(ME)).body.role).toBe('admin');
    });

    test.each(['DELETE', 'PATCH'])(
      'of two who remove each other at once, one stays (%s)',
      async (method) => {
        for (let round = 0; round < 3; round++) {
          const { visitor: ada, id: adaId, more } = await withoutKeys(2);
          const bob = more[0] as Visitor;
          const bobId = (await bob.get(ME)).body.person.id;
          const body = method === 'PATCH' ? { role: 'viewer' } : undefined;
          const statuses = await Promise.all([
            ada.send(method, `${PEOPLE}/${bobId}`, body),
            bob.send(method, `${PEOPLE}/${adaId}`, body),
          ]);
          expect(statuses.filter(({ status }) => status === 200)).toHaveLength(1);
          const left = [ada, bob].map(async (one) => (await one.get(ME)).status);
          expect((await Promise.all(left)).sort()).toEqual([200, 401]);
        }
      },
    );

    test('of a person and an API key that remove each other at once, one stays', async () => {
      for (let round = 0; round < 3; round++) {
        const { key, visitor, id } = await start();
        const [apiKey] = (await key.get('/auth/v1/api-keys')).body;
        const statuses = await Promise.all([
          key.delete(`${PEOPLE}/${id}`),
          visitor.send('DELETE', `/auth/v1/api-keys/${apiKey.id}`),
        ]);
        expect(statuses.filter(({ status }) => status === 200)).toHaveLength(1);
        const left = [key.get(ME), visitor.get(ME)].map(async (one) => (await one).status);
        expect((await Promise.all(left)).toSorted()).toEqual([200, 401]);
      }
    });

    test('of two API keys that revoke each other at once, one stays', async () => {
      for (let round = 0; round < 3; round++) {
        const first = await api.client(await newTeam());
        const { body } = await first.post('/auth/v1/api-keys', { name: 'Second', role: 'admin' });
        const second = createClient(api.app, { key: body.key, teamId: first.teamId });
        const own = (await second.get('/auth/v1/api-keys')).body.find(
          ({ id }: { id: string }) => id !== body.id,
        );
        const statuses = await Promise.all([
          first.delete(`/auth/v1/api-keys/${body.id}`),
          second.delete(`/auth/v1/api-keys/${own.id}`),
        ]);
        expect(statuses.filter(({ status }) => status === 200)).toHaveLength(1);
      }
    });

    test('whoever has been removed meanwhile removes nobody, though other admins are left', async () => {
      for (let round = 0; round < 3; round++) {
        const { visitor: ada, id: adaId, more } = await withoutKeys(3);
        const bob = more[0] as Visitor;
        const bobId = (await bob.get(ME)).body.person.id;
        const statuses = await Promise.all([
          ada.send('DELETE', `${PEOPLE}/${bobId}`),
          bob.send('DELETE', `${PEOPLE}/${adaId}`),
        ]);
        expect(statuses.filter(({ status }) => status === 200)).toHaveLength(1);
      }
    });
  });

  test("another team's people and invitations are missing", async () => {
    const { id } = await start();
    const { key: eve } = await start();
    const { body } = await (await api.client(await newTeam())).post(INVITATIONS, {
      email: newEmail(),
      role: 'viewer',
    });
    for (const answer of [
      await eve.patch(`${PEOPLE}/${id}`, { role: 'viewer' }),
      await eve.delete(`${PEOPLE}/${id}`),
      await eve.post(`${PEOPLE}/${id}/sign-out`),
      await eve.delete(`${PEOPLE}/${id}/second-factor`),
      await eve.delete(`${INVITATIONS}/${body.id}`),
    ])
      expect(answer.status).toBe(404);
  });

  test('what people make says whose it is', async () => {
    const { visitor, email } = await start();
    const { body } = await visitor.post('/auth/v1/api-keys', { name: 'CI', role: 'viewer' });
    expect(body.origin).toEqual({ type: 'person', name: email.split('@')[0] });
  });
});
