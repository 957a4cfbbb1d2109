import { expect, test } from 'vitest';
import { createCarriers } from '../../src/carriers/registry.ts';
import { createGuardedConnector, systemResolver } from '../../src/lib/guarded-connector.ts';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { startLocalServer } from '../support/local-server.ts';

test('a number is dialled, and handed on, at the endpoint that is configured, as it is written', async () => {
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
  expect(asked.map((url) => [url.pathname, url.searchParams.get('endpoint')])).toEqual([
    ['/ari/channels', 'PJSIP/+4930123@uplink'],
    ['/ari/channels/CC-1/redirect', 'PJSIP/+4930456@uplink'],
  ]);
});
