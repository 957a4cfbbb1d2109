import { invalid } from '../contract/errors.ts';
import { type JsonSchema, JsonSchemaError } from '../lib/json-schema.ts';
import type { SchemaChecker } from '../lib/schema-checker.ts';

interface SentSchema {
  readonly schema: JsonSchema;
  readonly teamId: string;
  /** Where in the request it stands. */
  readonly path: string;
}

/** Refuses a JSON Schema that no value could be checked against in time, naming the property at fault. */
export async function refuseUnusableSchema(
  schemas: SchemaChecker,
  { schema, teamId, path }: SentSchema,
): Promise<void> {
  try {
    await schemas.compile(schema, { team: teamId });
  } catch (error) {
    if (!(error instanceof JsonSchemaError)) throw error;
    const { property, message } = error;
    const field = property === undefined ? path : `${path}.properties.${property}`;
    throw invalid([{ path: field, message }]);
  }
}
