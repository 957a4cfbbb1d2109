import { nodeTagOf } from '../lib/node-tag.ts';
import type { CarrierEvent } from '../ports/carrier.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { findEndedCarrierCalls, listLiveCarrierCalls } from '../store/carrier-calls.ts';
import type { Db } from '../store/db.ts';
import type { NumberLine } from './number-line.ts';
import type { IsStanding } from './resume-orphans.ts';

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** True if the operator's leg belongs to a live call. */
  readonly isLiveLeg: (legId: string) => Promise<boolean>;
  /** Resumes the calls whose process has died, as far as they stand at this carrier. */
  readonly resume: (stands: IsStanding) => Promise<void>;
  readonly route: (event: CarrierEvent, lines: readonly NumberLine[]) => Promise<unknown>;
}

const COMMAND_MS = 10_000;
const SETTLE_MS = 3000;

/**
 * Compares the calls at a carrier with those known here. A known call that the carrier no longer has ended while its
 * events were disconnected: it is ended here too. A call that has ended here but not there was left behind by a
 * process that died: it is hung up.
 */
export async function reconcileCalls(
  { db, clock, log, isLiveLeg, route, resume }: Deps,
  lines: readonly NumberLine[],
  standing: () => Promise<readonly string[]>,
): Promise<void> {
  const numberIds = lines.map(({ number }) => number.id);
  /** Leaves out calls whose end has just been reported and is being written. */
  const stillLive = async (calls: typeof live) => {
    if (calls.length === 0) return calls;
    await new Promise<void>((resolve) => clock.setTimeout(resolve, SETTLE_MS));
    const now = new Set((await listLiveCarrierCalls(db, { numberIds })).map(({ id }) => id));
    return calls.filter(({ id }) => now.has(id));
  };
  // Read before the carrier's list: a call that begins in between must not look ended.
  const live = await listLiveCarrierCalls(db, { numberIds });
  const ids = new Set(await standing());
  const there: ReadonlySet<string> = new Set(ids);
  // Two servers may give their calls the same id.
  const resumed = resume(
    ({ numberId, carrierCallId }) => numberIds.includes(numberId) && there.has(carrierCallId),
  );
  const missing = live.filter(({ carrierCallId }) => !ids.delete(carrierCallId));
  for (const { id, carrierCallId } of await stillLive(missing)) {
    log.warn({ callId: id }, 'a call ended while the events of its carrier were disconnected');
    const gone = { type: 'call-status', status: 'completed', cause: 'gone' } as const;
    await route({ eventId: `gone ${carrierCallId}`, carrierCallId, ...gone }, lines);
  }
  const rest = [...ids];
  const left = new Set(await findEndedCarrierCalls(db, { numberIds, carrierCallIds: rest }));
  for (const id of rest) {
    const isLeft = left.has(id) || (nodeTagOf(id) !== undefined && !(await isLiveLeg(id)));
    if (!isLeft) continue;
    log.warn({ carrierCallId: id }, 'hung up a call that a dead process had left behind');
    await lines[0]?.account.hangup(id, AbortSignal.timeout(COMMAND_MS));
  }
  await resumed;
}
