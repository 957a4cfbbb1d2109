import type { Assistant, AssistantConfig, AssistantWarning } from '../../contract/assistant.ts';
import type { VendorProblem } from '../../contract/vendors.ts';

/** An assistant that was created or changed, with what its owner should know of it. */
export function withWarnings(
  assistant: Assistant,
  vendorProblems: (assistant: AssistantConfig) => readonly VendorProblem[],
): Assistant & { readonly warnings?: AssistantWarning[] } {
  const warnings = [
    ...vendorProblems(assistant).map(({ path, message, blocks }) => ({
      code: 'vendor-not-ready' as const,
      path,
      message: blocks
        ? `${message}. Until then, calls with this assistant are refused.`
        : `${message}. Until then, the others that are listed take its place.`,
    })),
    ...(assistant.assistantType === 'workflow_based' && assistant.assistantWorkflow === undefined
      ? [
          {
            code: 'workflow-missing' as const,
            path: 'assistantWorkflow',
            message: 'Without a workflow, the assistant behaves by its prompt alone.',
          },
        ]
      : []),
  ];
  return warnings.length > 0 ? { ...assistant, warnings } : assistant;
}
