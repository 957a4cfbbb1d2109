const REPLACEMENT = '\uFFFD';

/**
 * Text as Postgres can keep it: a NUL or half of a surrogate pair, which it refuses, becomes U+FFFD.
 * What comes from outside can therefore never make a query fail, and an id that holds one finds nothing.
 */
export function storableText(value: string): string {
  const wellFormed = value.isWellFormed() ? value : value.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', REPLACEMENT) : wellFormed;
}

/** A value as JSON text that `jsonb` accepts; see {@link storableText}. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  // Only text that has such an escape pays for the second pass.
  return /\\u0000|\\ud[89a-f]/i.test(text) ? JSON.stringify(repair(value)) : text;
}

function repair(value: unknown): unknown {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  if (typeof plain === 'string') return storableText(plain);
  if (Array.isArray(plain)) return plain.map(repair);
  if (plain === null || typeof plain !== 'object') return plain;
  return Object.fromEntries(
    Object.entries(plain).map(([key, entry]) => [storableText(key), repair(entry)]),
  );
}
