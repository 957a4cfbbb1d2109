import type { Assistant } from '../../client/api.generated.ts';

/** The assistants that name a tool, be it for all of a call or for a step of their workflow. */
export function usersOf(assistants: readonly Assistant[], toolId: string): readonly Assistant[] {
  return assistants.filter(({ assistantToolIds, assistantType, assistantWorkflow }) => {
    const steps = assistantType === 'workflow_based' ? (assistantWorkflow?.nodes ?? []) : [];
    return [assistantToolIds, ...steps.map(({ toolIds }) => toolIds)].some((ids) =>
      ids.includes(toolId),
    );
  });
}
