import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import { type JsonSchema, JsonSchemaError } from './json-schema-error.ts';

/** Returns the problems of a value, each naming its field; empty if the value is valid. */
export type JsonCheck = (value: unknown) => readonly string[];

const MAX_PROBLEMS = 5;
const MAX_PROBLEM_CHARS = 300;

// Neither strict nor logging, since users may add keywords and formats of their own (`example`).
function createAjv(): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  (formats as unknown as (ajv: Ajv, options: object) => void)(ajv, { mode: 'fast' });
  return ajv;
}

/**
 * Compiles a JSON Schema into a check of values. Throws {@link JsonSchemaError}. Schemas of users may take any time to
 * compile and to check, so they are only compiled on the threads of `SchemaChecker`.
 */
export function compileJsonSchema(schema: JsonSchema): JsonCheck {
  try {
    // A new instance for each schema: a shared one would keep all schemas and reject an `$id` that occurs twice.
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

/** Name of the top-level property that keeps a schema from being compiled; undefined if it is not a single one. */
export function findFaultyProperty({ properties, ...schema }: JsonSchema): string | undefined {
  if (typeof properties !== 'object' || properties === null) return undefined;
  const all = Object.entries(properties);
  if (all.length > MAX_SEARCHED) return undefined;
  // The other properties are kept, since a `$ref` may point to them.
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
