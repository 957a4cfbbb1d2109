import type { Assistant, AssistantConfig } from '../../contract/assistant.ts';
import type { AssistantRecord } from '../../store/assistants.ts';

/** Converts an assistant to its form in the API. */
export function presentAssistant(record: AssistantRecord): Assistant {
  return {
    _id: record.id,
    teamId: record.teamId,
    // Validated when it was stored.
    ...(record.config as AssistantConfig),
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
