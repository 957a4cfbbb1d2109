import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContract, operationsOf } from '../../src/contract/contract.ts';
import { startTestApi, type TestApi, testVendors } from '../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  // Public documents need no store.
  api = await startTestApi({} as never, { operatorKey: 'operator-key-of-the-test' });
});
afterAll(() => api.close());

test('the document is served to anybody, and describes exactly what is served', async () => {
  const response = await api.app.inject({ url: '/openapi.json' });
  expect(response.statusCode).toBe(200);
  const { paths } = response.json();
  const described = Object.entries<object>(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const known = operationsOf(createContract(testVendors)).map(
    ({ method, path }) => `${method} ${path}`,
  );
  expect(described.sort()).toEqual(known.sort());
  const unserved = operationsOf(createContract(testVendors)).filter(
    ({ method, path }) => !api.app.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') }),
  );
  expect(unserved.map(({ id }) => id)).toEqual([]);
});

test.each(['AssistantInput', 'ToolInput', 'CalendarInput', 'WaitListInput'])(
  'the schema %s is served alone, with what it refers to, as it is in the document',
  async (name) => {
    const { components } = (await api.app.inject({ url: '/openapi.json' })).json();
    const response = await api.app.inject({ url: `/schemas/${name}.json` });
    const alone = response.json();
    expect(alone.$ref).toBe(`#/components/schemas/${name}`);
    const kept: Record<string, unknown> = alone.components.schemas;
    expect(kept[name]).toEqual(components.schemas[name]);
    for (const [each, schema] of Object.entries(kept))
      expect(schema).toEqual(components.schemas[each]);
    const named = [...response.body.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, to]) => to,
    );
    expect(new Set(named)).toEqual(new Set(Object.keys(kept)));
    expect(response.body.length).toBeLessThan(40_000);
  },
);

test('other schemas are not served alone', async () => {
  expect((await api.app.inject({ url: '/schemas/Call.json' })).statusCode).toBe(404);
});

test('the reader is served with all it needs, and is told to ask nobody else', async () => {
  const redirect = await api.app.inject({ url: '/docs' });
  expect(redirect.statusCode).toBe(301);
  const page = await api.app.inject({ url: '/docs/' });
  expect(page.statusCode).toBe(200);
  const sources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url);
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.filter((url) => /^(?:https?:)?\/\//.test(url as string))).toEqual([]);
  expect(page.body).toContain('"withDefaultFonts": false');
  expect(page.body).toContain('"telemetry": false');
  const script = await api.app.inject({ url: '/docs/js/scalar.js' });
  expect(script.statusCode).toBe(200);
  expect(script.headers['content-type']).toMatch(/javascript/);
  const headers = { 'accept-encoding': 'gzip, br' };
  const small = await api.app.inject({ url: '/docs/js/scalar.js', headers });
  expect(small.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(small.rawPayload).equals(script.rawPayload)).toBe(true);
});

test('the document comes compressed to whoever takes that, and not again while it is the same', async () => {
  const plain = await api.app.inject({ url: '/openapi.json' });
  const small = await api.app.inject({
    url: '/openapi.json',
    headers: { 'accept-encoding': 'gzip, br' },
  });
  expect(small.headers['content-encoding']).toBe('br');
  expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
  expect(JSON.parse(brotliDecompressSync(small.rawPayload).toString())).toEqual(plain.json());
  const again = await api.app.inject({
    url: '/openapi.json',
    headers: { 'if-none-match': String(plain.headers.etag) },
  });
  expect(again.statusCode).toBe(304);
});
