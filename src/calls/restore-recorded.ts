import { type RestoredCall, restoreCall } from '../engine/machine/replay.ts';
import { finishInTurns } from '../lib/in-turns.ts';
import type { JournalLine } from '../ports/journal.ts';
import { readCallEvents } from '../store/call-events.ts';
import { readOriginalEvents } from '../store/call-originals.ts';
import type { CallRecord } from '../store/calls.ts';
import type { Db } from '../store/db.ts';

/**
 * The call as its journal leaves it; undefined if it had not begun. Throws ReplayError if another version of the service
 * recorded it.
 */
export async function restoreRecorded(
  db: Db,
  { teamId, id: callId }: Pick<CallRecord, 'teamId' | 'id'>,
): Promise<RestoredCall | undefined> {
  const lines: JournalLine[] = [];
  const originals = await readOriginalEvents(db, { teamId, callId });
  for await (const line of originals ?? readCallEvents(db, { callId })) lines.push(line);
  return lines.length > 0 ? finishInTurns(restoreCall(lines)) : undefined;
}
