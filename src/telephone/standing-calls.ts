import { nodeTagOf } from '../lib/node-tag.ts';
import type { CarrierEvent } from '../ports/carrier.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { findEndedCarrierCalls, listLiveCarrierCalls } from '../store/carrier-calls.ts';
import type { Db } from '../store/db.ts';
import type { NumberLine } from './number-account.ts';

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether a leg to an operator still lives in the process whose id it bears. */
  readonly isLeg: (legId: string) => Promise<boolean>;
  readonly route: (event: CarrierEvent, lines: readonly NumberLine[]) => Promise<unknown>;
}

const COMMAND_MS = 10_000;
const SETTLE_MS = 3000;

/**
 * Compares the calls that stand at a carrier with those that are known here. One that is known and stands no more
 * has ended while nobody listened; one that stands and has ended here was left behind by a process that died.
 */
export async function compareStanding(
  { db, clock, log, isLeg, route }: Deps,
  lines: readonly NumberLine[],
  standing: () => Promise<readonly string[]>,
): Promise<void> {
  const numberIds = lines.map(({ number }) => number.id);
  /** Without those whose end was told a moment ago and is being written. */
  const stillLive = async (calls: typeof live) => {
    if (calls.length === 0) return calls;
    await new Promise<void>((resolve) => clock.setTimeout(resolve, SETTLE_MS));
    const now = new Set((await listLiveCarrierCalls(db, { numberIds })).map(({ id }) => id));
    return calls.filter(({ id }) => now.has(id));
  };
  // Read first: a call that begins meanwhile may stand in the other list only.
  const live = await listLiveCarrierCalls(db, { numberIds });
  const ids = new Set(await standing());
  const missing = live.filter(({ carrierCallId }) => !ids.delete(carrierCallId));
  for (const { id, carrierCallId } of await stillLive(missing)) {
    log.warn({ callId: id }, 'a call has ended while its carrier could not tell');
    const gone = { type: 'call-status', status: 'completed', cause: 'gone' } as const;
    await route({ eventId: `gone ${carrierCallId}`, carrierCallId, ...gone }, lines);
  }
  const rest = [...ids];
  const left = new Set(await findEndedCarrierCalls(db, { numberIds, carrierCallIds: rest }));
  for (const id of rest) {
    const isLeft = left.has(id) || (nodeTagOf(id) !== undefined && !(await isLeg(id)));
    if (!isLeft) continue;
    log.warn({ carrierCallId: id }, 'hung up a call that its process had left behind');
    await lines[0]?.account.hangup(id, AbortSignal.timeout(COMMAND_MS));
  }
}
