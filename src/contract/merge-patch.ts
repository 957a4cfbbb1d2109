import { z } from 'zod';

type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Applies a JSON Merge Patch (RFC 7396): objects merge, other values replace, `null` removes. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = applyMergePatch(result[key], value);
  }
  return result;
}

/**
 * The schema of merge patches for an object schema: every field is optional, fields with a default or optional ones may
 * be `null`, and unknown fields are rejected at any depth. Rules between fields are not checked here but on the merged
 * result.
 */
export function mergePatchSchema(schema: z.ZodObject): z.ZodType<JsonObject> {
  const shape = Object.entries(schema.shape).map(([key, field]) => [
    key,
    patchField(field as z.ZodType).optional(),
  ]);
  return z.strictObject(Object.fromEntries(shape)) as z.ZodType<JsonObject>;
}

function patchField(field: z.ZodType): z.ZodType {
  const { inner, removable, description } = unwrap(field);
  let patched: z.ZodType = inner;
  if (inner instanceof z.ZodObject) patched = mergePatchSchema(inner);
  else if (inner instanceof z.ZodRecord) patched = patchRecord(inner);
  if (removable) patched = patched.nullable();
  return description === undefined ? patched : patched.describe(description);
}

function patchRecord(record: z.ZodRecord): z.ZodType {
  const value = record.valueType as z.ZodType;
  // Unknown values include null.
  if (value instanceof z.ZodUnknown) return record;
  return z.record(record.keyType, value.nullable());
}

function unwrap(field: z.ZodType) {
  let inner = field;
  let removable = false;
  let description = field.description;
  while (
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPrefault ||
    inner instanceof z.ZodOptional
  ) {
    inner = inner.unwrap() as z.ZodType;
    description ??= inner.description;
    removable = true;
  }
  return { inner, removable, description };
}
