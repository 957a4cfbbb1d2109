import type { JsonCheck } from '../lib/json-schema.ts';
import { JsonSchemaError } from '../lib/json-schema-error.ts';
import type { SchemaChecker } from '../lib/schema-checker.ts';
import type { LlmTool } from '../ports/llm.ts';
import type { HostedTool } from './hosted-tool.ts';

type ArgumentCheck = HostedTool['check'];

/**
 * Checks a model's arguments against the schema of a predefined tool, compiled at first use. What compiles it is loaded
 * at once: the tools are made when the call is set up.
 */
export function argumentCheck({ parameters }: Pick<LlmTool, 'parameters'>): ArgumentCheck {
  const compiler = import('../lib/json-schema.ts');
  let check: JsonCheck | undefined;
  return async (args) => {
    check ??= (await compiler).compileJsonSchema(parameters);
    return inWords(check(args));
  };
}

/** The same for a schema written by a user: it is compiled and run outside the process that handles calls. */
export function guardedArgumentCheck(
  { parameters }: Pick<LlmTool, 'parameters'>,
  { schemas, team }: { readonly schemas: SchemaChecker; readonly team: string },
): ArgumentCheck {
  return async (args, signal) => {
    try {
      return inWords(
        await schemas.check(parameters, args, { team, ...(signal ? { signal } : {}) }),
      );
    } catch (error) {
      if (error instanceof JsonSchemaError)
        return `the arguments can't be checked: the tool's JSON Schema ${error.message}`;
      throw error;
    }
  };
}

function inWords(problems: readonly string[]): string | undefined {
  return problems.length === 0 ? undefined : `wrong arguments: ${problems.join('; ')}`;
}
