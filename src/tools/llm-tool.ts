import type { LlmTool } from '../ports/llm.ts';

/** A tool definition for the model: JSON Schemas of its arguments, and the required ones. */
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
