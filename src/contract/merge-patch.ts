import { z } from 'zod';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON Merge Patch (RFC 7396): objects merge, everything else replaces, `null` removes. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Json = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = applyMergePatch(result[key], value);
  }
  return result;
}

/**
 * The patches of an object schema: every field may be left out, one that has a default or is
 * optional may be `null`, and unknown fields are refused at any depth. Rules between fields are not
 * the patch's: the merged whole is checked against the schema itself.
 */
export function mergePatchSchema(schema: z.ZodObject): z.ZodType<Json> {
  const shape = Object.entries(schema.shape).map(([key, field]) => [
    key,
    patchField(field as z.ZodType).optional(),
  ]);
  return z.strictObject(Object.fromEntries(shape)) as z.ZodType<Json>;
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
  // Anything at all includes null.
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
