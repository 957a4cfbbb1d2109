import { expect, test } from 'vitest';
import { createCarriers } from '../../src/carriers/registry.ts';
import { createGuardedConnector, systemResolver } from '../../src/lib/guarded-connector.ts';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { startLocalServer } from '../support/local-server.ts';

test('a number is dialled at the endpoint, and handed on to the URI, that are configured', async () => {
  const asked: URL[] = [];
  await using pbx = await startLocalServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://pbx'));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1"}');
  });
  const options = {
    allowPrivate: true,
    clock: systemClock,
    connectTimeoutMs: 3000,
    resolve: systemResolver,
  };
  const outbound = createGuardedFetch(options);
  const account = createCarriers({
    accounts: {},
    baseUrls: {},
    clock: systemClock,
    guard: { fetch: outbound.fetch, connect: createGuardedConnector(options) },
  })
    .find('asterisk')
    ?.open({
      ariUrl: `${pbx.url}/ari`,
      user: 'u',
      password: 'p',
      dialEndpoint: 'PJSIP/{number}@uplink',
      referUri: 'sip:{number}@carrier.example',
    });
  const { signal } = new AbortController();
  await account?.dial({
    to: '+4930123',
    from: '+4930100',
    callId: 'CC-1',
    answerUrl: '',
    statusUrl: '',
    ringSeconds: 30,
    maxSeconds: 600,
    signal,
  });
  await account?.refer?.('CC-1', '+4930456', signal);
  await outbound.close();
  const queries = asked.map((url) => [url.pathname, Object.fromEntries(url.searchParams)]);
  expect(queries).toMatchObject([
    ['/ari/channels', { endpoint: 'PJSIP/+4930123@uplink' }],
    // A dial string would become an invalid Refer-To, to which the far end answers 400.
    [
      '/ari/channels/CC-1/variable',
      { variable: 'PARLEY_REFER_TO', value: 'PJSIP/sip:+4930456@carrier.example' },
    ],
    ['/ari/channels/CC-1/continue', { context: 'parley-refer', extension: 's', priority: '1' }],
  ]);
});

test('a call is dialled by REFER only where the number names a URI for it', async () => {
  const carrier = createCarriers({
    accounts: {},
    baseUrls: {},
    clock: systemClock,
    guard: { fetch: () => Promise.reject(new Error('unused')), connect: () => undefined },
  }).find('asterisk');
  const login = { ariUrl: 'http://pbx.example/ari', user: 'u', password: 'p' };
  expect(carrier?.open(login).refer).toBeUndefined();
});
