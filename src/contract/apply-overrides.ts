import type { AssistantConfig } from './assistant.ts';
import type { AssistantOverrides } from './assistant-overrides.ts';

/** An assistant with the overrides of a call applied. */
export interface EffectiveAssistant {
  readonly assistant: AssistantConfig;
  readonly variables: Readonly<Record<string, string>>;
  /** Subfolder of the recording, if an override sets one. */
  readonly recordingPath?: string;
}

/** Applies the assistant's own `assistantOverrides`, then those of the call, to its fields; variables are merged. */
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
