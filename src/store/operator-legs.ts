import { and, eq, inArray, isNotNull, isNull, notExists, type SQL } from 'drizzle-orm';
import { nodeTagOf } from '../lib/node-tag.ts';
import type { CarrierName } from '../ports/carrier.ts';
import type { Db } from './db.ts';
import { calls } from './schema/calls.ts';
import { nodes } from './schema/nodes.ts';
import { numbers } from './schema/numbers.ts';
import { operatorLegs } from './schema/operator-legs.ts';

/** An operator's leg and the call that it belongs to. */
export interface OperatorLegRecord {
  readonly id: string;
  readonly callId: string;
  readonly teamId: string;
  readonly legId: number;
  readonly numberId: string;
  readonly carrierCallId: string | null;
  /** The process that has the call; null if none has it. */
  readonly nodeId: string | null;
  /** Rises with each process that takes the call over. */
  readonly epoch: number;
  /** When the call ended. */
  readonly endAt: Date | null;
  readonly baseUrl: string | undefined;
}

/** Records a leg that is about to be dialled. */
export async function createOperatorLeg(
  db: Db,
  params: {
    readonly id: string;
    readonly callId: string;
    readonly legId: number;
    readonly numberId: string;
    readonly toNumber: string;
  },
): Promise<void> {
  await db.insert(operatorLegs).values(params);
}

/** Records what the carrier calls a leg. */
export async function nameOperatorLeg(
  db: Db,
  { id, carrierCallId }: { readonly id: string; readonly carrierCallId: string },
): Promise<void> {
  await db.update(operatorLegs).set({ carrierCallId }).where(eq(operatorLegs.id, id));
}

/** Records that the operator has answered. */
export async function answerOperatorLeg(db: Db, { id }: { readonly id: string }): Promise<void> {
  await db.update(operatorLegs).set({ isAnswered: true }).where(eq(operatorLegs.id, id));
}

export async function deleteOperatorLeg(db: Db, { id }: { readonly id: string }): Promise<void> {
  await db.delete(operatorLegs).where(eq(operatorLegs.id, id));
}

/** A leg by its own id, or by the number that the machine of its call gave it. */
export async function findOperatorLeg(
  db: Db,
  params: { readonly id: string } | { readonly callId: string; readonly legId: number },
): Promise<OperatorLegRecord | undefined> {
  const isIt =
    'id' in params
      ? eq(operatorLegs.id, params.id)
      : and(eq(operatorLegs.callId, params.callId), eq(operatorLegs.legId, params.legId));
  return (await listLegs(db, isIt))[0];
}

/** The legs that these calls have left. */
export async function listOperatorLegs(
  db: Db,
  { callIds }: { readonly callIds: readonly string[] },
): Promise<readonly OperatorLegRecord[]> {
  return callIds.length === 0 ? [] : listLegs(db, inArray(operatorLegs.callId, [...callIds]));
}

/** The legs of calls that have ended, left by a process that died before it could hang them up. */
export async function listLeftOperatorLegs(db: Db): Promise<readonly OperatorLegRecord[]> {
  const node = db.select({ id: nodes.id }).from(nodes).where(eq(nodes.id, calls.nodeId));
  return listLegs(db, and(isNotNull(calls.endAt), notExists(node)));
}

/**
 * The leg that a telephone of the team has at a carrier, of a live call in which operator and caller talk, or for which
 * it rings, of a call whose process has dialled the leg and lives.
 */
export async function findLegOfTelephone(
  db: Db,
  params: { readonly teamId: string; readonly number: string; readonly carrier: CarrierName },
): Promise<
  { id: string; carrierCallId: string | null; from: string; isAnswered: boolean } | undefined
> {
  const found = await db
    .select({
      id: operatorLegs.id,
      carrierCallId: operatorLegs.carrierCallId,
      from: numbers.number,
      isAnswered: operatorLegs.isAnswered,
      status: calls.status,
      nodeId: nodes.id,
    })
    .from(operatorLegs)
    .innerJoin(calls, eq(calls.id, operatorLegs.callId))
    .innerJoin(numbers, eq(numbers.id, operatorLegs.numberId))
    .leftJoin(nodes, eq(nodes.id, calls.nodeId))
    .where(
      and(
        eq(operatorLegs.toNumber, params.number),
        eq(calls.teamId, params.teamId),
        isNull(calls.endAt),
        eq(numbers.provider, params.carrier),
      ),
    );
  const talks = found.find(({ status }) => status === 'forwarded');
  return (
    (talks && { ...talks, isAnswered: true }) ??
    found.find(({ id, nodeId, isAnswered }) => !isAnswered && nodeId === nodeTagOf(id))
  );
}

async function listLegs(db: Db, which: SQL | undefined): Promise<readonly OperatorLegRecord[]> {
  const found = await db
    .select({
      id: operatorLegs.id,
      callId: operatorLegs.callId,
      teamId: calls.teamId,
      legId: operatorLegs.legId,
      numberId: operatorLegs.numberId,
      carrierCallId: operatorLegs.carrierCallId,
      nodeId: calls.nodeId,
      epoch: calls.epoch,
      endAt: calls.endAt,
      snapshot: calls.snapshot,
    })
    .from(operatorLegs)
    .innerJoin(calls, eq(calls.id, operatorLegs.callId))
    .where(which);
  return found.map(({ snapshot, ...leg }) => ({ ...leg, baseUrl: snapshot.baseUrl }));
}
