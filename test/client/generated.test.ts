import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  BROWSER,
  GENERATED,
  generateBrowserClient,
  generateClient,
} from '../../src/client/generate.ts';
import { typeOf } from '../../src/client/type-source.ts';

test('the client is generated from the contract as it is now: `npm run client`', () => {
  expect(readFileSync(GENERATED, 'utf8') === generateClient()).toBe(true);
});

test('so is the one for browsers, which does what the other does', async () => {
  expect(readFileSync(BROWSER, 'utf8') === generateBrowserClient()).toBe(true);
  const { Client } = (await import(BROWSER.href)) as typeof import('../../src/client/client.ts');
  const asked: unknown[] = [];
  const client = new Client({
    baseUrl: 'https://voice.example/',
    apiKey: 'k',
    maxRetries: 0,
    fetch: async (url, init) => {
      asked.push([url, init.method, new Headers(init.headers).get('authorization')]);
      return new Response('{"message":"No"}', { status: 404 });
    },
  });
  const refused = client.call('getCall', { path: { id: 'WC-1/2' } });
  await expect(refused).rejects.toMatchObject({ name: 'ApiError', status: 404, message: 'No' });
  const url = 'https://voice.example/calls/v1/conversations/WC-1%2F2';
  expect(asked).toEqual([[url, 'GET', 'Bearer k']]);
});

test.each([
  [{ type: 'string' }, 'string'],
  [{ type: 'integer', minimum: 1 }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ enum: ['a', "b'c"] }, "'a' | 'b\\'c'"],
  [{ enum: ['a', 'b'], type: 'string', 'x-open-enum': true }, 'string'],
  [{ const: 'a' }, "'a'"],
  [{ const: false }, 'false'],
  [{ $ref: '#/components/schemas/Call' }, 'Call'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, "readonly ('a' | 'b')[]"],
  [{ anyOf: [{ type: 'string' }, { type: 'string', format: 'date' }] }, 'string'],
  [
    { type: 'object', additionalProperties: { type: 'string' } },
    'Readonly<Record<string, string>>',
  ],
  [{ type: 'object', additionalProperties: {} }, 'Readonly<Record<string, unknown>>'],
  [{}, 'unknown'],
  [
    {
      type: 'object',
      properties: { a: { type: 'string', description: 'A.' }, 'b-c': { type: 'null' } },
      required: ['a'],
      additionalProperties: false,
    },
    "{\n  /** A. */\n  readonly a: string;\n  readonly 'b-c'?: null;\n}",
  ],
])('%j is %s', (schema, type) => {
  expect(typeOf(schema, '')).toBe(type);
});
