import { invalid } from '../../contract/errors.ts';
import { applyMergePatch } from '../../contract/merge-patch.ts';
import { ToolConfigSchema } from '../../contract/tool.ts';
import { validate } from '../../contract/validation.ts';
import type { Db } from '../../store/db.ts';
import { getTool, type ToolRecord, updateTool } from '../../store/tools.ts';
import { refuseIfChanged } from '../entity-tag.ts';
import { retryRaces } from '../retry-races.ts';
import { presentTool } from './present.ts';

interface Patch {
  readonly teamId: string;
  readonly id: string;
  readonly patch: Readonly<Record<string, unknown>>;
  /** What the client read; without it, the patch is laid over whatever is there. */
  readonly ifMatch: string | undefined;
}

/** Merges a patch into a tool. */
export function patchTool(db: Db, { teamId, id, patch, ifMatch }: Patch): Promise<ToolRecord> {
  return retryRaces(async () => {
    const current = await getTool(db, { teamId, id });
    refuseIfChanged(ifMatch, presentTool(current));
    const merged = validate(ToolConfigSchema, applyMergePatch(current.config, patch));
    if (!merged.ok) throw invalid(merged.faults);
    const expectedVersion = current.version;
    return updateTool(db, { teamId, id, config: merged.value, expectedVersion });
  });
}
