import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { JobHandler, JobKind } from '../jobs/job-sender.ts';
import type { CallRecord } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { deleteEndedCalls, hasLiveCalls, listEndedCalls } from '../store/delete-calls.ts';
import { listFiles } from '../store/files.ts';
import { listKnowledgeBases } from '../store/knowledge-bases.ts';
import { removeKnowledgeBase } from '../store/remove-knowledge-base.ts';
import { deleteTeam, findTeam } from '../store/teams.ts';
import { removeParts } from './recording-parts.ts';
import { callFilePath } from './recordings.ts';

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

interface Deps {
  readonly db: Db;
  readonly recordingsDir: string;
  /** Removes the bytes of an uploaded file. */
  readonly removeFile: (id: string) => Promise<void>;
  /** Removes parts of call records that the store had not accepted. */
  readonly removeUnsaved: (teamId: string) => Promise<void>;
}

/** Waits for the team's live calls, then deletes in slices: files before the rows that name them. */
export function createDeleteTeam(deps: Deps): JobHandler<OfTeam> {
  const { db } = deps;
  return async ({ teamId }, { signal }) => {
    const team = await findTeam(db, { teamId });
    if (!team?.deletedAt) return;
    while (await hasLiveCalls(db, { teamId })) await delay(LOOK_MS, undefined, { signal });
    for (;;) {
      signal.throwIfAborted();
      const calls = await listEndedCalls(db, { teamId, limit: SLICE });
      if (calls.length === 0) break;
      for (const call of calls) await removeCallFiles(deps.recordingsDir, call);
      await deleteEndedCalls(db, { teamId, ids: calls.map(({ id }) => id) });
    }
    await deps.removeUnsaved(teamId);
    for (const { id } of (await listKnowledgeBases(db, { teamId })).items) {
      signal.throwIfAborted();
      await removeKnowledgeBase(db, { teamId, id });
    }
    for (const { id } of (await listFiles(db, { teamId })).items) await deps.removeFile(id);
    await deleteTeam(db, { teamId });
  };
}

/** Removes recording and transcript; those that are gone are no error. */
async function removeCallFiles(
  folder: string,
  { id, snapshot, epoch }: Pick<CallRecord, 'id' | 'snapshot' | 'epoch'>,
): Promise<void> {
  const { recordingPath } = snapshot;
  const path = (extension: 'wav' | 'txt') => callFilePath(folder, { id, recordingPath }, extension);
  // A call that had several owners may have left recordings that were never joined.
  if (epoch > 1) await removeParts(path('wav'));
  for (const extension of ['wav', 'txt'] as const) await rm(path(extension), { force: true });
}
