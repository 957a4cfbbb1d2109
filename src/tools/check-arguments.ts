import { compileJsonSchema, type JsonCheck } from '../lib/json-schema.ts';
import type { LlmTool } from '../ports/llm.ts';

/** Checks a model's arguments against the tool's own schema, which is read when the first ones come. */
export function argumentCheck({
  parameters,
}: Pick<LlmTool, 'parameters'>): (args: Readonly<Record<string, unknown>>) => string | undefined {
  let check: JsonCheck | undefined;
  return (args) => {
    check ??= compileJsonSchema(parameters);
    const problems = check(args);
    return problems.length === 0 ? undefined : `wrong arguments: ${problems.join('; ')}`;
  };
}
