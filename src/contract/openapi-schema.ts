import { z } from 'zod';

export type JsonSchema = { [keyword: string]: unknown };

/** Location of titled schemas in the document. */
export const COMPONENTS = '#/components/schemas/';

/**
 * Converts schemas to JSON Schema for one document. A schema with a title becomes a component of that name and is
 * referenced wherever it is used.
 */
export class OpenApiSchemas {
  readonly #components = new Map<string, { readonly json: string; readonly schema: JsonSchema }>();

  /** `input` for requests, `output` for responses. */
  convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
      io,
      override: tidy,
    }) as JsonSchema;
    return this.#hoist(json) as JsonSchema;
  }

  components(): Record<string, JsonSchema> {
    const entries = [...this.#components].map(([title, { schema }]) => [title, schema] as const);
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #hoist(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#hoist(item));
    if (typeof value !== 'object' || value === null) return value;
    const { title, ...rest } = value as JsonSchema;
    const schema: JsonSchema = {};
    for (const [key, inner] of Object.entries(rest)) {
      // Defaults and examples contain data, not schemas.
      schema[key] = key === 'default' || key === 'examples' ? inner : this.#hoist(inner);
    }
    // A property may be named title.
    if (typeof title !== 'string')
      return title === undefined ? schema : { ...schema, title: this.#hoist(title) };
    const { default: fallback, ...component } = schema;
    this.#keep(title, component);
    const reference = { $ref: `${COMPONENTS}${title}` };
    return fallback === undefined ? reference : { ...reference, default: fallback };
  }

  #keep(title: string, schema: JsonSchema): void {
    const json = JSON.stringify(schema);
    const known = this.#components.get(title);
    if (known && known.json !== json) throw new Error(`two schemas are titled ${title}`);
    this.#components.set(title, { json, schema });
  }
}

/** Simplifies converted schemas: defaults are complete, and formats have no long patterns. */
function tidy({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }) {
  if (zodSchema instanceof z.ZodPrefault || zodSchema instanceof z.ZodDefault)
    jsonSchema.default = zodSchema.parse(undefined);
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  const words = jsonSchema.pattern === undefined ? undefined : patternWords(zodSchema);
  if (words !== undefined) jsonSchema['x-pattern-message'] = words;
}

/** The error message of a pattern, which describes it in words. */
function patternWords({ _zod }: z.core.$ZodTypes): string | undefined {
  for (const { _zod: check } of _zod.def.checks ?? []) {
    if (check.def.check !== 'string_format') continue;
    const describe = check.def.error as ((issue: unknown) => unknown) | undefined;
    const words = describe?.({});
    if (typeof words === 'string') return words;
  }
  return undefined;
}
