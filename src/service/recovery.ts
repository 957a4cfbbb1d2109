import { joinRecordings } from '../calls/recording-parts.ts';
import {
  callFilePath,
  type RepairedRecording,
  repairRecording,
  repairRecordings,
} from '../calls/recordings.ts';
import type { Log } from '../ports/log.ts';
import { writeCallBatch } from '../store/call-batch.ts';
import { type CallRecord, findCallOfAnyTeam } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { findAbandonedCall } from '../store/orphaned-calls.ts';
import type { ServiceStore } from './service-store.ts';

type RecoveryStore = Pick<ServiceStore, 'db' | 'recordingsDir' | 'callFiles' | 'unsavedRecords'>;

/**
 * Recovers what a killed process has left: unsaved records, calls without an end, truncated recordings. `sweep` ends
 * the calls of dead nodes.
 */
export async function recover(
  { db, recordingsDir, callFiles, unsavedRecords }: RecoveryStore,
  sweep: () => Promise<void>,
): Promise<void> {
  await unsavedRecords.restore(db);
  await sweep();
  const isAbandoned = async (id: string) => (await findAbandonedCall(db, { id })) !== undefined;
  for (const repaired of await repairRecordings(callFiles, recordingsDir, isAbandoned))
    await record(db, repaired);
}

/** Corrects the length in the recordings of interrupted calls. */
export async function recoverRecordings(
  { db, recordingsDir, callFiles }: Omit<RecoveryStore, 'unsavedRecords'>,
  calls: readonly { readonly id: string }[],
  log: Log,
): Promise<void> {
  for (const { id } of calls) {
    const call = await findCallOfAnyTeam(db, { id });
    const { recordingPath } = call?.snapshot ?? {};
    try {
      const path = callFilePath(recordingsDir, { id, recordingPath }, 'wav');
      // Processes that had taken the call over have recorded to files of their own.
      const joined =
        call && wasTakenOver(call) ? await joinRecordings(callFiles, path, call) : undefined;
      const repaired =
        joined ?? (await repairRecording(callFiles, recordingsDir, { id, recordingPath }));
      if (repaired) await record(db, { callId: id, ...repaired });
    } catch (error) {
      log.warn({ callId: id, err: error }, 'a recording could not be repaired');
    }
  }
}

/** The first owner and whoever ended the call count too. The folder may be large: it is not searched for every call. */
const wasTakenOver = (call: CallRecord): boolean => call.epoch > 2;

async function record(db: Db, { callId, ...recording }: RepairedRecording): Promise<void> {
  const call = await findCallOfAnyTeam(db, { id: callId });
  if (!call) return;
  const { teamId } = call;
  await writeCallBatch(db, { teamId, callId, lines: [], messages: [], patch: { recording } });
}
