import { invalid } from '../../contract/errors.ts';
import { applyMergePatch } from '../../contract/merge-patch.ts';
import { validate } from '../../contract/validation.ts';
import { WaitListConfigSchema } from '../../contract/wait-list.ts';
import type { Db } from '../../store/db.ts';
import { getWaitList, updateWaitList, type WaitListRecord } from '../../store/wait-lists.ts';
import { refuseIfChanged } from '../entity-tag.ts';
import { retryRaces } from '../retry-races.ts';
import { presentWaitList } from './present.ts';

interface Patch {
  readonly teamId: string;
  readonly id: string;
  readonly patch: Readonly<Record<string, unknown>>;
  readonly ifMatch: string | undefined;
}

/** Merges a patch into a wait list. */
export function patchWaitList(
  db: Db,
  { teamId, id, patch, ifMatch }: Patch,
): Promise<WaitListRecord> {
  return retryRaces(async () => {
    const current = await getWaitList(db, { teamId, id });
    refuseIfChanged(ifMatch, presentWaitList(current));
    const merged = validate(WaitListConfigSchema, applyMergePatch(current.config, patch));
    if (!merged.ok) throw invalid(merged.faults);
    return updateWaitList(db, {
      teamId,
      id,
      config: merged.value,
      expectedVersion: current.version,
    });
  });
}
