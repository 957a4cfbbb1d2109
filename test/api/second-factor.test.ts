import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { people } from '../../src/store/schema/people.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';
import { join, PASSWORD, Visitor } from '../support/visitor.ts';

const ME = '/auth/v1/me';
const SIGN_IN = '/auth/v1/sign-in';
const FACTOR = '/auth/v1/account/second-factor';
const MANY = { perSecond: 1e6, burst: 1e6 };
const STEP_MS = 30_000;

let nowMs = Date.parse('2026-05-04T10:00:00Z');
let counter = 0;

const codeOf = (secret: string, atMs: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs });

withDatabase('the second factor', ({ db, newTeam }) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi(db(), {
      now: () => nowMs,
      limits: { signIns: { address: MANY, account: MANY }, strangers: MANY },
    });
  });
  afterAll(() => api.close());

  /** Somebody with a second factor, confirmed by the code of an earlier step. */
  const start = async () => {
    const email = `factor${++counter}@example.com`;
    const key = await api.client(await newTeam());
    const visitor = await join(api.app, key, { email, role: 'admin' });
    const { secret, uri } = (await visitor.post(FACTOR, { password: PASSWORD })).body;
    const confirmed = await visitor.send('PUT', FACTOR, { code: codeOf(secret, nowMs) });
    nowMs += 10 * STEP_MS;
    return { email, visitor, secret, uri, recoveryCodes: confirmed.body.recoveryCodes };
  };
  const half = async (email: string, app = api.app) => {
    const visitor = new Visitor(app);
    const { body } = await visitor.post(SIGN_IN, { email, password: PASSWORD });
    expect(body).toEqual({ state: 'second-factor' });
    return visitor;
  };
  const give = async (visitor: Visitor, code: string) =>
    (await visitor.post(`${SIGN_IN}/second-factor`, { code })).status;

  test('is asked for after the password, and until then nothing is open', async () => {
    const { email, secret, uri } = await start();
    expect(uri).toBe(
      `otpauth://totp/Parley:${encodeURIComponent(email)}?issuer=Parley&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    const visitor = await half(email);
    expect((await visitor.get(ME)).status).toBe(401);
    expect((await visitor.get(SIGN_IN)).body.state).toBe('second-factor');
    const before = visitor.cookies.get('parley_session');
    expect(await give(visitor, codeOf(secret, nowMs))).toBe(200);
    expect((await visitor.get(ME)).status).toBe(200);
    // The token of the half-open session opens nothing.
    const stale = new Visitor(api.app);
    stale.cookies.set('parley_session', before as string);
    expect((await stale.get(ME)).status).toBe(401);
  });

  test('does not hold before a code has confirmed it, which ends the other sessions', async () => {
    const email = `factor${++counter}@example.com`;
    const visitor = await join(api.app, await api.client(await newTeam()), {
      email,
      role: 'viewer',
    });
    const other = new Visitor(api.app);
    await other.post(SIGN_IN, { email, password: PASSWORD });
    expect((await visitor.post(FACTOR, { password: 'wrong' })).status).toBe(400);
    expect((await visitor.send('PUT', FACTOR, { code: '123456' })).status).toBe(409);
    const { secret } = (await visitor.post(FACTOR, { password: PASSWORD })).body;
    expect((await new Visitor(api.app).post(SIGN_IN, { email, password: PASSWORD })).body).toEqual({
      state: 'signed-in',
    });
    expect((await visitor.send('PUT', FACTOR, { code: 'abcdef' })).status).toBe(400);
    expect((await other.get(ME)).status).toBe(200);
    expect((await visitor.send('PUT', FACTOR, { code: codeOf(secret, nowMs) })).status).toBe(200);
    expect((await other.get(ME)).status).toBe(401);
    expect((await visitor.get(ME)).status).toBe(200);
  });

  test.each([
    [-2, 401],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 401],
  ])('a code of a clock that is %i steps off answers %i', async (steps, status) => {
    const { email, secret } = await start();
    expect(await give(await half(email), codeOf(secret, nowMs + steps * STEP_MS))).toBe(status);
  });

  test('a code works once, and no earlier one after it', async () => {
    const { email, secret } = await start();
    const code = codeOf(secret, nowMs);
    expect(await give(await half(email), code)).toBe(200);
    expect(await give(await half(email), code)).toBe(401);
    expect(await give(await half(email), codeOf(secret, nowMs - STEP_MS))).toBe(401);
    expect(await give(await half(email), codeOf(secret, nowMs + STEP_MS))).toBe(200);
  });

  test('the code that confirmed it does not sign in', async () => {
    const { email, secret } = await start();
    nowMs -= 10 * STEP_MS;
    expect(await give(await half(email), codeOf(secret, nowMs))).toBe(401);
    nowMs += 10 * STEP_MS;
  });

  test('a code given many times at once opens one session', async () => {
    const { email, secret } = await start();
    const visitors = await Promise.all(Array.from({ length: 8 }, () => half(email)));
    const code = codeOf(secret, nowMs);
    const statuses = await Promise.all(visitors.map((visitor) => give(visitor, code)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  test('recovery codes work once each, however they are typed', async () => {
    const { email, recoveryCodes, visitor } = await start();
    expect(recoveryCodes).toHaveLength(10);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first, second] = recoveryCodes;
    expect(await give(await half(email), first)).toBe(200);
    expect(await give(await half(email), first)).toBe(401);
    expect(await give(await half(email), ` ${second.replaceAll('-', '').toUpperCase()}`)).toBe(200);
    expect((await visitor.get('/auth/v1/account')).body.recoveryCodesLeft).toBe(8);
  });

  test('after five wrong codes the password is asked for again', async () => {
    const { email, secret } = await start();
    const visitor = await half(email);
    for (let n = 0; n < 5; n++) expect(await give(visitor, '000000x')).toBe(401);
    expect(await give(visitor, codeOf(secret, nowMs))).toBe(401);
    expect(await give(await half(email), codeOf(secret, nowMs))).toBe(200);
  });

  test('has to come within ten minutes', async () => {
    const { email, secret } = await start();
    const visitor = await half(email);
    nowMs += 600_001;
    expect(await give(visitor, codeOf(secret, nowMs))).toBe(401);
  });

  test('codes cannot be tried without end by who knows the password', async () => {
    const account = { perSecond: 0.001, burst: 3 };
    const slow = await startTestApi(db(), {
      now: () => nowMs,
      limits: { signIns: { address: MANY, account }, strangers: MANY },
    });
    const { email } = await start();
    const told = [];
    for (let round = 0; round < 2; round++) {
      const visitor = await half(email, slow.app);
      for (let n = 0; n < 2; n++) told.push(await give(visitor, '000000x'));
    }
    expect(told).toEqual([401, 401, 401, 429]);
    await slow.close();
  });

  test('is not replaced by an open session', async () => {
    const { visitor } = await start();
    expect((await visitor.post(FACTOR, { password: PASSWORD })).status).toBe(409);
  });

  test('is not taken off its own admin by an open session', async () => {
    const { visitor } = await start();
    const { person } = (await visitor.get(ME)).body;
    const reset = await visitor.send('DELETE', `/auth/v1/people/${person.id}/second-factor`);
    expect(reset.status).toBe(409);
    expect((await visitor.get('/auth/v1/account')).body.secondFactor).toBe(true);
  });

  test('is removed by a code of it, not by an open session alone, and that ends the others', async () => {
    const { email, secret, visitor } = await start();
    const other = await half(email);
    expect(await give(other, codeOf(secret, nowMs))).toBe(200);
    nowMs += STEP_MS;
    expect((await visitor.post(`${FACTOR}/remove`, { code: '123' })).status).toBe(400);
    const removed = await visitor.post(`${FACTOR}/remove`, { code: codeOf(secret, nowMs) });
    expect(removed).toMatchObject({ status: 200, body: { secondFactor: false } });
    expect((await other.get(ME)).status).toBe(401);
    expect((await visitor.get(ME)).status).toBe(200);
    const { body } = await new Visitor(api.app).post(SIGN_IN, { email, password: PASSWORD });
    expect(body).toEqual({ state: 'signed-in' });
  });

  test('its secret is sealed and its recovery codes are hashed', async () => {
    const { email, secret, recoveryCodes } = await start();
    const rows = await db().select().from(people).where(eq(people.email, email));
    const text = JSON.stringify(rows);
    expect(text).toContain('sealed:1:');
    for (const planted of [secret, ...recoveryCodes]) expect(text).not.toContain(planted);
  });
});
