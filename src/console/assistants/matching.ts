import type { Assistant } from '../../client/api.generated.ts';

/** Assistants whose name, texts or vendors contain every word searched for. */
export function matching(assistants: readonly Assistant[], wanted: string): readonly Assistant[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return assistants;
  return assistants.filter((assistant) => {
    const text = searchable(assistant);
    return words.every((word) => text.includes(word));
  });
}

function searchable(assistant: Assistant): string {
  const { _id, name, assistantProvider, assistantModel, assistantSystemPrompt } = assistant;
  const { stt, ttsData } = assistant.config.speech;
  const voices = ttsData.filter(({ enabled }) => enabled).map(({ vendor }) => vendor);
  return [
    _id,
    name,
    assistantProvider,
    assistantModel,
    assistant.welcomeMessage,
    assistantSystemPrompt,
    stt.vendor,
    stt.languages,
    ...voices,
  ]
    .join('\n')
    .toLowerCase();
}
