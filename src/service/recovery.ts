import { joinRecordings } from '../calls/recording-parts.ts';
import { callFilePath, type RepairedRecording, repairRecordings } from '../calls/recordings.ts';
import type { Log } from '../ports/log.ts';
import { writeCallBatch } from '../store/call-batch.ts';
import { findCallOfAnyTeam } from '../store/calls.ts';
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

/** Makes the recordings of interrupted calls of what their processes have left. */
export async function recoverRecordings(
  { db, recordingsDir, callFiles }: Omit<RecoveryStore, 'unsavedRecords'>,
  calls: readonly { readonly id: string }[],
  log: Log,
): Promise<void> {
  for (const { id } of calls) {
    try {
      const call = await findCallOfAnyTeam(db, { id });
      if (!call) continue;
      const { teamId, epoch, snapshot } = call;
      const { recordingPath } = snapshot;
      const path = callFilePath(recordingsDir, { id, recordingPath }, 'wav');
      // The first owner and whoever ended the call count too.
      const wasTakenOver = epoch > 2;
      const recording = await joinRecordings(callFiles, path, { teamId, wasTakenOver });
      if (recording) await record(db, { callId: id, ...recording });
    } catch (error) {
      log.warn({ callId: id, err: error }, 'a recording could not be repaired');
    }
  }
}

async function record(db: Db, { callId, ...recording }: RepairedRecording): Promise<void> {
  const call = await findCallOfAnyTeam(db, { id: callId });
  if (!call) return;
  const { teamId } = call;
  await writeCallBatch(db, { teamId, callId, lines: [], messages: [], patch: { recording } });
}
