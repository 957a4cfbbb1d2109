import type { Log } from './ports/log.ts';
import { repairRecordings } from './recordings.ts';
import type { Spill } from './spill.ts';
import { writeCallBatch } from './store/call-batch.ts';
import { findCallOfAnyTeam } from './store/calls.ts';
import type { Db } from './store/db.ts';
import { closeOrphanedCalls, settleEndedCalls } from './store/orphaned-calls.ts';

interface RecoveryDeps {
  readonly db: Db;
  readonly spill: Spill;
  readonly recordingsDir: string;
  readonly log: Log;
}

/** Puts in order what a process that was killed left: records put aside, calls without an end, torn recordings. */
export async function recover({ db, spill, recordingsDir, log }: RecoveryDeps): Promise<void> {
  await spill.restore(db);
  const closed = await closeOrphanedCalls(db, { liveNodeIds: [] });
  if (closed.length > 0)
    log.warn({ calls: closed.length }, 'ended calls that a former run left open');
  await settleEndedCalls(db);
  for (const { callId, ...recording } of await repairRecordings(recordingsDir)) {
    const call = await findCallOfAnyTeam(db, { id: callId });
    if (!call) continue;
    const { teamId } = call;
    await writeCallBatch(db, { teamId, callId, lines: [], messages: [], patch: { recording } });
  }
}
