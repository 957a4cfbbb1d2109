import type { AssistantConfig } from './assistant.ts';
import type { AssistantOverrides } from './assistant-overrides.ts';

/** An assistant as one call sees it. */
export interface EffectiveAssistant {
  readonly assistant: AssistantConfig;
  readonly variables: Readonly<Record<string, string>>;
  /** Where the recording is kept, when an override says so. */
  readonly recordingPath?: string;
}

/** Lays the assistant's own `assistantOverrides`, then those of the call, over its fields; variables add up. */
export function applyOverrides(
  assistant: AssistantConfig,
  overrides: AssistantOverrides = {},
): EffectiveAssistant {
  const own = assistant.assistantOverrides;
  const { dynamicVariables: _variables, recordingPath, ...fields } = { ...own, ...overrides };
  return {
    assistant: { ...assistant, ...fields },
    variables: { ...own.dynamicVariables, ...overrides.dynamicVariables },
    ...(recordingPath ? { recordingPath } : {}),
  };
}
