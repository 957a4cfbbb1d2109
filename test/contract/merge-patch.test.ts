import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { assistantConfigSchema } from '../../src/contract/assistant.ts';
import { applyMergePatch, mergePatchSchema } from '../../src/contract/merge-patch.ts';
import { validate } from '../../src/contract/validation.ts';
import { vendors } from './vendors.ts';

// The table of RFC 7396, appendix A.
test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j patched with %j is %j', (target, patch, result) => {
  expect(applyMergePatch(target, patch)).toEqual(result);
});

describe("an assistant's patch", () => {
  const patch = mergePatchSchema(assistantConfigSchema(vendors));
  const config = assistantConfigSchema(vendors);
  const stored = config.parse({
    name: 'Ada',
    hints: ['Oslo'],
    assistantServer: { headers: { 'X-A': '1', 'X-B': '2' } },
  });
  const patched = (change: Record<string, unknown>) => {
    const checked = validate(patch, change);
    if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
    return config.parse(applyMergePatch(stored, checked.value));
  };

  test('may be empty, and fills in nothing', () => {
    expect(patch.parse({})).toEqual({});
    expect(patch.parse({ config: { speech: { stt: {} } } })).toEqual({
      config: { speech: { stt: {} } },
    });
  });

  test('changes one field in the depth and leaves its neighbours', () => {
    const after = patched({ startSpeakingOptions: { waitSeconds: 1 } });
    expect(after).toEqual({
      ...stored,
      startSpeakingOptions: { ...stored.startSpeakingOptions, waitSeconds: 1 },
    });
  });

  test('replaces arrays', () => {
    expect(patched({ hints: ['Rome', 'Lima'] }).hints).toEqual(['Rome', 'Lima']);
  });

  test('gives a field its default back with null, at any depth', () => {
    expect(patched({ hints: null }).hints).toEqual([]);
    expect(patched({ config: null }).config).toEqual(stored.config);
    expect(
      patched({ assistantServer: { headers: { 'X-A': null } } }).assistantServer.headers,
    ).toEqual({ 'X-B': '2' });
  });

  test('cannot take away what is required', () => {
    expect(validate(patch, { name: null })).toEqual({
      ok: false,
      faults: [{ path: 'name', message: 'must be a string' }],
    });
  });

  test('refuses unknown fields, also when they are null', () => {
    expect(validate(patch, { nam: null, config: { speach: {} } })).toEqual({
      ok: false,
      faults: [
        { path: 'config.speach', message: 'unknown field' },
        { path: 'nam', message: 'unknown field' },
      ],
    });
  });

  test('keeps the bounds of the fields', () => {
    expect(validate(patch, { idleTimeout: 601 }).ok).toBe(false);
    expect(validate(patch, { idleTimeout: 600 }).ok).toBe(true);
  });
});

test('a patch keeps the descriptions of the fields', () => {
  const schema = mergePatchSchema(z.strictObject({ a: z.string().default('').describe('A.') }));
  expect(z.toJSONSchema(schema)).toMatchObject({ properties: { a: { description: 'A.' } } });
});
