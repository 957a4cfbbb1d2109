import type { Values } from './value-path.ts';

/** The part of JSON Schema that the contract uses. References are resolved on reading. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  /** Which values exist depends on the service. */
  readonly 'x-open-enum'?: boolean;
  /** Message for a text that does not match the pattern. */
  readonly 'x-pattern-message'?: string;
}

const COMPONENTS = '#/components/schemas/';

/** A component of an OpenAPI document with all its references resolved. */
export function componentSchema(components: Values, name: string): JsonSchema {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as Values;
    const beside = Object.fromEntries(Object.entries(rest).map(([key, it]) => [key, resolve(it)]));
    if (typeof $ref !== 'string') return beside;
    return { ...(resolve(components[$ref.slice(COMPONENTS.length)]) as Values), ...beside };
  };
  const schema = components[name];
  if (schema === undefined) throw new Error(`the contract has no schema called ${name}`);
  return resolve(schema) as JsonSchema;
}

/** The alternative selected by the value's `type`, or else the first. */
export function variantOf(variants: readonly JsonSchema[], value: unknown): JsonSchema | undefined {
  const type = (value as { readonly type?: unknown } | undefined)?.type;
  return variants.find((variant) => variant.properties?.type?.const === type) ?? variants[0];
}

/** Schema at a dotted path; the value selects between alternatives on the way. */
export function schemaAt(schema: JsonSchema, path: string, value: unknown): JsonSchema | undefined {
  let here: JsonSchema | undefined = schema;
  let held = value;
  for (const step of path.split('.')) {
    if (here?.oneOf) here = variantOf(here.oneOf, held);
    if (here === undefined) return undefined;
    if (here.items) here = here.items;
    else if (here.properties?.[step]) here = here.properties[step];
    else
      here = typeof here.additionalProperties === 'object' ? here.additionalProperties : undefined;
    held = (held as Values | undefined)?.[step];
  }
  return here;
}

/** A new value of this schema: its defaults, and empty values where it has none. */
export function blankOf(schema: JsonSchema): unknown {
  if (schema.default !== undefined) return structuredClone(schema.default);
  if (schema.const !== undefined) return schema.const;
  if (schema.oneOf?.[0]) return blankOf(schema.oneOf[0]);
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'array') return [];
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {}).filter(
      ([name, field]) => field.default !== undefined || schema.required?.includes(name),
    );
    return Object.fromEntries(fields.map(([name, field]) => [name, blankOf(field)]));
  }
  return schema.type === 'boolean' ? false : schema.type === 'string' ? '' : undefined;
}
