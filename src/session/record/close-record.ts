import type { StampedCommand } from '../../engine/machine/commands.ts';
import type { CallPatch } from '../../ports/call-store.ts';
import type { SessionDeps, SessionParts } from '../session-parts.ts';
import type { JournalWriter } from './journal-writer.ts';

/** How a call ended, for its record. */
export function endOf(
  { at, status, endReason, trigger, failure }: Extract<StampedCommand, { type: 'finish' }>,
  startedAtMs: number,
): CallPatch {
  return {
    ...{ status, endAt: Math.round(startedAtMs + at), endReason },
    ...(trigger ? { endTrigger: trigger } : {}),
    ...(failure ? { failure } : {}),
  };
}

/**
 * Stores the rest of a call's record and closes its recording. `isMoved`: another process goes on with the call, so the
 * record is not complete.
 */
export async function closeRecord(
  journal: JournalWriter,
  { recorder }: Pick<SessionParts, 'recorder'>,
  { consent, bill }: Pick<SessionDeps, 'consent' | 'bill'>,
  isMoved: boolean,
): Promise<void> {
  if (isMoved) await recorder?.leave();
  else {
    // Somebody's last words may refuse the recording: they are judged with the record.
    if (consent) await journal.durable();
    const recording = await recorder?.close();
    if (recording) journal.patch({ recording });
    journal.patch({ settled: true });
  }
  if (bill) journal.patch(bill());
  await journal.close();
}
