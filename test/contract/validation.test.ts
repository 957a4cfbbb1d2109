import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeFaults, validate } from '../../src/contract/validation.ts';

const schema = z.strictObject({
  name: z.string().min(1).max(3),
  count: z.int().min(1).max(9),
  kind: z.enum(['a', 'b']),
  nested: z.strictObject({ list: z.array(z.strictObject({ on: z.boolean() })).max(1) }),
  map: z.record(z.string().regex(/^[a-z]+$/, 'must be lower case'), z.string()),
  choice: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('x') }),
    z.strictObject({ type: z.literal('y') }),
  ]),
});

const good = {
  name: 'abc',
  count: 3,
  kind: 'a',
  nested: { list: [{ on: true }] },
  map: { a: 'b' },
  choice: { type: 'x' },
};

function faults(input: unknown): string {
  const result = validate(schema, input);
  return result.ok ? '' : describeFaults(result.faults);
}

describe('a refusal names the field and says why', () => {
  test.each([
    [{ ...good, name: undefined }, 'name: is required'],
    [{ ...good, name: 7 }, 'name: must be a string'],
    [{ ...good, name: '' }, 'name: must have at least 1 character'],
    [{ ...good, name: 'abcd' }, 'name: must have at most 3 characters'],
    [{ ...good, count: 10 }, 'count: must be at most 9'],
    [{ ...good, count: 1.5 }, 'count: must be an integer'],
    [{ ...good, kind: 'c' }, 'kind: must be one of a, b'],
    [{ ...good, extra: 1, more: 2 }, 'extra: unknown field; more: unknown field'],
    [{ ...good, nested: { list: [{ on: 1 }] } }, 'nested.list.0.on: must be a boolean'],
    [{ ...good, nested: { list: [{ on: true, off: 1 }] } }, 'nested.list.0.off: unknown field'],
    [
      { ...good, nested: { list: [{ on: true }, { on: true }] } },
      'nested.list: must have at most 1 item',
    ],
    [{ ...good, map: { A: 'b' } }, 'map.A: must be lower case'],
    [{ ...good, choice: { type: 'z' } }, 'choice.type: must be one of x, y'],
    [{ ...good, choice: {} }, 'choice.type: must be one of x, y'],
    [[], 'must be an object'],
  ])('%j', (input, expected) => {
    expect(faults(input)).toBe(expected);
  });

  test('all of them at once', () => {
    expect(faults({ ...good, name: 1, kind: 1 })).toBe(
      'name: must be a string; kind: must be one of a, b',
    );
  });

  test('but never more than a person can read', () => {
    const extra = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`${i}`.padEnd(1000, 'x'), 1]),
    );
    const result = validate(schema, { ...good, ...extra });
    expect(result.ok).toBe(false);
    if (result.ok) return;
    expect(result.faults).toHaveLength(50);
    expect(Math.max(...result.faults.map(({ path }) => path.length))).toBeLessThan(300);
  });
});

test('a good input comes back', () => {
  expect(validate(schema, good)).toEqual({ ok: true, value: good });
});
