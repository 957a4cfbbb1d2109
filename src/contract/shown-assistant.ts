import type { AssistantConfig } from './assistant.ts';

/** A call's assistant as sent to users' servers, without the secrets that authenticate this service to them. */
export function shownAssistant(
  assistantId: string | null,
  assistant: AssistantConfig,
): Readonly<Record<string, unknown>> & { readonly name: string } {
  const { secret: _secret, headers: _headers, ...server } = assistant.assistantServer;
  return { ...(assistantId ? { _id: assistantId } : {}), ...assistant, assistantServer: server };
}
