import { rm } from 'node:fs/promises';
import type { JobHandler, JobKind, JobSender } from '../jobs/job-sender.ts';
import { sealedPath } from '../session/record/sealed-recording.ts';
import type { Db } from '../store/db.ts';
import { type DeletedCall, filesRemoved, listCallsWithFiles } from '../store/delete-calls.ts';
import type { CallFiles } from './call-files.ts';
import type { DeletionLedger } from './deletion-ledger.ts';
import { removeParts } from './recording-parts.ts';
import { callFilePath } from './recordings.ts';

interface OfTeam {
  readonly teamId: string;
}

/** Removes the files of a team's deleted calls, and the tests that were made of them. */
export const removeCallFilesJob: JobKind<OfTeam> = {
  name: 'remove-call-files',
  timeoutMs: 3600_000,
  retries: 1000,
  retryDelayMs: 10_000,
  maxRetryDelayMs: 600_000,
};

const SLICE = 100;
/** The process that had the call may still write to its files for so long after the call's end. */
const LATE_MS = 120_000;

export interface FileRemovalDeps {
  readonly db: Db;
  readonly now: () => number;
  readonly recordingsDir: string;
  readonly files: Pick<CallFiles, 'remove'>;
  readonly ledger: Pick<DeletionLedger, 'add'>;
  /** Removes parts of a call's record that the store had not accepted. */
  readonly removeUnsaved: (callId: string) => Promise<void>;
}

/** Queues {@link removeCallFilesJob} within the transaction that deletes the calls. */
export const queueFileRemoval =
  (jobs: JobSender, { teamId }: OfTeam, startAfter?: Date) =>
  (tx: Db): Promise<boolean> =>
    jobs.send(
      tx,
      removeCallFilesJob,
      { teamId },
      { dedupeKey: teamId, ...(startAfter ? { startAfter } : {}) },
    );

/** Removes files, and again once nobody can write to them any more. */
export function createRemoveCallFiles(
  deps: FileRemovalDeps & {
    readonly jobs: JobSender;
    /** Removes tests that were made of deleted calls of the team. */
    readonly forgetInTests: (team: OfTeam, signal: AbortSignal) => Promise<void>;
  },
): JobHandler<OfTeam> {
  return async (team, { signal }) => {
    await deps.forgetInTests(team, signal);
    if (await removeFilesOfTeam(deps, team, signal)) return;
    await queueFileRemoval(deps.jobs, team, new Date(deps.now() + LATE_MS))(deps.db);
  };
}

/**
 * Removes the files of a team's deleted calls; false if files of some may still be written. `isLast`: the calls are
 * looked at this once, and what a session has settled it writes no more.
 */
export async function removeFilesOfTeam(
  deps: FileRemovalDeps,
  { teamId, isLast = false }: OfTeam & { readonly isLast?: boolean },
  signal: AbortSignal,
): Promise<boolean> {
  const { db, now, ledger } = deps;
  let isDone = true;
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const calls = await listCallsWithFiles(db, { teamId, after, limit: SLICE });
    if (calls.length === 0) return isDone;
    const byDay = Map.groupBy(calls, ({ deletedAt }) => deletedAt.toISOString().slice(0, 10));
    for (const [day, some] of byDay)
      await ledger.add(
        day,
        some.map(({ id }) => id),
      );
    for (const call of calls) await removeFiles(deps, call);
    const settled = calls.filter(
      (call) => (isLast && call.settled) || now() - call.endAt.getTime() > LATE_MS,
    );
    await filesRemoved(db, { ids: settled.map(({ id }) => id), now: new Date(now()) });
    isDone &&= settled.length === calls.length;
    after = calls.at(-1)?.id ?? '';
  }
}

/** Files that are gone are no error. */
async function removeFiles(
  { recordingsDir, files, removeUnsaved }: FileRemovalDeps,
  { id, recordingPath, epoch }: Pick<DeletedCall, 'id' | 'recordingPath' | 'epoch'>,
): Promise<void> {
  await removeSound({ recordingsDir, files }, { id, recordingPath, epoch });
  const transcript = callFilePath(recordingsDir, { id, recordingPath }, 'txt');
  for (const path of [`${transcript}.part`, `${transcript}.sealing`])
    await rm(path, { force: true });
  await files.remove(transcript);
  await removeUnsaved(id);
}

/** Removes the recording of a call, and its sealed original. */
export async function removeSound(
  { recordingsDir, files }: Pick<FileRemovalDeps, 'recordingsDir' | 'files'>,
  call: Pick<DeletedCall, 'id' | 'recordingPath' | 'epoch'>,
): Promise<void> {
  const path = callFilePath(recordingsDir, call, 'wav');
  // A call that had several owners may have left recordings that were never joined.
  if (call.epoch > 1) await removeParts(path);
  await rm(`${path}.sealing`, { force: true });
  for (const file of [path, sealedPath(path)]) await files.remove(file);
}
