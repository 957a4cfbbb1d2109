import type { JsonSchema } from '../../src/contract/openapi-schema.ts';
import { resolveSchema } from './schema-arbitrary.ts';

/** One way to break one rule of a schema: the value to put at a path, and what the refusal must name. */
export interface Violation {
  readonly path: readonly (string | number)[];
  readonly rule: string;
  readonly value: unknown;
  readonly named: string;
}

type Components = Readonly<Record<string, JsonSchema>>;
type Path = readonly (string | number)[];

const WRONG_TYPE: Record<string, unknown> = {
  string: 7,
  integer: 'seven',
  number: 'seven',
  boolean: 'yes',
  array: 'list',
  object: 'thing',
};

/** Every single violation of every field of a schema, arrays by their first item. */
export function* violationsOf(
  schema: JsonSchema,
  components: Components,
  path: Path = [],
): Generator<Violation> {
  const s = resolveSchema(schema, components);
  const at = (rule: string, value: unknown, named: Path = path): Violation => ({
    path,
    rule,
    value,
    named: named.join('.'),
  });
  if (path.length > 0) {
    const type = s.type as string | undefined;
    if (type && type in WRONG_TYPE) yield at(`not a ${type}`, WRONG_TYPE[type]);
    if (Array.isArray(s.enum)) yield at('not in the list', 'none of them');
    if (type === 'integer') yield at('not whole', Number(s.minimum ?? 0) + 0.5);
    if (typeof s.minimum === 'number' && s.minimum > -1e6) yield at('too small', s.minimum - 1);
    if (typeof s.maximum === 'number' && s.maximum < 1e12) yield at('too big', s.maximum + 1);
    if (typeof s.maxLength === 'number') yield at('too long', 'x'.repeat(s.maxLength + 1));
    if (typeof s.pattern === 'string') yield* badPattern(s.pattern, at);
  }
  if (s.type === 'object') yield* objectViolations(s, components, path);
  if (s.type === 'array' && s.items) {
    yield* violationsOf(s.items as JsonSchema, components, [...path, 0]);
  }
}

function* badPattern(
  pattern: string,
  at: (rule: string, value: unknown) => Violation,
): Generator<Violation> {
  const bad = ['', ' ', 'no such value!', '\n'].find((value) => !new RegExp(pattern).test(value));
  if (bad !== undefined) yield at('not of the form', bad);
}

function* objectViolations(
  s: JsonSchema,
  components: Components,
  path: Path,
): Generator<Violation> {
  if (s.additionalProperties === false) {
    yield {
      path: [...path, 'noSuchField'],
      rule: 'unknown',
      value: 1,
      named: [...path, 'noSuchField'].join('.'),
    };
  }
  for (const name of (s.required as string[] | undefined) ?? []) {
    if (isConstant(s, name)) continue;
    yield {
      path: [...path, name],
      rule: 'missing',
      value: undefined,
      named: [...path, name].join('.'),
    };
  }
  for (const [name, inner] of Object.entries((s.properties ?? {}) as Record<string, JsonSchema>))
    yield* violationsOf(inner, components, [...path, name]);
}

const isConstant = (s: JsonSchema, name: string) =>
  'const' in ((s.properties as Record<string, JsonSchema>)[name] ?? {});

/** The body with the value at the path; containers on the way are made, `undefined` removes. */
export function withValue(body: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const copy: Record<string | number, unknown> | unknown[] = Array.isArray(body)
    ? [...body]
    : typeof body === 'object' && body !== null
      ? { ...body }
      : typeof key === 'number'
        ? []
        : {};
  const target = copy as Record<string | number, unknown>;
  if (rest.length === 0 && value === undefined) delete target[key];
  else target[key] = withValue(target[key], rest, value);
  return copy;
}
