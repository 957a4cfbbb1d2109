import type { z } from 'zod';

/** Fields of an assistant that depend on each other. */
interface DependentFields {
  readonly assistantProvider: string;
  readonly assistantLLMUrl: string;
  readonly assistantType: string;
  readonly assistantWorkflow?: unknown;
  readonly assistantPredefinedTools: { readonly knowledgeBase: boolean; readonly endCall: boolean };
  readonly assistantKnowledgeBaseIds: readonly string[];
  readonly endCallMessage: string;
  readonly endCallToolDescription: string;
  readonly endCallPhrases: readonly string[];
}

/** Rejects fields without the field they depend on, naming both. Empty values count as absent. */
export function checkDependentFields(context: z.core.ParsePayload<DependentFields>): void {
  const config = context.value;
  const refuse = (path: string, message: string) =>
    context.issues.push({ code: 'custom', path: [path], message, input: config });

  const custom = config.assistantProvider === 'custom-llm';
  if (custom && config.assistantLLMUrl === '')
    refuse('assistantLLMUrl', 'is needed when assistantProvider is custom-llm');
  if (!custom && config.assistantLLMUrl !== '')
    refuse('assistantLLMUrl', 'is allowed only when assistantProvider is custom-llm');

  const workflow = config.assistantType === 'workflow_based';
  if (!workflow && config.assistantWorkflow !== undefined)
    refuse('assistantWorkflow', 'is allowed only when assistantType is workflow_based');

  if (!config.assistantPredefinedTools.knowledgeBase && config.assistantKnowledgeBaseIds.length > 0)
    refuse(
      'assistantKnowledgeBaseIds',
      'is allowed only when assistantPredefinedTools.knowledgeBase is true',
    );
  if (config.assistantPredefinedTools.endCall) return;
  for (const field of ['endCallMessage', 'endCallToolDescription', 'endCallPhrases'] as const) {
    if (config[field].length > 0)
      refuse(field, 'is allowed only when assistantPredefinedTools.endCall is true');
  }
}
