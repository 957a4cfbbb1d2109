import type { FastifyReply } from 'fastify';
import type { AssistantConfig } from '../../contract/assistant.ts';

/** Since when `ttsAudioCacheScope: global` is deprecated, as RFC 9745 writes it. */
const GLOBAL_SCOPE_SINCE = '@1767225600';

/** Says of an assistant that uses what will be removed that it does. */
export function warnOfDeprecated(
  reply: FastifyReply,
  { ttsAudioCacheScope }: Pick<AssistantConfig, 'ttsAudioCacheScope'>,
): void {
  if (ttsAudioCacheScope === 'global') reply.header('deprecation', GLOBAL_SCOPE_SINCE);
}
