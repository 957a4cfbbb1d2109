import type { z } from 'zod';
import type { AssistantConfig } from '../contract/assistant.ts';
import { missing, Problem } from '../contract/errors.ts';
import { describeFailure } from '../contract/failures.ts';
import { describeFaults, validate } from '../contract/validation.ts';
import type { VendorProblem } from '../contract/vendors.ts';
import { getVersion } from '../store/assistant-versions.ts';
import type { Db } from '../store/db.ts';
import { checkReferences } from './check-references.ts';

interface ChooseDeps {
  readonly db: Db;
  readonly assistantSchema: z.ZodType<AssistantConfig>;
  readonly vendorProblems: (assistant: AssistantConfig, team: string) => readonly VendorProblem[];
}

export interface ChosenAssistant {
  /** Null for an inline assistant. */
  readonly assistantId: string | null;
  /** Null for an inline assistant. */
  readonly assistantVersion: number | null;
  readonly config: AssistantConfig;
}

/**
 * Chooses the inline assistant, else the one named, else the one attached to the number. Throws Problem if it cannot
 * serve.
 */
export async function chooseAssistant(
  deps: ChooseDeps,
  params: Parameters<typeof findChosen>[1],
): Promise<ChosenAssistant> {
  const chosen = await findChosen(deps, params);
  const problems = deps.vendorProblems(chosen.config, params.teamId);
  const blocking = problems.filter(({ blocks }) => blocks);
  if (blocking.length > 0) {
    const message = blocking.map((problem) => problem.message).join('; ');
    throw new Problem({
      kind: 'conflict',
      message: describeFailure('vendor-not-ready', { code: 'vendor-not-ready', message }).message,
    });
  }
  return chosen;
}

async function findChosen(
  deps: ChooseDeps,
  params: {
    readonly teamId: string;
    readonly inline: AssistantConfig | undefined;
    readonly named: string | undefined;
    readonly attached: string | null;
    /** The version of the assistant by number or label; undefined: the published one. */
    readonly version?: string | undefined;
  },
): Promise<ChosenAssistant> {
  const { db, assistantSchema } = deps;
  const { teamId, inline } = params;
  if (inline) {
    await checkReferences(db, inline, { teamId, path: 'assistant.' });
    return { assistantId: null, assistantVersion: null, config: inline };
  }
  const id = params.named ?? params.attached;
  if (id === null || id === undefined) throw missing('assistant');
  const { config, number } = await getVersion(db, { teamId, id, name: params.version ?? '' });
  // Validated again: it may name a vendor that this service no longer has, or lack a newer setting.
  const checked = validate(assistantSchema, config);
  if (!checked.ok) {
    throw new Problem({
      kind: 'conflict',
      message: `The assistant cannot take calls as it is: ${describeFaults(checked.faults)}`,
    });
  }
  return { assistantId: id, assistantVersion: number, config: checked.value };
}
