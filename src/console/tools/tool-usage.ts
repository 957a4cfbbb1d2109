import type { Assistant } from '../../client/api.generated.ts';

/** Assistants that use a tool, for the whole call or in a step of their workflow. */
export function usersOf(assistants: readonly Assistant[], toolId: string): readonly Assistant[] {
  return assistants.filter(({ assistantToolIds, assistantType, assistantWorkflow }) => {
    const steps = assistantType === 'workflow_based' ? (assistantWorkflow?.nodes ?? []) : [];
    return [assistantToolIds, ...steps.map(({ toolIds }) => toolIds)].some((ids) =>
      ids.includes(toolId),
    );
  });
}
