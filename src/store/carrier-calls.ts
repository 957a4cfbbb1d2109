import { and, desc, eq, inArray, isNotNull, isNull, notExists } from 'drizzle-orm';
import type { CarrierName } from '../ports/carrier.ts';
import type { Db } from './db.ts';
import { calls } from './schema/calls.ts';
import { nodes } from './schema/nodes.ts';
import { numbers } from './schema/numbers.ts';

/** A call at a carrier. */
export interface CarrierCall {
  readonly id: string;
  readonly teamId: string;
  readonly numberId: string;
  readonly carrierCallId: string;
  /** Rises with each process that takes the call over. */
  readonly epoch: number;
}

const isLive = and(isNull(calls.endAt), isNotNull(calls.carrierCallId), isNotNull(calls.numberId));
const shown = {
  id: calls.id,
  teamId: calls.teamId,
  numberId: calls.numberId,
  carrierCallId: calls.carrierCallId,
  epoch: calls.epoch,
};

/** The calls of these numbers that have not ended and have an id at the carrier. */
export async function listLiveCarrierCalls(
  db: Db,
  params: { readonly numberIds: readonly string[] },
): Promise<readonly CarrierCall[]> {
  const found = await db
    .select(shown)
    .from(calls)
    .where(and(isLive, inArray(calls.numberId, [...params.numberIds])));
  return found as CarrierCall[];
}

/** The live calls at a carrier whose process has died. */
export async function listOrphanedCarrierCalls(
  db: Db,
  params: { readonly carrier: CarrierName },
): Promise<readonly CarrierCall[]> {
  const node = db.select({ id: nodes.id }).from(nodes).where(eq(nodes.id, calls.nodeId));
  const found = await db
    .select(shown)
    .from(calls)
    .innerJoin(numbers, eq(numbers.id, calls.numberId))
    .where(and(isLive, eq(numbers.provider, params.carrier), notExists(node)));
  return found as CarrierCall[];
}

/** The given carrier ids whose calls, of these numbers, have ended. */
export async function findEndedCarrierCalls(
  db: Db,
  params: { readonly numberIds: readonly string[]; readonly carrierCallIds: readonly string[] },
): Promise<readonly string[]> {
  if (params.carrierCallIds.length === 0) return [];
  const found = await db
    .select({ carrierCallId: calls.carrierCallId })
    .from(calls)
    .where(
      and(
        inArray(calls.numberId, [...params.numberIds]),
        inArray(calls.carrierCallId, [...params.carrierCallIds]),
        isNotNull(calls.endAt),
      ),
    );
  return found.flatMap(({ carrierCallId }) => carrierCallId ?? []);
}

const NOT_OVER = ['trying', 'ringing', 'early-media', 'in-progress'] as const;

/** The call that a telephone of the team has at a carrier, or rings for. */
export async function findCallOfTelephone(
  db: Db,
  params: { readonly teamId: string; readonly number: string; readonly carrier: CarrierName },
) {
  const [found] = await db
    .select({
      id: calls.id,
      carrierCallId: calls.carrierCallId,
      direction: calls.direction,
      assistantNumber: calls.assistantNumber,
      phoneCallStatus: calls.phoneCallStatus,
    })
    .from(calls)
    .innerJoin(numbers, eq(numbers.id, calls.numberId))
    .where(
      and(
        isLive,
        eq(calls.teamId, params.teamId),
        eq(calls.userNumber, params.number),
        inArray(calls.phoneCallStatus, NOT_OVER),
        eq(numbers.provider, params.carrier),
      ),
    )
    // A second caller finds a telephone that talks busy.
    .orderBy(desc(eq(calls.phoneCallStatus, 'in-progress')), desc(calls.startAt))
    .limit(1);
  return found;
}
