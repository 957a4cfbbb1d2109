import type { z } from 'zod';
import { refuseUnplayableSound } from '../../calls/background-sound.ts';
import { checkReferences } from '../../calls/check-references.ts';
import { refuseUntestedSave } from '../../calls/refuse-untested.ts';
import type { AssistantConfig } from '../../contract/assistant.ts';
import { invalid } from '../../contract/errors.ts';
import { applyMergePatch } from '../../contract/merge-patch.ts';
import { validate } from '../../contract/validation.ts';
import type { VersionAuthor } from '../../store/assistant-versions.ts';
import { type AssistantRecord, getAssistant, updateAssistant } from '../../store/assistants.ts';
import { listNumbersOfAssistant } from '../../store/numbers.ts';
import type { ApiDeps } from '../deps.ts';
import { refuseIfChanged } from '../entity-tag.ts';
import { refuseUnusableSchema } from '../refuse-unusable-schema.ts';
import { retryRaces } from '../retry-races.ts';
import { presentAssistant } from './present.ts';

interface Patch {
  readonly teamId: string;
  readonly id: string;
  readonly patch: Readonly<Record<string, unknown>>;
  /** Entity tags that the client has read; absent: the patch applies to any version. */
  readonly ifMatch: string | undefined;
  readonly author: VersionAuthor;
}

/** The assistant's schema of structured data, with its path in the request. */
export const dataSchemaOf = ({ assistantAnalysis }: AssistantConfig, teamId: string) => ({
  schema: assistantAnalysis.structuredData.schema,
  teamId,
  path: 'assistantAnalysis.structuredData.schema',
});

/** Merges a patch into an assistant. Concurrent changes are not lost. */
export function patchAssistant(
  {
    db,
    carriers,
    toolServers,
    schema,
  }: Pick<ApiDeps, 'db' | 'carriers' | 'toolServers'> & {
    readonly schema: z.ZodType<AssistantConfig>;
  },
  { teamId, id, patch, ifMatch, author }: Patch,
): Promise<AssistantRecord> {
  return retryRaces(() =>
    db.transaction(async (tx) => {
      const current = await getAssistant(tx, { teamId, id });
      refuseIfChanged(ifMatch, presentAssistant(current));
      await refuseUntestedSave(tx, { teamId, id });
      const merged = validate(schema, applyMergePatch(current.config, patch));
      if (!merged.ok) throw invalid(merged.faults);
      const stored = current.config.assistantAnalysis.structuredData.schema;
      const sent = { ...dataSchemaOf(merged.value, teamId), stored };
      await refuseUnusableSchema(toolServers.schemas, sent);
      await checkReferences(tx, merged.value, { teamId });
      const expectedVersion = current.version;
      const config = merged.value;
      const updated = await updateAssistant(tx, { teamId, id, config, expectedVersion, author });
      const numbers = await listNumbersOfAssistant(tx, { assistantId: id });
      refuseUnplayableSound(carriers, config, numbers);
      return updated;
    }),
  );
}
