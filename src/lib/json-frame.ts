/** A parsed JSON object whose fields are not validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses a text frame; undefined if it is not a JSON object. */
export function parseJsonFrame(frame: string | Uint8Array): JsonObject | undefined {
  if (typeof frame !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(frame);
    return asRecord(value);
  } catch {
    return undefined;
  }
}

export function asRecord(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

export function asRecords(value: unknown): JsonObject[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.flatMap((item) => {
    const record = asRecord(item);
    return record ? [record] : [];
  });
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
