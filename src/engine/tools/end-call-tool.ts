import type { LlmTool } from '../../ports/llm.ts';

export const END_CALL_TOOL = 'endCall';

/** What the model is told of the predefined `endCall` tool. */
export function endCallTool(description: string): LlmTool {
  return {
    name: END_CALL_TOOL,
    description:
      description ||
      'Ends the call. Use it when the caller says goodbye or clearly wants nothing more.',
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
  };
}
