import type { JsonObject } from '../lib/json-frame.ts';
/**
 * Changes the secrets of every server in a document: the `secret` and the header values of each object with a `url` and
 * a `secret`. Objects without one are returned unchanged.
 */
export function mapServerSecrets<T>(document: T, change: (secret: string) => string): T {
  return map(document, change) as T;
}

/** Leaves the secrets of servers empty, for those who may only read. */
export const hideServerSecrets = <T>(document: T): T => mapServerSecrets(document, () => '');

function map(value: unknown, change: (secret: string) => string): unknown {
  if (Array.isArray(value)) return mapItems(value, change);
  if (typeof value !== 'object' || value === null) return value;
  const object = value as JsonObject;
  if (typeof object.url === 'string' && typeof object.secret === 'string')
    return mapServer(object, object.secret, change);
  let changed: Record<string, unknown> | undefined;
  for (const key in object) {
    const inner = object[key];
    if (typeof inner !== 'object') continue;
    const mapped = map(inner, change);
    if (mapped === inner) continue;
    changed ??= { ...object };
    changed[key] = mapped;
  }
  return changed ?? value;
}

function mapItems(items: readonly unknown[], change: (secret: string) => string): unknown {
  const mapped = items.map((item) => map(item, change));
  return mapped.some((item, i) => item !== items[i]) ? mapped : items;
}

function mapServer(
  server: JsonObject,
  secret: string,
  change: (secret: string) => string,
): JsonObject {
  const { headers } = server;
  if (typeof headers !== 'object' || headers === null) return { ...server, secret: change(secret) };
  const values = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? change(value) : value,
  ]);
  return { ...server, secret: change(secret), headers: Object.fromEntries(values) };
}
