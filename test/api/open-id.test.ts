import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openIdProvider } from '../../src/api/people/open-id.ts';
import { people } from '../../src/store/schema/people.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { type Account, TestOpenIdProvider } from '../support/openid-provider.ts';
import { testSealer, withDatabase } from '../support/postgres.ts';
import { join, tokenIn, Visitor } from '../support/visitor.ts';

const SIGN_IN = '/auth/v1/sign-in';
const CALLBACK = '/auth/v1/sign-in/openid/callback';
const CONSOLE = '../../../../console/';
const MANY = { perSecond: 1e6, burst: 1e6 };

let counter = 0;
const newAccount = (): Required<Account> => {
  const sub = `subject-${++counter}`;
  return { sub, email: `${sub}@example.com`, email_verified: true, name: 'Ada Lovelace' };
};

withDatabase('OpenID Connect', ({ db, newTeam }) => {
  let api: TestApi;
  let provider: TestOpenIdProvider;
  let nowMs = Date.now();
  beforeAll(async () => {
    provider = await TestOpenIdProvider.start(`http://parley.test${CALLBACK}`);
    api = await startTestApi(db(), {
      now: () => nowMs,
      openId: openIdProvider(provider.access, () => 0),
      limits: { signIns: { address: MANY, account: MANY }, strangers: MANY },
    });
  });
  afterAll(async () => {
    await api.close();
    await provider.stop();
  });

  const leave = async (visitor: Visitor, invitation?: string): Promise<string> =>
    (await visitor.post(`${SIGN_IN}/openid`, invitation ? { invitation } : {})).body.url;
  /** As a browser comes: from another site, without the console's header. */
  const comeBack = async (visitor: Visitor, { pathname, search }: URL) => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const answer = await visitor.send('GET', pathname + search, undefined, headers);
    expect(answer.status).toBe(303);
    return answer.headers.location;
  };
  /** Signs in as an account; resolves with where the browser ends up. */
  const signIn = async (account: Account, invitation?: string) => {
    const visitor = new Visitor(api.app);
    provider.account = account;
    const back = await provider.visit(await leave(visitor, invitation));
    return { visitor, back, at: await comeBack(visitor, back) };
  };
  const refusal = (code: string) => `${CONSOLE}#/sign-in?refused=${code}`;
  const who = async (visitor: Visitor) => (await visitor.get('/auth/v1/me')).body.person;

  const invite = async (email: string) => {
    const key = await api.client(await newTeam());
    const { body } = await key.post('/auth/v1/invitations', { email, role: 'builder' });
    return { key, token: tokenIn(body.url) };
  };

  test('the page is told the name of the provider', async () => {
    expect((await new Visitor(api.app).get(SIGN_IN)).body).toEqual({
      state: 'signed-out',
      openId: { name: 'Example' },
    });
  });

  test('an invitation is accepted by it, and the same subject signs in again, whatever its address', async () => {
    const account = newAccount();
    const { token } = await invite(account.email);
    const first = await signIn(account, token);
    expect(first.at).toBe(CONSOLE);
    const { id, name, email } = await who(first.visitor);
    expect([name, email]).toEqual([account.name, account.email]);
    const moved = await signIn({ ...account, email: 'moved@example.com', email_verified: false });
    expect(await who(moved.visitor)).toMatchObject({ id, email: account.email });
    expect((await first.visitor.get('/auth/v1/account')).body).toMatchObject({
      ...{ hasPassword: false, openId: true },
    });
  });

  test('an invitation of another address is neither accepted nor used up', async () => {
    const account = newAccount();
    const { token } = await invite(account.email);
    expect((await signIn(newAccount(), token)).at).toBe(refusal('openid-unknown'));
    expect((await signIn(account, token)).at).toBe(CONSOLE);
  });

  /** Somebody who is signed in confirms at the provider who they are; resolves with where the browser ends up. */
  const confirm = async (visitor: Visitor, account: Account) => {
    provider.account = account;
    const { body } = await visitor.post(`${SIGN_IN}/openid`, { confirm: true });
    return comeBack(visitor, await provider.visit(body.url));
  };

  test('an account with a password is opened by a verified address only after its owner has confirmed it', async () => {
    const account = newAccount();
    const key = await api.client(await newTeam());
    const known = await join(api.app, key, { email: account.email, role: 'viewer' });
    const unverified = { ...account, email_verified: false };
    expect((await signIn(unverified)).at).toBe(refusal('openid-unverified'));
    expect((await signIn({ sub: account.sub })).at).toBe(refusal('openid-unverified'));
    // Whoever had the invitation chose the password: they may not be whom the provider knows.
    expect((await signIn(account)).at).toBe(refusal('openid-password'));
    const other = `${CONSOLE}#/account?refused=openid-other`;
    expect(await confirm(known, newAccount())).toBe(other);
    expect(await confirm(known, unverified)).toBe(other);
    expect((await known.get('/auth/v1/account')).body).toMatchObject({ openId: false });
    const spelled = { ...account, email: account.email.toUpperCase() };
    expect(await confirm(known, spelled)).toBe(`${CONSOLE}#/account`);
    const { visitor, at } = await signIn(spelled);
    expect(at).toBe(CONSOLE);
    expect((await who(visitor)).id).toBe((await who(known)).id);
  });

  test('an address that only case folding makes a known one is not that one', async () => {
    const email = `kim${++counter}@example.com`;
    const key = await api.client(await newTeam());
    await join(api.app, key, { email, role: 'viewer' });
    const kelvin = { ...newAccount(), email: email.replace('k', '\u212a') };
    expect((await signIn(kelvin)).at).toBe(refusal('openid-unverified'));
  });

  test('a person who is tied to one subject is not given to another with the same address', async () => {
    const account = newAccount();
    const { token } = await invite(account.email);
    await signIn(account, token);
    expect((await signIn({ ...account, sub: 'somebody else' })).at).toBe(refusal('openid-taken'));
  });

  test('another provider is taken in the place of the former one, by a verified address', async () => {
    const account = newAccount();
    const { token } = await invite(account.email);
    const { visitor } = await signIn(account, token);
    const { id } = await who(visitor);
    await db()
      .update(people)
      .set({ openIdIssuer: 'https://former.example' })
      .where(eq(people.id, id));
    const moved = { ...account, sub: `new-${account.sub}` };
    expect((await signIn({ ...moved, email_verified: false })).at).toBe(
      refusal('openid-unverified'),
    );
    const { visitor: again, at } = await signIn(moved);
    expect(at).toBe(CONSOLE);
    expect((await who(again)).id).toBe(id);
    expect((await signIn(account)).at).toBe(refusal('openid-taken'));
  });

  test('a first password and a factor without one need a proof that is fresh', async () => {
    const account = newAccount();
    const { token } = await invite(account.email);
    const { visitor } = await signIn(account, token);
    const choose = () =>
      visitor.send('PUT', '/auth/v1/account/password', { password: 'a good long password' });
    const add = () => visitor.post('/auth/v1/account/second-factor', {});
    for (const attempt of [choose, add])
      expect(await attempt()).toMatchObject({ status: 409, body: { message: /provider/ } });
    // Somebody else's account there proves nothing.
    expect(await confirm(visitor, newAccount())).toContain('refused=openid-other');
    expect((await choose()).status).toBe(409);
    expect(await confirm(visitor, account)).toBe(`${CONSOLE}#/account`);
    expect((await visitor.get('/auth/v1/account')).body).toMatchObject({ confirmed: true });
    nowMs += 300_001;
    expect((await choose()).status).toBe(409);
    await confirm(visitor, account);
    expect((await add()).status).toBe(201);
    expect(await choose()).toMatchObject({ status: 200, body: { hasPassword: true } });
  });

  test('to confirm, the provider asks anew, and only for who is signed in', async () => {
    const account = newAccount();
    const { token } = await invite(account.email);
    const { visitor } = await signIn(account, token);
    const { body } = await visitor.post(`${SIGN_IN}/openid`, { confirm: true });
    const asked = new URL(body.url).searchParams;
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '300']);
    const stranger = await new Visitor(api.app).post(`${SIGN_IN}/openid`, { confirm: true });
    expect(stranger.status).toBe(401);
    const back = await provider.visit(body.url);
    await visitor.post('/auth/v1/sign-out');
    expect(await comeBack(visitor, back)).toBe(`${CONSOLE}#/account?refused=openid-expired`);
  });

  test('whom nobody has invited stays outside', async () => {
    const { visitor, at } = await signIn(newAccount());
    expect(at).toBe(refusal('openid-unknown'));
    expect((await visitor.get('/auth/v1/me')).status).toBe(401);
  });

  describe('a way back', () => {
    const ready = async () => {
      const account = newAccount();
      const { token } = await invite(account.email);
      const visitor = new Visitor(api.app);
      provider.account = account;
      const back = await provider.visit(await leave(visitor, token));
      return { visitor, back };
    };
    /** Changes what the browser remembers of the attempt, as nobody without the key can. */
    const tamper = (visitor: Visitor, change: object) => {
      const sealed = visitor.cookies.get('parley_openid') as string;
      const flow = JSON.parse(testSealer.open(sealed, 'openid'));
      const forged = testSealer.seal(JSON.stringify({ ...flow, ...change }), 'openid');
      visitor.cookies.set('parley_openid', forged);
    };

    test('is good as it is', async () => {
      const { visitor, back } = await ready();
      expect(await comeBack(visitor, back)).toBe(CONSOLE);
      expect(visitor.cookies.has('parley_openid')).toBe(false);
    });

    test.each([
      ['state', { state: 'another' }],
      ['nonce', { nonce: 'another' }],
      ['verifier of PKCE', { verifier: 'another'.repeat(7) }],
    ])('with another %s is refused', async (_, change) => {
      const { visitor, back } = await ready();
      tamper(visitor, change);
      expect(await comeBack(visitor, back)).toBe(refusal('openid-failed'));
      expect((await visitor.get('/auth/v1/me')).status).toBe(401);
    });

    test('of somebody else’s attempt is refused: nobody is signed in to another’s account', async () => {
      const [mine, theirs] = [await ready(), await ready()];
      expect(await comeBack(mine.visitor, theirs.back)).toBe(refusal('openid-failed'));
      expect(await comeBack(new Visitor(api.app), theirs.back)).toBe(refusal('openid-expired'));
    });

    test('works once', async () => {
      const { visitor, back } = await ready();
      const cookie = visitor.cookies.get('parley_openid') as string;
      await comeBack(visitor, back);
      const again = new Visitor(api.app);
      again.cookies.set('parley_openid', cookie);
      expect(await comeBack(again, back)).toBe(refusal('openid-failed'));
    });

    test('after ten minutes is refused', async () => {
      const { visitor, back } = await ready();
      nowMs += 600_001;
      expect(await comeBack(visitor, back)).toBe(refusal('openid-expired'));
    });

    test('with an error of the provider, or a cookie that is none, is refused', async () => {
      const { visitor } = await ready();
      const error = new URL(`http://parley.test${CALLBACK}?error=access_denied`);
      expect(await comeBack(visitor, error)).toBe(refusal('openid-failed'));
      visitor.cookies.set('parley_openid', 'garbage');
      expect(await comeBack(visitor, error)).toBe(refusal('openid-expired'));
    });
  });

  test('a provider that is out of reach is named', async () => {
    const access = { ...provider.access, issuer: 'http://127.0.0.1:1' };
    const other = await startTestApi(db(), { openId: openIdProvider(access, () => 0) });
    expect(await new Visitor(other.app).post(`${SIGN_IN}/openid`, {})).toMatchObject({
      status: 502,
      body: { message: 'Example cannot be reached to sign in there' },
    });
    await other.close();
  });

  test('without a provider there is nothing to start', async () => {
    const other = await startTestApi(db());
    expect((await new Visitor(other.app).post(`${SIGN_IN}/openid`, {})).status).toBe(404);
    await other.close();
  });
});
