import { expect, test } from 'vitest';
import { SealError, Sealer } from '../../src/lib/seal.ts';

const sealer = new Sealer(['a phrase of the operator']);

test('what is sealed opens again, and shows nothing of itself', () => {
  for (const text of ['whsec_abc', 'ü€😀', 'x'.repeat(10_000), 'sealed:1:00000000:pretence']) {
    const sealed = sealer.seal(text, 'team');
    expect(sealed).toMatch(/^sealed:1:[0-9a-f]{8}:[\w-]+$/);
    expect(sealed).not.toContain(text);
    expect(Buffer.from(sealed.split(':')[3] ?? '', 'base64url').toString()).not.toContain(text);
    expect(sealer.open(sealed, 'team')).toBe(text);
  }
});

test('the same text is never sealed to the same thing twice', () => {
  const all = Array.from({ length: 100 }, () => sealer.seal('secret', 'team'));
  expect(new Set(all).size).toBe(100);
});

test('nothing stays nothing, and what was stored before sealing began stays readable', () => {
  expect(sealer.seal('', 'team')).toBe('');
  expect(sealer.open('', 'team')).toBe('');
  expect(sealer.open('plain', 'team')).toBe('plain');
});

test("another owner's sealed text is refused", () => {
  const sealed = sealer.seal('secret', 'team');
  expect(() => sealer.open(sealed, 'other')).toThrow(SealError);
});

test('a sealed text that was changed anywhere is refused', () => {
  const sealed = sealer.seal('secret', 'team');
  const start = sealed.lastIndexOf(':') + 1;
  for (let i = start; i < sealed.length; i++) {
    const bytes = Buffer.from(sealed.slice(start), 'base64url');
    bytes.writeUInt8(bytes.readUInt8((i - start) % bytes.length) ^ 1, (i - start) % bytes.length);
    const changed = sealed.slice(0, start) + bytes.toString('base64url');
    expect(() => sealer.open(changed, 'team')).toThrow(
      expect.objectContaining({ code: 'damaged' }),
    );
  }
});

test('a former key still opens, a key that is not at hand is named', () => {
  const sealed = sealer.seal('secret', 'team');
  const next = new Sealer(['another phrase', 'a phrase of the operator']);
  expect(next.open(sealed, 'team')).toBe('secret');
  expect(next.seal('secret', 'team')).toContain(`:${next.keyId}:`);
  const stranger = new Sealer(['another phrase']);
  expect(() => stranger.open(sealed, 'team')).toThrow(
    expect.objectContaining({
      code: 'unknown-key',
      message: expect.stringContaining(sealer.keyId),
    }),
  );
});
