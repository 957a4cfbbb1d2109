import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAsteriskEmulator } from '../../src/carriers/emulator/asterisk-side.ts';
import { createCarriers } from '../../src/carriers/registry.ts';
import { createGuardedConnector, type Resolver } from '../../src/lib/guarded-connector.ts';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { CarrierCredentials } from '../../src/ports/carrier.ts';

type Asterisk = Awaited<ReturnType<typeof startAsteriskEmulator>>;

const loopback: Resolver = async () => [{ address: '127.0.0.1', family: 4 }];

describe('the address a team names for its Asterisk', () => {
  let pbx: Asterisk;
  let credentials: CarrierCredentials['asterisk'];
  const ending: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    pbx = await startAsteriskEmulator({ clock: systemClock });
    credentials = pbx.credentials as CarrierCredentials['asterisk'];
  });
  afterAll(async () => {
    for (const end of ending) await end();
    await pbx[Symbol.asyncDispose]();
  });

  function open(
    account: CarrierCredentials['asterisk'],
    { allowPrivate = false, own }: { allowPrivate?: boolean; own?: typeof account } = {},
  ) {
    const options = { allowPrivate, clock: systemClock, connectTimeoutMs: 3000, resolve: loopback };
    const outbound = createGuardedFetch(options);
    ending.push(() => outbound.close());
    const carriers = createCarriers({
      accounts: own ? { asterisk: own } : {},
      baseUrls: {},
      clock: systemClock,
      guard: { fetch: outbound.fetch, connect: createGuardedConnector(options) },
    });
    const found = carriers.find('asterisk')?.open(account);
    if (!found) throw new Error('there is no asterisk');
    return found;
  }

  /** What the first word of the event socket is: connected, or why not. */
  const following = (account: ReturnType<typeof open>) =>
    new Promise<string>((resolve) => {
      const events = account.openEvents?.({
        event: () => undefined,
        mayArrive: () => true,
        connected: (isConnected, problem) => {
          resolve(isConnected ? 'connected' : String(problem));
          void events?.close();
        },
        problem: () => undefined,
      });
    });
  const hangup = (account: ReturnType<typeof open>) =>
    account.hangup('nobody', AbortSignal.timeout(5000));
  const named = () => ({
    ...credentials,
    ariUrl: credentials.ariUrl.replace('127.0.0.1', 'pbx.example'),
  });

  test.each([
    ['an address', () => credentials],
    ['a name that leads to one', named],
  ])('is neither asked nor listened to when it is private: %s', async (_, account) => {
    await expect(hangup(open(account()))).rejects.toMatchObject({ code: 'private_target' });
    expect(await following(open(account()))).toContain('private or reserved address');
  });

  test.each([
    ['the operator allows private targets', { allowPrivate: true }],
    ['it is the one the operator has', {}],
  ])('may be private when %s', async (_, options) => {
    const own = 'allowPrivate' in options ? {} : { own: { ...credentials } };
    const account = open(credentials, { ...options, ...own });
    await hangup(account);
    expect(await following(account)).toBe('connected');
  });
});
