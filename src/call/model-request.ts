import type { LlmMessage, LlmTool } from '../ports/llm.ts';
import { type Entry, toModelMessages } from './conversation.ts';
import { endCallTool } from './end-call-tool.ts';
import type { Mind } from './mind.ts';

/** What a model is asked with. */
export interface ModelRequest {
  readonly messages: readonly LlmMessage[];
  readonly tools: readonly LlmTool[];
}

/** The call as the model gets it, with `entries` for what was said. */
export function modelRequest(mind: Mind, entries: readonly Entry[] = mind.entries): ModelRequest {
  const { systemPrompt, tools, endCall } = mind.settings;
  const definitions = tools.map((tool) => tool.definition);
  return {
    messages: toModelMessages(systemPrompt, entries),
    tools: endCall.enabled ? [...definitions, endCallTool(endCall.toolDescription)] : definitions,
  };
}
