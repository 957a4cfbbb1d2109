import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Db } from '../store/db.ts';
import { noteRequest } from '../store/numbers.ts';

/** Keeps for the number's set-up that its carrier announced a call, or that a request was refused; never rejects. */
export async function noteWebhook(
  { db, clock, log }: { readonly db: Db; readonly clock: Clock; readonly log: Pick<Log, 'warn'> },
  id: string,
  what: 'arrivedAt' | 'refusedAt',
): Promise<void> {
  try {
    await noteRequest(db, { id, what, at: new Date(clock.now()) });
  } catch (error) {
    log.warn({ err: error, numberId: id }, 'a request for a number could not be noted');
  }
}
