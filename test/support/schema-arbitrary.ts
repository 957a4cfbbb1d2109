import type { JsonSchema } from '../../src/contract/openapi-schema.ts';
import fc from './properties.ts';

type Components = Readonly<Record<string, JsonSchema>>;

/** Follows a reference into the document's components. */
export function resolveSchema(schema: JsonSchema, components: Components): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema;
  const { $ref, ...rest } = schema;
  const component = components[$ref.replace('#/components/schemas/', '')];
  if (!component) throw new Error(`no component ${$ref}`);
  return { ...component, ...rest };
}

/** Any value a schema of the OpenAPI document accepts, as far as its keywords tell. */
export function arbitraryOf(schema: JsonSchema, components: Components): fc.Arbitrary<unknown> {
  const s = resolveSchema(schema, components);
  const sub = (inner: unknown) => arbitraryOf(inner as JsonSchema, components);
  if ('const' in s) return fc.constant(s.const);
  if (Array.isArray(s.enum)) return fc.constantFrom(...s.enum);
  const options = s.anyOf ?? s.oneOf;
  if (Array.isArray(options)) return fc.oneof(...options.map(sub));
  if (Array.isArray(s.type)) return fc.oneof(...s.type.map((type) => sub({ ...s, type })));
  switch (s.type) {
    case 'string':
      return stringOf(s);
    case 'integer':
      return integerOf(s);
    case 'number':
      return fc
        .double({ min: num(s.minimum, -1e6), max: num(s.maximum, 1e6), noNaN: true })
        .map((value) => (Object.is(value, -0) ? 0 : value));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.uniqueArray(sub(s.items), {
        minLength: num(s.minItems, 0),
        maxLength: Math.min(num(s.maxItems, 4), num(s.minItems, 0) + 4),
        // What must be unique is so by its id, where it has one.
        selector: (item) => (item as { id?: unknown } | null)?.id ?? JSON.stringify(item),
      });
    case 'object':
      return objectOf(s, sub);
    default:
      return fc.jsonValue({ maxDepth: 2 }).map(storable);
  }
}

const num = (value: unknown, fallback: number) => (typeof value === 'number' ? value : fallback);

/** JSON has no negative zero, and the store no NUL. */
function storable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll(/\\u0000/g, '?')
      .replaceAll('__proto__', 'p'),
  );
}

function integerOf(s: JsonSchema): fc.Arbitrary<number> {
  const step = num(s.multipleOf, 1);
  const min = Math.ceil(Math.max(num(s.minimum, -1e6), -1e6) / step);
  const max = Math.floor(Math.min(num(s.maximum, 1e6), 1e6) / step);
  return fc.integer({ min, max }).map((value) => value * step);
}

function stringOf(s: JsonSchema): fc.Arbitrary<string> {
  const maxLength = Math.min(num(s.maxLength, 40), 40);
  if (typeof s.pattern === 'string') {
    const pattern = new RegExp(s.pattern);
    // The generator knows nothing of what looks ahead or back: such a pattern excludes little.
    if (/\(\?<?[=!]/.test(s.pattern))
      return fc.string({ maxLength }).filter((value) => pattern.test(value));
    const isLanguage = s.pattern.startsWith('^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*');
    // The generator takes a dot or \s too widely for a single line of what people write.
    return fc
      .stringMatching(pattern)
      .map((value) => (isLanguage ? ofKnownLanguages(value) : value))
      .map((value) => value.slice(0, num(s.maxLength, 1000)).toWellFormed())
      .filter((value) => pattern.test(value) && !value.includes('\0'));
  }
  return fc
    .string({ unit: 'grapheme', minLength: num(s.minLength, 0), maxLength })
    .map((value) => value.slice(0, num(s.maxLength, 1000)).toWellFormed().replaceAll('\0', '?'))
    .filter((value) => value.length >= num(s.minLength, 0));
}

/** The same tags, each of a language that there is: a rule which no pattern says. */
function ofKnownLanguages(tags: string): string {
  const known = ['en', 'DE', 'fr', 'nb', 'Pt', 'yue', 'hi', 'fil'];
  return tags.replaceAll(/(?<=^|,\s*)[A-Za-z]+/g, (primary) =>
    String(known[primary.charCodeAt(0) % known.length]),
  );
}

function objectOf(
  s: JsonSchema,
  sub: (inner: unknown) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const properties = (s.properties ?? {}) as Record<string, unknown>;
  const required = new Set((s.required as string[] | undefined) ?? []);
  if (Object.keys(properties).length > 0) {
    return fc.record(
      Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, sub(inner)])),
      { requiredKeys: [...required] },
    );
  }
  const names = s.propertyNames ? sub(s.propertyNames) : fc.stringMatching(/^[a-z]{1,8}$/);
  const storableNames = (names as fc.Arbitrary<string>).filter((name) => name !== '__proto__');
  return fc.dictionary(storableNames, sub(s.additionalProperties ?? {}), {
    maxKeys: 3,
    noNullPrototype: true,
  });
}
