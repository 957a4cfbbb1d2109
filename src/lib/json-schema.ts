import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What is wrong with a value by its schema, in words that name the field; empty when nothing is. */
export type JsonCheck = (value: unknown) => readonly string[];

/** A schema that is none, or cannot be used. The message says why, for whoever wrote it. */
export class JsonSchemaError extends Error {
  override readonly name = 'JsonSchemaError';
  /** Which property of the schema is at fault, where it is one. */
  readonly property: string | undefined;

  constructor(message: string, { property, cause }: JsonSchemaErrorOptions = {}) {
    super(message, { cause });
    this.property = property;
  }
}

interface JsonSchemaErrorOptions {
  readonly property?: string | undefined;
  readonly cause?: unknown;
}

const MAX_PROBLEMS = 5;
const MAX_PROBLEM_CHARS = 300;

// Not strict: what users write beside the standard's keywords (`example`) is theirs.
function createAjv(): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true });
  (formats as unknown as (ajv: Ajv, options: object) => void)(ajv, { mode: 'fast' });
  return ajv;
}

/**
 * The check of values against a JSON Schema. Throws {@link JsonSchemaError}. A schema that a user wrote may take
 * any time to compile and to check: it is for the threads of `SchemaChecker`.
 */
export function compileJsonSchema(schema: JsonSchema): JsonCheck {
  try {
    // Its own instance each: one would keep all schemas ever seen, and refuse an `$id` used twice.
    const validate = createAjv().compile({ ...schema, $async: false });
    return (value) =>
      validate(value) ? [] : (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(inWords);
  } catch (error) {
    throw new JsonSchemaError(
      error instanceof Error ? shortened(error.message) : 'is no JSON Schema',
    );
  }
}

const MAX_SEARCHED = 50;

/** Which of a schema's own properties keeps it from being compiled, where it is one. */
export function findFaultyProperty({ properties, ...schema }: JsonSchema): string | undefined {
  if (typeof properties !== 'object' || properties === null) return undefined;
  const all = Object.entries(properties);
  if (all.length > MAX_SEARCHED) return undefined;
  // The others stay, as what a `$ref` may point to.
  const anything = Object.fromEntries(all.map(([name]) => [name, true]));
  const fails = ([name, property]: [string, unknown]) => {
    try {
      createAjv().compile({ ...schema, properties: { ...anything, [name]: property } });
      return false;
    } catch {
      return true;
    }
  };
  return all.find(fails)?.[0];
}

function inWords({ instancePath, keyword, params, message = 'is wrong' }: ErrorObject): string {
  const field = instancePath.slice(1).replaceAll('/', '.');
  const where = field === '' ? '' : `${field} `;
  if (keyword === 'additionalProperties') {
    return shortened(`${where}must not have the property ${params.additionalProperty}`);
  }
  if (keyword === 'enum')
    return shortened(`${where}must be one of ${params.allowedValues.join(', ')}`);
  return shortened(`${where}${message}`);
}

function shortened(text: string): string {
  return text.length > MAX_PROBLEM_CHARS ? `${text.slice(0, MAX_PROBLEM_CHARS)}…` : text;
}
