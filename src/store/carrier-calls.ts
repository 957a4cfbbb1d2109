import { and, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { Db } from './db.ts';
import { calls } from './schema/calls.ts';

/** The calls of these numbers that have not ended and have an id at the carrier. */
export async function listLiveCarrierCalls(
  db: Db,
  params: { readonly numberIds: readonly string[] },
): Promise<readonly { readonly id: string; readonly carrierCallId: string }[]> {
  const found = await db
    .select({ id: calls.id, carrierCallId: calls.carrierCallId })
    .from(calls)
    .where(
      and(
        inArray(calls.numberId, [...params.numberIds]),
        isNull(calls.endAt),
        isNotNull(calls.carrierCallId),
      ),
    );
  return found.flatMap(({ id, carrierCallId }) =>
    carrierCallId === null ? [] : [{ id, carrierCallId }],
  );
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
