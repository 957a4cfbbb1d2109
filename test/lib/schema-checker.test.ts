import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { SchemaChecker } from '../../src/lib/schema-checker.ts';

/** The threads have a low priority, and wait long on a busy machine. */
const PATIENT = { deadlineMs: 60_000 };
const schemas = new SchemaChecker(PATIENT);
afterAll(() => schemas.close());

const ada = { team: 'ada' };
const list = (items: object) => ({ properties: { list: { type: 'array', ...items } } });

describe('a schema that a user wrote', () => {
  test('says what is wrong with a value, as on this thread', async () => {
    const schema = { properties: { day: { type: 'string', format: 'date' } }, required: ['day'] };
    expect(await schemas.check(schema, { day: '2027-03-01' }, ada)).toEqual([]);
    expect(await schemas.check(schema, { day: 'Friday' }, ada)).toEqual([
      'day must match format "date"',
    ]);
  });

  test.each<[string, object, object]>([
    [
      'a pattern that backtracks, for many strings',
      list({ items: { pattern: '^(a+)+$' } }),
      { list: Array.from({ length: 400 }, () => `${'a'.repeat(40)}!`) },
    ],
    [
      'uniqueItems over many objects',
      list({ uniqueItems: true }),
      { list: Array.from({ length: 20_000 }, (_, index) => ({ index })) },
    ],
    ['a reference to itself', { allOf: [{ $ref: '#' }] }, {}],
  ])('is given up: %s', async (_what, schema, value) => {
    const check = schemas.check(schema as Record<string, unknown>, value, ada);
    await expect(check).rejects.toThrow(/takes longer than 500 ms|too complex/);
  });

  test('that takes too long to compile, or is too large, is given up', async () => {
    const many = (count: number, property: object) => ({
      properties: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`p${index}`, property]),
      ),
    });
    await expect(
      schemas.compile(many(3000, { type: 'string', minLength: 1 }), ada),
    ).rejects.toThrow('is longer than 65536 characters of JSON');
    const deep = { anyOf: Array.from({ length: 3 }, () => ({ type: 'object' })) };
    await expect(schemas.compile(many(1200, deep), ada)).rejects.toThrow(
      /takes longer than 500 ms|is longer than/,
    );
    expect(await schemas.check({ type: 'object' }, {}, ada)).toEqual([]);
  });

  test.each<[string, object, string | undefined]>([
    ['a remote reference', { properties: { a: {}, b: { $ref: 'https://x.example/s.json' } } }, 'b'],
    ['a local reference to nothing', { properties: { b: { $ref: '#/nowhere' } } }, 'b'],
    ['a pattern that is none', { properties: { b: { pattern: '(' } } }, 'b'],
    ['no type of JSON', { type: 'text' }, undefined],
  ])('is refused, and the property at fault is named: %s', async (_what, schema, property) => {
    const compiling = schemas.compile(schema as Record<string, unknown>, ada);
    await expect(compiling).rejects.toMatchObject({ name: 'JsonSchemaError', property });
  });

  test('of one team keeps no other team waiting', async () => {
    const hostile = list({ items: { pattern: '^(a+)+$' } });
    const value = { list: [`${'a'.repeat(60)}!`] };
    // A thread's first check compiles the checker, too.
    const strict = new SchemaChecker({ ...PATIENT, cpuMs: 250 });
    onTestFinished(() => strict.close());
    const attacks = Array.from({ length: 6 }, () => strict.check(hostile, value, { team: 'eve' }));
    const settled = Promise.allSettled(attacks);
    let isOver = false;
    void settled.then(() => (isOver = true));
    expect(await strict.check({ type: 'object' }, {}, ada)).toEqual([]);
    expect(isOver).toBe(false);
    for (const result of await settled) expect(result.status).toBe('rejected');
  });
});
