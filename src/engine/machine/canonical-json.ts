/** JSON with sorted keys, so that equal values give equal text even if a store has reordered their keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) ? sorted(part) : part,
  );
}

function sorted(part: object): object {
  const entries = new Map<string, unknown>(Object.entries(part));
  return Object.fromEntries([...entries.keys()].sort().map((key) => [key, entries.get(key)]));
}
