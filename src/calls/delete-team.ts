import type { JobHandler, JobKind } from '../jobs/job-sender.ts';
import type { Db } from '../store/db.ts';
import { deleteCalls, hasLiveCalls, matchingCalls } from '../store/delete-calls.ts';
import { listFiles } from '../store/files.ts';
import { listKnowledgeBases } from '../store/knowledge-bases.ts';
import { removeKnowledgeBase } from '../store/remove-knowledge-base.ts';
import { deleteTeam, findTeam } from '../store/teams.ts';
import { type FileRemovalDeps, removeFilesOfTeam } from './remove-call-files.ts';

interface OfTeam {
  readonly teamId: string;
}

/** Deletes a team that is marked as deleted. */
export const deleteTeamJob: JobKind<OfTeam> = {
  name: 'delete-team',
  timeoutMs: 3600_000,
  retries: 20,
  retryDelayMs: 10_000,
  maxRetryDelayMs: 600_000,
};

const SLICE = 100;
const LOOK_MS = 500;
const LATE_LOOK_MS = 10_000;

interface Deps {
  readonly db: Db;
  /** Resolves after so many ms, or rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly files: FileRemovalDeps;
  /** Removes the bytes of an uploaded file. */
  readonly removeFile: (id: string) => Promise<void>;
  /** Removes parts of call records that the store had not accepted. */
  readonly removeUnsaved: (teamId: string) => Promise<void>;
}

/** Waits for the team's live calls, then deletes in slices: calls before their files, which their traces name. */
export function createDeleteTeam(deps: Deps): JobHandler<OfTeam> {
  const { db } = deps;
  return async ({ teamId }, { signal }) => {
    const team = await findTeam(db, { teamId });
    if (!team?.deletedAt) return;
    while (await hasLiveCalls(db, { teamId })) await deps.wait(LOOK_MS, signal);
    const matching = matchingCalls({ teamId });
    const afterwards = async () => {};
    for (let left = SLICE; left === SLICE; ) {
      signal.throwIfAborted();
      const slice = { teamId, matching, limit: SLICE, now: new Date(deps.files.now()), afterwards };
      left = (await deleteCalls(db, { ...slice, cause: 'request' })).length;
    }
    // Who had a call may still write to its files for a moment, and the traces that name these go with the team.
    while (!(await removeFilesOfTeam(deps.files, { teamId, isLast: true }, signal)))
      await deps.wait(LATE_LOOK_MS, signal);
    await deps.removeUnsaved(teamId);
    for (const { id } of (await listKnowledgeBases(db, { teamId })).items) {
      signal.throwIfAborted();
      await removeKnowledgeBase(db, { teamId, id });
    }
    for (const { id } of (await listFiles(db, { teamId })).items) await deps.removeFile(id);
    await deleteTeam(db, { teamId });
  };
}
