import type { z } from 'zod';
import type { AssistantConfig } from '../contract/assistant.ts';
import { missing, Problem } from '../contract/errors.ts';
import { describeFaults, validate } from '../contract/validation.ts';
import { getAssistant } from '../store/assistants.ts';
import type { Db } from '../store/db.ts';
import { checkReferences } from './check-references.ts';

export interface ChosenAssistant {
  /** Absent for an inline assistant. */
  readonly assistantId: string | null;
  readonly config: AssistantConfig;
}

/** The inline assistant, else the one that is named, else the one attached to the number. */
export async function chooseAssistant(
  {
    db,
    assistantSchema,
  }: { readonly db: Db; readonly assistantSchema: z.ZodType<AssistantConfig> },
  params: {
    readonly teamId: string;
    readonly inline: AssistantConfig | undefined;
    readonly named: string | undefined;
    readonly attached: string | null;
  },
): Promise<ChosenAssistant> {
  const { teamId, inline } = params;
  if (inline) {
    await checkReferences(db, inline, { teamId, path: 'assistant.' });
    return { assistantId: null, config: inline };
  }
  const id = params.named ?? params.attached;
  if (id === null || id === undefined) throw missing('assistant');
  const { config } = await getAssistant(db, { teamId, id });
  // Checked again: it may name a vendor this service no longer has, or lack a setting made since.
  const checked = validate(assistantSchema, config);
  if (!checked.ok) {
    throw new Problem({
      kind: 'conflict',
      message: `The assistant cannot take calls as it is: ${describeFaults(checked.faults)}`,
    });
  }
  return { assistantId: id, config: checked.value };
}
