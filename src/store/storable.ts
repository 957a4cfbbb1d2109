const REPLACEMENT = '\uFFFD';

/**
 * Replaces NUL and lone surrogates, which Postgres rejects, by U+FFFD. So input from outside cannot make a query fail,
 * and ids that contain them are not found.
 */
export function storableText(value: string): string {
  const wellFormed = value.isWellFormed() ? value : value.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', REPLACEMENT) : wellFormed;
}

/** Serialises a value to JSON text that `jsonb` accepts; see {@link storableText}. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  // Only text with such escapes needs the second pass.
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
