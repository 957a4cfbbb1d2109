import { describe, expect, test, vi } from 'vitest';
import { compileJsonSchema } from '../../src/lib/json-schema.ts';
import { JsonSchemaError } from '../../src/lib/json-schema-error.ts';

const booking = {
  type: 'object',
  properties: {
    day: { type: 'string', format: 'date', example: '2027-03-01' },
    seats: { type: 'integer', minimum: 1 },
    area: { enum: ['inside', 'outside'] },
    guest: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  },
  required: ['day'],
  additionalProperties: false,
};

describe('checking a value against a schema that a user wrote', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['right', { day: '2027-03-01', seats: 2, area: 'inside' }, []],
    ['missing', {}, ["must have required property 'day'"]],
    ['of another type', { day: '2027-03-01', seats: 'two' }, ['seats must be integer']],
    ['of another format', { day: 'Friday' }, ['day must match format "date"']],
    ['unknown', { day: '2027-03-01', dya: 1 }, ['must not have the property dya']],
    ['not offered', { day: '2027-03-01', area: 'roof' }, ['area must be one of inside, outside']],
    ['nested', { day: '2027-03-01', guest: {} }, ["guest must have required property 'name'"]],
  ])('says what is %s', (_what, value, problems) => {
    expect(compileJsonSchema(booking)(value)).toEqual(problems);
  });

  test.each([
    { type: 'text' },
    { properties: { a: { pattern: '(' } } },
    { $ref: '#/nowhere' },
    { $ref: 'https://elsewhere.example/schema.json' },
  ])('refuses what is no schema, and fetches nothing: %j', (schema) => {
    expect(() => compileJsonSchema(schema)).toThrow(JsonSchemaError);
  });

  test('an asynchronous schema is checked like any other', () => {
    expect(compileJsonSchema({ ...booking, $async: true })({})).toHaveLength(1);
  });
});

test('a format that nobody knows is ignored without a word to the terminal', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const check = compileJsonSchema({ type: 'object', properties: { at: { format: 'teatime' } } });
  expect(check({ at: 'five' })).toEqual([]);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});
