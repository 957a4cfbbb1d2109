import { type RepairedRecording, repairRecording, repairRecordings } from '../calls/recordings.ts';
import type { Log } from '../ports/log.ts';
import { writeCallBatch } from '../store/call-batch.ts';
import { findCallOfAnyTeam } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { findAbandonedCall } from '../store/orphaned-calls.ts';
import type { UnsavedRecords } from './unsaved-records.ts';

interface RecoveryDeps {
  readonly db: Db;
  readonly recordingsDir: string;
}

/** Puts in order what a process that was killed left: records put aside, calls without an end, torn recordings. */
export async function recover(
  deps: RecoveryDeps & {
    readonly spill: UnsavedRecords;
    /** Ends the calls of dead nodes. */
    readonly sweep: () => Promise<void>;
  },
): Promise<void> {
  const { db, spill, sweep, recordingsDir } = deps;
  await spill.restore(db);
  await sweep();
  const isAbandoned = async (id: string) => (await findAbandonedCall(db, { id })) !== undefined;
  for (const repaired of await repairRecordings(recordingsDir, isAbandoned))
    await record(db, repaired);
}

/** Gives the recordings of calls that were cut off their true length. */
export async function recoverRecordings(
  { db, recordingsDir, log }: RecoveryDeps & { readonly log: Log },
  calls: readonly { readonly id: string }[],
): Promise<void> {
  for (const { id } of calls) {
    const call = await findCallOfAnyTeam(db, { id });
    const { recordingPath } = call?.snapshot ?? {};
    try {
      const repaired = await repairRecording(recordingsDir, { id, recordingPath });
      if (repaired) await record(db, repaired);
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
