import type { PhoneCallStatus } from '../contract/call.ts';
import { type CallRecord, updateCall } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { IllegalTransitionError } from '../store/errors.ts';

/** Keeps what a carrier says of a line, unless the record is further already: then it came late. */
export async function noteStatus(
  db: Db,
  { id, teamId }: Pick<CallRecord, 'id' | 'teamId'>,
  phoneCallStatus: PhoneCallStatus,
): Promise<void> {
  try {
    await updateCall(db, { teamId, id, change: { phoneCallStatus } });
  } catch (error) {
    if (!(error instanceof IllegalTransitionError)) throw error;
  }
}
