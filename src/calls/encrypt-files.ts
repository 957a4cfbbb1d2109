import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JobHandler, JobKind, JobSender } from '../jobs/job-sender.ts';
import { type ContentFile, readContent, writeWhole } from '../lib/content-file.ts';
import { isMissing } from '../lib/disk-errors.ts';
import { makePrivateFolder } from '../lib/private-files.ts';
import { SealedFileError } from '../lib/sealed-bytes.ts';
import { createContentFile } from '../lib/sealed-file.ts';
import type { Log } from '../ports/log.ts';
import { findCall } from '../store/calls.ts';
import { currentTeamKey } from '../store/current-team-key.ts';
import type { Db } from '../store/db.ts';
import { hasOpenCalls, pageEndedCalls } from '../store/ended-calls.ts';
import { resealBesidesCalls, resealCall } from '../store/reseal-content.ts';
import { UnreadableError } from '../store/sealed-content.ts';
import type { TeamKey } from '../store/team-keyring.ts';
import { completeTeamKey, removeFormerKeys } from '../store/team-keys.ts';
import type { CallFiles } from './call-files.ts';
import { pathsOfParts } from './recording-parts.ts';
import { callFilePath } from './recordings.ts';

interface OfTeam {
  readonly teamId: string;
}

/**
 * Encrypts what is kept of a team's calls with its present key, files and rows of the database: what is in the clear,
 * and what former keys have encrypted.
 */
export const encryptFilesJob: JobKind<OfTeam> = {
  name: 'encrypt-files',
  timeoutMs: 6 * 3600_000,
  retries: 100,
  retryDelayMs: 30_000,
  maxRetryDelayMs: 600_000,
};

/** By then every process uses a new key for new files. */
export const NEW_KEY_MS = 120_000;
const AGAIN_MS = 600_000;
/** For so long after a call's end its process may still write to its files, which must not be exchanged meanwhile. */
const LATE_MS = 120_000;
const SLICE = 100;

interface Deps {
  readonly db: Db;
  readonly now: () => number;
  readonly jobs: JobSender;
  readonly files: CallFiles;
  readonly recordingsDir: string;
  readonly log: Log;
}

/** When nothing needs them any more, former keys are thrown away. */
export function createEncryptFiles(deps: Deps): JobHandler<OfTeam> {
  const { db, now, jobs } = deps;
  return async ({ teamId }, { signal }) => {
    const key = await currentTeamKey(db, { teamId });
    // Calls that may write files with a former key.
    const until = new Date(key.createdAt.getTime() + NEW_KEY_MS);
    const endedBefore = new Date(now() - LATE_MS);
    const mayBeWritten =
      now() < until.getTime() || (await hasOpenCalls(db, { teamId, until, endedBefore }));
    let isComplete = true;
    for (let after = ''; ; ) {
      const calls = await pageEndedCalls(db, { teamId, endedBefore, after, limit: SLICE });
      for (const call of calls) {
        signal.throwIfAborted();
        isComplete = (await encryptFilesOf(deps, call, { key, signal })) && isComplete;
        const work = resealCall(db, { callId: call.id, key, signal });
        isComplete = (await isDone(deps, { callId: call.id }, work)) && isComplete;
      }
      after = calls.at(-1)?.id ?? '';
      if (calls.length < SLICE) break;
    }
    const rest = resealBesidesCalls(db, { key, signal });
    isComplete = (await isDone(deps, { teamId }, rest)) && isComplete;
    if (!mayBeWritten) {
      // What could not be read may be read some day, by whoever mends it.
      if (isComplete) await removeFormerKeys(db, { teamId, before: key.id });
      await completeTeamKey(db, key);
      return;
    }
    const startAfter = new Date(now() + AGAIN_MS);
    await jobs.send(db, encryptFilesJob, { teamId }, { dedupeKey: teamId, startAfter });
  };
}

/** False if something of it cannot be read. */
async function isDone(deps: Deps, of: object, work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    deps.log.warn({ ...of, err: error }, 'what was said cannot be read any more');
    return false;
  }
}

/** False if one of them cannot be read. */
async function encryptFilesOf(
  deps: Deps,
  call: { readonly id: string; readonly recordingPath: string | null; readonly epoch: number },
  { key, signal }: { readonly key: TeamKey; readonly signal: AbortSignal },
): Promise<boolean> {
  let isComplete = true;
  const sound = callFilePath(deps.recordingsDir, call, 'wav');
  const parts = call.epoch > 1 ? await pathsOfParts(sound) : [];
  for (const path of [sound, ...parts, callFilePath(deps.recordingsDir, call, 'txt')]) {
    try {
      if ((await deps.files.sealingKeyOf(path)) === key.id) continue;
      await encrypt(deps, path, { key, signal });
    } catch (error) {
      if (isMissing(error)) continue;
      if (!(error instanceof SealedFileError)) throw error;
      deps.log.warn({ callId: call.id, err: error }, 'a file of a call cannot be read any more');
      isComplete = false;
      continue;
    }
    // Deleted meanwhile: its files may have been removed before this one was put in its place.
    const { teamId } = key;
    if (!(await findCall(deps.db, { teamId, id: call.id }))) await deps.files.remove(path);
  }
  return isComplete;
}

async function encrypt(
  { files }: Deps,
  path: string,
  { key, signal }: { readonly key: TeamKey; readonly signal: AbortSignal },
): Promise<void> {
  const sealing = `${path}.sealing`;
  const source = await files.open(path, 'r');
  try {
    await makePrivateFolder(dirname(sealing));
    const target = await createContentFile(sealing, key);
    await copy(source, target).finally(() => target.close());
    await rename(sealing, path);
    // The former key is thrown away only once the new file is where others read it.
    await files.keep(path, signal);
  } catch (error) {
    await rm(sealing, { force: true });
    throw error;
  } finally {
    await source.close();
  }
}

async function copy(source: ContentFile, target: ContentFile): Promise<void> {
  let at = 0;
  for await (const chunk of readContent(source, { first: 0, last: (await source.size()) - 1 })) {
    await writeWhole(target, chunk, at);
    at += chunk.length;
  }
  await target.sync();
}
