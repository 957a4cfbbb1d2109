import type { AssistantConfig } from './assistant.ts';

/** A call's assistant as the user's servers are shown it: what authenticates us to them stays out. */
export function shownAssistant(
  assistantId: string | null,
  assistant: AssistantConfig,
): Readonly<Record<string, unknown>> & { readonly name: string } {
  const { secret: _secret, headers: _headers, ...server } = assistant.assistantServer;
  return { ...(assistantId ? { _id: assistantId } : {}), ...assistant, assistantServer: server };
}
