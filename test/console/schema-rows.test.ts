import { describe, expect, test } from 'vitest';
import {
  enumOf,
  freeRowName,
  retyped,
  rowsOf,
  typeOf,
  withRows,
} from '../../src/console/form/schema-rows.ts';

describe('a schema as rows', () => {
  const SCHEMA = {
    title: 'Booking',
    type: 'object',
    properties: { slot: { type: 'string', format: 'date' }, seats: { type: 'integer' } },
    required: ['slot'],
  };

  test('keeps what the rows do not show', () => {
    const rows = rowsOf(SCHEMA);
    expect(rows).toEqual([
      { name: 'slot', schema: { type: 'string', format: 'date' }, required: true },
      { name: 'seats', schema: { type: 'integer' }, required: false },
    ]);
    expect(withRows(SCHEMA, rows)).toEqual(SCHEMA);
    const changed = withRows(SCHEMA, [
      { name: 'day', schema: { type: 'string' }, required: false },
    ]);
    expect(changed).toEqual({
      title: 'Booking',
      type: 'object',
      properties: { day: { type: 'string' } },
      required: [],
    });
  });

  test.each([{}, { properties: [] }, { properties: null, required: 'slot' }])(
    'has none where there is nothing to show: %o',
    (schema) => {
      expect(rowsOf(schema)).toEqual([]);
    },
  );

  test('a property that is no schema is shown as one that says nothing', () => {
    expect(rowsOf({ properties: { a: true }, required: ['a', 7] })).toEqual([
      { name: 'a', schema: {}, required: true },
    ]);
  });

  test('a new row has a name of its own', () => {
    const row = (name: string) => ({ name, schema: {}, required: false });
    expect(freeRowName([])).toBe('field_1');
    expect(freeRowName([row('slot'), row('field_3')])).toBe('field_4');
  });
});

describe('the type of a property', () => {
  test('is one of those that the editor can show', () => {
    expect(typeOf({ type: 'integer' })).toBe('integer');
    for (const type of ['null', ['string', 'null'], 'toString', undefined])
      expect(typeOf({ type })).toBeUndefined();
  });

  test('takes what fits the old one alone away with it', () => {
    const text = { type: 'string', description: 'When', enum: ['a'], format: 'date' };
    expect(retyped(text, 'number')).toEqual({ type: 'number', description: 'When' });
    expect(retyped(text, 'array')).toEqual({
      ...{ type: 'array', description: 'When', items: { type: 'string' } },
    });
    const object = {
      type: 'object',
      properties: { a: {} },
      required: ['a'],
      additionalProperties: false,
    };
    expect(retyped(object, 'string')).toEqual({ type: 'string' });
    expect(retyped(text, 'object')).toEqual({
      ...{ type: 'object', description: 'When', properties: {}, required: [] },
    });
  });

  test('says what its values are, one per line', () => {
    expect(enumOf(' red \n\n green', 'string')).toEqual(['red', 'green']);
    expect(enumOf('1\n two \n2.5', 'number')).toEqual([1, 2.5]);
    expect(enumOf(' \n', 'string')).toBeUndefined();
  });
});
