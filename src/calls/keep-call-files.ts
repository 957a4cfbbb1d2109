import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isMissing } from '../lib/disk-errors.ts';
import type { RepeatedLog } from '../lib/repeated-log.ts';
import { SealedFileError } from '../lib/sealed-bytes.ts';
import type { Bucket } from '../ports/bucket.ts';
import { sealedPath } from '../session/record/sealed-recording.ts';
import type { Db } from '../store/db.ts';
import { type CallWithFiles, findCallsWithFiles } from '../store/kept-calls.ts';
import type { CallFiles } from './call-files.ts';
import { keyOfCallFile } from './kept-files.ts';

export interface KeepCallFilesDeps {
  readonly db: Db;
  readonly files: CallFiles;
  readonly bucket: Pick<Bucket, 'uploadAhead'>;
  readonly recordingsDir: string;
  readonly log: Pick<RepeatedLog, 'warn'>;
}

/** Complete files, and recordings that still grow: not what is being joined, encrypted or written. */
const FILE = /^[\w-]+\.(?:wav|wav\.sealed|txt)$/;
const SEALED = sealedPath('.wav');
const SLICE = 100;
const AT_ONCE = 4;

/**
 * Brings the files of calls that have ended from this disk to the bucket, and of calls that go on what will not change
 * any more. What fails is tried again in the next round; the files stay on the disk until then.
 */
export async function keepCallFiles(deps: KeepCallFilesDeps, signal: AbortSignal): Promise<void> {
  const { db, recordingsDir, log } = deps;
  try {
    const entries = await readdir(recordingsDir, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile() && FILE.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
    for (let at = 0; at < paths.length; at += SLICE) {
      const slice = paths.slice(at, at + SLICE);
      const calls = await findCallsWithFiles(db, { ids: slice.map(callIdOf) });
      for (let i = 0; i < slice.length; i += AT_ONCE) {
        signal.throwIfAborted();
        const some = slice.slice(i, i + AT_ONCE);
        await Promise.all(some.map((path) => bring(deps, calls.get(callIdOf(path)), path, signal)));
      }
    }
  } catch (error) {
    if (!signal.aborted) log.warn('storage', { err: error }, 'files of calls could not be listed');
  }
}

const callIdOf = (path: string): string => basename(path).replace(/\..*$/, '');

async function bring(
  deps: KeepCallFilesDeps,
  call: CallWithFiles | undefined,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, files, bucket, recordingsDir, log } = deps;
  try {
    // Of a call that was deleted: its files were removed where it was deleted, which may be another machine.
    if (!call) return await files.remove(path);
    const isSound = !path.endsWith('.txt');
    if (isSound && !call.isSettled) {
      // The first of several files of a call may be joined with others, which changes it throughout.
      if (path.endsWith('.wav'))
        await bucket.uploadAhead(keyOfCallFile(recordingsDir, path), path, signal);
      return;
    }
    if (isSound && !(await isComplete(files, call, path))) return;
    await files.keep(path, signal);
    // Whoever deleted it meanwhile may not have found it there yet.
    const still = (await findCallsWithFiles(db, { ids: [call.id] })).get(call.id);
    if (!still || (isSound && still.recordingBytes === undefined)) await files.remove(path);
  } catch (error) {
    if (signal.aborted || isMissing(error) || error instanceof SealedFileError) return;
    log.warn('storage', { callId: callIdOf(path), err: error }, 'a file waits for the storage');
  }
}

/** True if the recording is as long as the call's record says: it was repaired and joined of its parts. */
async function isComplete(files: CallFiles, call: CallWithFiles, path: string): Promise<boolean> {
  if (call.recordingBytes === undefined) return false;
  // A sealed original is written by one process alone.
  if (path.endsWith(SEALED)) return true;
  const file = await files.open(path, 'r');
  return file
    .size()
    .then((size) => size === call.recordingBytes)
    .finally(() => file.close());
}
