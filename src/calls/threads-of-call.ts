import type { CallSnapshot } from '../contract/call-snapshot.ts';
import type { CallThread } from '../lib/thread-use.ts';
import { mayUseRecogniser, mayUseVoice } from '../providers/built-in-engines.ts';

/** The threads that a call of this configuration may need until it ends. */
export function threadsOfCall({ assistant, tools = [] }: CallSnapshot): readonly CallThread[] {
  const searches =
    assistant.assistantPredefinedTools.knowledgeBase &&
    assistant.assistantKnowledgeBaseIds.length > 0;
  const threads: readonly (readonly [CallThread, boolean])[] = [
    ['vad', true],
    ['recogniser', mayUseRecogniser(assistant)],
    ['voice', mayUseVoice(assistant)],
    ['schemas', tools.length > 0],
    ['search', searches],
  ];
  return threads.filter(([, needed]) => needed).map(([thread]) => thread);
}
