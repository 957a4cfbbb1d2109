import type { LlmTool } from '../ports/llm.ts';

/** A tool as the model is told of it: JSON Schemas of its arguments, and those it must give. */
export function llmTool(
  name: string,
  description: string,
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[] = [],
): LlmTool {
  return {
    name,
    description,
    parameters: { type: 'object', properties, required, additionalProperties: false },
  };
}
