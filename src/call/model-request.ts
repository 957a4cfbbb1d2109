import type { LlmMessage, LlmTool } from '../ports/llm.ts';
import { type Entry, toModelMessages } from './conversation.ts';
import { endCallTool } from './end-call-tool.ts';
import type { Mind } from './mind.ts';
import { callForwardTool } from './transfer-leg.ts';
import { volumeTool } from './volume.ts';
import { nextStepTool } from './workflow.ts';
import { isOffered, nodePrompt } from './workflow-progress.ts';

/** What a model is asked with. */
export interface ModelRequest {
  readonly messages: readonly LlmMessage[];
  readonly tools: readonly LlmTool[];
}

/** The call as the model gets it, with `entries` for what was said. */
export function modelRequest(mind: Mind, entries: readonly Entry[] = mind.entries): ModelRequest {
  const { systemPrompt, tools, endCall, transfer, volumeControl } = mind.settings;
  const transfers = transfer.toolEnabled && transfer.phoneNumber !== '';
  const { progress } = mind;
  const step = progress && nextStepTool(progress.workflow, progress.node);
  const prompts = [systemPrompt, progress ? nodePrompt(progress) : ''];
  const prompt = prompts.filter((text) => text.trim() !== '').join('\n\n');
  return {
    messages: toModelMessages(prompt, entries, mind.reply?.messageId),
    tools: [
      ...tools.map((tool) => tool.definition).filter(({ name }) => isOffered(mind, name)),
      ...(step ? [step] : []),
      ...(volumeControl ? [volumeTool] : []),
      ...(transfers ? [callForwardTool(transfer.name)] : []),
      ...(endCall.enabled ? [endCallTool(endCall.toolDescription)] : []),
    ],
  };
}
