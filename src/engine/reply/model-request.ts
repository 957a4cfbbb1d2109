import type { LlmMessage, LlmTool } from '../../ports/llm.ts';
import type { Mind } from '../machine/mind.ts';
import { endCallTool } from '../tools/end-call-tool.ts';
import { callForwardTool } from '../transfer/transfer-leg.ts';
import { nextStepTool } from '../workflow/workflow.ts';
import { isOffered, nodePrompt } from '../workflow/workflow-progress.ts';
import { type Entry, toModelMessages } from './conversation.ts';
import { volumeTool } from './volume.ts';

/** W3: for a model that was told nothing and has heard nothing; servers refuse a request without messages. */
const OPENING: LlmMessage = {
  role: 'system',
  content: 'You are on a call. Greet the other party and ask how you can help.',
};

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
  const messages = toModelMessages(prompt, entries, mind.reply?.messageId);
  return {
    messages: messages.length > 0 ? messages : [OPENING],
    tools: [
      ...tools.map((tool) => tool.definition).filter(({ name }) => isOffered(mind, name)),
      ...(step ? [step] : []),
      ...(volumeControl ? [volumeTool] : []),
      ...(transfers ? [callForwardTool(transfer.name)] : []),
      ...(endCall.enabled ? [endCallTool(endCall.toolDescription)] : []),
    ],
  };
}
