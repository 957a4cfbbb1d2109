import { createContext, Script } from 'node:vm';
import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';

type JsonSchema = Readonly<Record<string, unknown>>;

/** What is wrong with a value by its schema, in words that name the field; empty when nothing is. */
export type JsonCheck = (value: unknown) => readonly string[];

/** A schema that is none. The message says why, for whoever wrote it. */
export class JsonSchemaError extends Error {
  override readonly name = 'JsonSchemaError';
}

const MAX_PATTERN_MS = 50;
const MAX_CACHED = 500;
const MAX_PROBLEMS = 5;

// A pattern is the user's: one that backtracks for ever must not hold every call of the process.
const matching = new Script('expression.test(text)');

class PatientRegExp {
  readonly #expression: RegExp;

  constructor(source: string, flags: string) {
    this.#expression = new RegExp(source, flags);
  }

  test(text: string): boolean {
    const context = createContext({ expression: this.#expression, text });
    try {
      return Boolean(matching.runInContext(context, { timeout: MAX_PATTERN_MS }));
    } catch {
      return false;
    }
  }
}

const regExp = Object.assign((source: string, flags: string) => new PatientRegExp(source, flags), {
  code: 'new RegExp',
});

// Not strict: what users write beside the standard's keywords (`example`) is theirs.
function createAjv(): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true, code: { regExp } });
  (formats as unknown as (ajv: Ajv, options: object) => void)(ajv, { mode: 'fast' });
  return ajv;
}

const cache = new Map<string, JsonCheck>();

/** The check of values against a JSON Schema that somebody wrote. Throws {@link JsonSchemaError}. */
export function compileJsonSchema(schema: JsonSchema): JsonCheck {
  const key = JSON.stringify(schema);
  const known = cache.get(key);
  if (known) return known;
  const check = compile(schema);
  // Insertion order: the oldest goes.
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string);
  cache.set(key, check);
  return check;
}

function compile(schema: JsonSchema): JsonCheck {
  try {
    // Its own instance each: one would keep all schemas ever seen, and refuse an `$id` used twice.
    const validate = createAjv().compile({ ...schema, $async: false });
    return (value) =>
      validate(value) ? [] : (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(inWords);
  } catch (error) {
    throw new JsonSchemaError(error instanceof Error ? error.message : 'is no JSON Schema');
  }
}

function inWords({ instancePath, keyword, params, message = 'is wrong' }: ErrorObject): string {
  const field = instancePath.slice(1).replaceAll('/', '.');
  const where = field === '' ? '' : `${field} `;
  if (keyword === 'additionalProperties') {
    return `${where}must not have the property ${params.additionalProperty}`;
  }
  if (keyword === 'enum') return `${where}must be one of ${params.allowedValues.join(', ')}`;
  return `${where}${message}`;
}
