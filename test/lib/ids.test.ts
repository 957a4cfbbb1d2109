import { expect, test } from 'vitest';
import { newCallId, newToken, uuidv7 } from '../../src/lib/ids.ts';

const UUIDV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('a UUIDv7 has its form and holds its instant', () => {
  const farFuture = 4_102_444_800_123;
  const id = uuidv7(farFuture);
  expect(id).toMatch(UUIDV7);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(farFuture);
});

test('ids sort in the order they were made, also many within a millisecond or after the clock went back', () => {
  const now = 4_102_444_900_000;
  const ids = [
    ...Array.from({ length: 10_000 }, () => uuidv7(now)),
    ...Array.from({ length: 10 }, () => uuidv7(now - 60_000)),
    uuidv7(now + 60_000),
  ];
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a call id says what kind of call it is', () => {
  expect(newCallId('web')).toMatch(/^WC-/);
  expect(newCallId('phone')).toMatch(/^CC-/);
  expect(newCallId('web').slice(3)).toMatch(UUIDV7);
});

test('a token is 32 bytes that go into a URL as they are, never the same', () => {
  const tokens = Array.from({ length: 100 }, newToken);
  expect(new Set(tokens).size).toBe(100);
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
});
