import type { LlmMessage, LlmTool } from '../ports/llm.ts';
import { type Entry, toModelMessages } from './conversation.ts';
import { endCallTool } from './end-call-tool.ts';
import type { Mind } from './mind.ts';
import { callForwardTool } from './transfer-leg.ts';
import { volumeTool } from './volume.ts';

/** What a model is asked with. */
export interface ModelRequest {
  readonly messages: readonly LlmMessage[];
  readonly tools: readonly LlmTool[];
}

/** The call as the model gets it, with `entries` for what was said. */
export function modelRequest(mind: Mind, entries: readonly Entry[] = mind.entries): ModelRequest {
  const { systemPrompt, tools, endCall, transfer, volumeControl } = mind.settings;
  const transfers = transfer.toolEnabled && transfer.phoneNumber !== '';
  return {
    messages: toModelMessages(systemPrompt, entries, mind.reply?.messageId),
    tools: [
      ...tools.map((tool) => tool.definition),
      ...(volumeControl ? [volumeTool] : []),
      ...(transfers ? [callForwardTool(transfer.name)] : []),
      ...(endCall.enabled ? [endCallTool(endCall.toolDescription)] : []),
    ],
  };
}
