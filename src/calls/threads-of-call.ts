import type { CallSnapshot } from '../contract/call-snapshot.ts';
import type { CallThread } from '../lib/thread-use.ts';
import type { Providers } from '../providers/registry.ts';

/** The threads that a call of this configuration may need until it ends. */
export function threadsOf(
  providers: Pick<Providers, 'threadsOf'>,
  { assistant, tools = [] }: CallSnapshot,
): readonly CallThread[] {
  const mayAsk =
    assistant.assistantPredefinedTools.knowledgeBase &&
    assistant.assistantKnowledgeBaseIds.length > 0;
  return [
    ...providers.threadsOf(assistant),
    ...(tools.length > 0 ? (['schemas'] as const) : []),
    ...(mayAsk ? (['search'] as const) : []),
  ];
}
