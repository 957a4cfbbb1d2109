import { parseToolArguments } from '../engine/tools/tool-call.ts';
import type { LlmToolCall } from '../ports/llm.ts';
import type { ToolRunner } from '../ports/tool.ts';

/** What is wrong with a model's tool call, in words for the model: what the mind, which knows no schemas, can't see. */
export async function checkToolCall(
  tools: ToolRunner,
  { name, arguments: args }: Pick<LlmToolCall, 'name' | 'arguments'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const parsed = parseToolArguments(args);
  return parsed ? tools.check?.(name, parsed, signal) : undefined;
}
