import type { EarlierRecordings } from '../session/record/recorder.ts';
import type { CallRecord } from '../store/calls.ts';
import type { CallFiles } from './call-files.ts';
import { joinRecordings } from './recording-parts.ts';
import { callFilePath } from './recordings.ts';
import { removeSound } from './remove-call-files.ts';

/** The recordings of the processes that had a call before. */
export function earlierRecordings(
  { recordingsDir, callFiles }: { readonly recordingsDir: string; readonly callFiles: CallFiles },
  { id, teamId, epoch, snapshot }: Pick<CallRecord, 'id' | 'teamId' | 'epoch' | 'snapshot'>,
): EarlierRecordings {
  const { recordingPath } = snapshot;
  const path = callFilePath(recordingsDir, { id, recordingPath }, 'wav');
  const remove = () =>
    removeSound(
      { recordingsDir, files: callFiles },
      { id, epoch, recordingPath: recordingPath ?? null },
    );
  return {
    async join(signal) {
      // Where this process has recorded nothing, there may be the first one's file alone.
      const joined = await joinRecordings(callFiles, path, { teamId, signal });
      // A sealed original without a recording would outlive the rules by which recordings are deleted.
      if (!joined) await remove();
      return joined;
    },
    remove,
  };
}
