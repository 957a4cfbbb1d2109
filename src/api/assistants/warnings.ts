import type { FastifyReply } from 'fastify';
import { languagesWithoutWords } from '../../calls/languages-without-words.ts';
import type { Assistant, AssistantConfig, AssistantWarning } from '../../contract/assistant.ts';
import type { VendorProblem } from '../../contract/vendors.ts';

/** Date of the deprecation of `ttsAudioCacheScope: global`, in the format of RFC 9745. */
const GLOBAL_SCOPE_SINCE = '@1767225600';

/** Adds warnings to an assistant that was created or changed. */
export function withWarnings(
  assistant: Assistant,
  vendorProblems: (assistant: AssistantConfig, team: string) => readonly VendorProblem[],
): Assistant & { readonly warnings?: AssistantWarning[] } {
  const warnings = [
    ...vendorProblems(assistant, assistant.teamId).map(({ path, message, blocks }) => ({
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
    ...languagesWithoutWords(assistant.config.speech.stt.languages).map((message) => ({
      code: 'language-without-words' as const,
      path: 'config.speech.stt.languages',
      message,
    })),
  ];
  return warnings.length > 0 ? { ...assistant, warnings } : assistant;
}

/** Sets the Deprecation header if the assistant uses a deprecated setting. */
export function warnOfDeprecated(
  reply: FastifyReply,
  { ttsAudioCacheScope }: Pick<AssistantConfig, 'ttsAudioCacheScope'>,
): void {
  if (ttsAudioCacheScope === 'global') reply.header('deprecation', GLOBAL_SCOPE_SINCE);
}
