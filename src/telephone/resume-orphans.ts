import PQueue from 'p-queue';
import type { CarrierEvent, CarrierName } from '../ports/carrier.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { Log } from '../ports/log.ts';
import { type CarrierCall, listOrphanedCarrierCalls } from '../store/carrier-calls.ts';
import type { Db } from '../store/db.ts';
import { getNumber } from '../store/numbers.ts';
import { type NumberLine, openNumberLine } from './number-line.ts';

interface Deps {
  readonly db: Db;
  readonly carriers: Carriers;
  readonly log: Log;
  /** Once it is aborted, no further call is asked for. */
  readonly closing: AbortSignal;
  readonly route: (event: CarrierEvent, lines: readonly NumberLine[]) => Promise<unknown>;
}

/** True for a call that its carrier still has. */
export type IsStanding = (call: CarrierCall) => boolean;

/** A machine that died may leave hundreds of calls, each of which takes some queries and a command. */
const AT_ONCE = 16;

/**
 * Asks for the media of this carrier's calls whose process has died: of all that still stand at the carrier, as far as
 * that is known. For carriers that keep a call without a media socket and say only once that it was lost, perhaps while
 * no process was there to hear it. Never rejects.
 */
export async function resumeOrphans(
  deps: Deps,
  carrier: CarrierName,
  stands: IsStanding = () => true,
): Promise<void> {
  const { db, log, route, closing } = deps;
  const resume = async (call: CarrierCall): Promise<void> => {
    const { id, teamId, numberId, carrierCallId, epoch } = call;
    if (closing.aborted) return;
    try {
      const line = await openNumberLine(deps, await getNumber(db, { teamId, id: numberId }));
      // Asked once for each process that the call had: it may lose several.
      const eventId = `orphan ${id} ${epoch}`;
      const lost = { ofDeadProcess: true } as const;
      if (line) await route({ type: 'media-wanted', eventId, carrierCallId, lost }, [line]);
    } catch (error) {
      log.warn({ callId: id, err: error }, 'a call of a dead process could not be resumed');
    }
  };
  try {
    const orphans = await listOrphanedCarrierCalls(db, { carrier });
    const queue = new PQueue({ concurrency: AT_ONCE });
    await queue.addAll(orphans.filter(stands).map((orphan) => () => resume(orphan)));
  } catch (error) {
    log.warn({ carrier, err: error }, 'the calls of dead processes could not be looked up');
  }
}
