import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GENERATED, generateClient } from '../../src/client/generate.ts';
import { typeOf } from '../../src/client/type-source.ts';

test('the client is generated from the contract as it is now: `npm run client`', () => {
  expect(readFileSync(GENERATED, 'utf8') === generateClient()).toBe(true);
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
