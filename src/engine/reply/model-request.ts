import type { LlmMessage } from '../../ports/llm.ts';
import type { CallState } from '../state/call-state.ts';
import type { ModelRequest } from '../state/reply.ts';
import type { Entry } from '../state/transcript.ts';
import { endCallTool } from '../tools/end-call-tool.ts';
import { callForwardTool } from '../transfer/transfer-leg.ts';
import { nextStepTool } from '../workflow/workflow.ts';
import { isOffered, nodePrompt } from '../workflow/workflow-progress.ts';
import { toModelMessages } from './conversation.ts';
import { volumeTool } from './volume.ts';

/** W3: used if there are no messages yet, because servers refuse a request without any. */
const OPENING: LlmMessage = {
  role: 'system',
  content: 'You are on a call. Greet the other party and ask how you can help.',
};

/** The request to the model for these entries of the conversation. */
export function modelRequest(
  state: CallState,
  entries: readonly Entry[] = state.entries,
): ModelRequest {
  const { systemPrompt, tools, endCall, transfer, volumeControl } = state.settings;
  const transfers = transfer.toolEnabled && transfer.phoneNumber !== '';
  const { progress } = state;
  const step = progress && nextStepTool(progress.workflow, progress.node);
  const prompts = [systemPrompt, progress ? nodePrompt(progress) : ''];
  const prompt = prompts.filter((text) => text.trim() !== '').join('\n\n');
  const messages = toModelMessages(prompt, entries, state.assistant.reply?.messageId);
  return {
    messages: messages.length > 0 ? messages : [OPENING],
    tools: [
      ...tools.map((tool) => tool.definition).filter(({ name }) => isOffered(state, name)),
      ...(step ? [step] : []),
      ...(volumeControl ? [volumeTool] : []),
      ...(transfers ? [callForwardTool(transfer.name)] : []),
      ...(endCall.enabled ? [endCallTool(endCall.toolDescription)] : []),
    ],
  };
}
