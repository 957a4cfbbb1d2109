import type { z } from 'zod';
import type { AssistantConfig } from '../../contract/assistant.ts';
import { invalid } from '../../contract/errors.ts';
import { applyMergePatch } from '../../contract/merge-patch.ts';
import { validate } from '../../contract/validation.ts';
import { type AssistantRecord, getAssistant, updateAssistant } from '../../store/assistants.ts';
import type { Db } from '../../store/db.ts';
import { VersionConflictError } from '../../store/errors.ts';
import { refuseIfChanged } from '../entity-tag.ts';
import { checkReferences } from './check-references.ts';
import { presentAssistant } from './present.ts';

const MAX_TRIES = 5;

interface Patch {
  readonly teamId: string;
  readonly id: string;
  readonly patch: Readonly<Record<string, unknown>>;
  /** What the client read; without it, the patch is laid over whatever is there. */
  readonly ifMatch: string | undefined;
}

/** Merges a patch into an assistant, never losing what somebody else changed at the same time. */
export async function patchAssistant(
  { db, schema }: { readonly db: Db; readonly schema: z.ZodType<AssistantConfig> },
  params: Patch,
): Promise<AssistantRecord> {
  for (let attempt = 1; ; attempt++) {
    const current = await getAssistant(db, params);
    refuseIfChanged(params.ifMatch, presentAssistant(current));
    const merged = validate(schema, applyMergePatch(current.config, params.patch));
    if (!merged.ok) throw invalid(merged.faults);
    await checkReferences(db, merged.value, { teamId: params.teamId });
    try {
      return await updateAssistant(db, {
        teamId: params.teamId,
        id: params.id,
        config: merged.value,
        expectedVersion: current.version,
      });
    } catch (error) {
      if (!(error instanceof VersionConflictError) || attempt === MAX_TRIES) throw error;
    }
  }
}
