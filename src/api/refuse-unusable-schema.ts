import { isDeepStrictEqual } from 'node:util';
import { invalid, Problem } from '../contract/errors.ts';
import { type JsonSchema, JsonSchemaError } from '../lib/json-schema-error.ts';
import { SchemaBusyError, type SchemaChecker } from '../lib/schema-checker.ts';

interface SentSchema {
  readonly schema: JsonSchema;
  readonly teamId: string;
  /** Path of the schema in the request. */
  readonly path: string;
  /** The stored schema: if it is unchanged, it is not checked again. */
  readonly stored?: JsonSchema;
}

const RETRY_AFTER_SECONDS = 5;

/** Throws Problem if a JSON Schema cannot be compiled or takes too long, naming the faulty property. */
export async function refuseUnusableSchema(
  schemas: SchemaChecker,
  { schema, teamId, path, stored }: SentSchema,
): Promise<void> {
  if (stored && isDeepStrictEqual(schema, stored)) return;
  try {
    await schemas.compile(schema, { team: teamId });
  } catch (error) {
    if (!(error instanceof JsonSchemaError)) throw error;
    const { property, message } = error;
    if (error instanceof SchemaBusyError)
      throw new Problem({
        kind: 'unavailable',
        message: `${path} ${message}`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      });
    const field = property === undefined ? path : `${path}.properties.${property}`;
    throw invalid([{ path: field, message }]);
  }
}
