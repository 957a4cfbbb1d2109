import { eq, sql } from 'drizzle-orm';
import type { Checkpoint } from '../engine/machine/replay.ts';
import type { Db } from './db.ts';
import { callCheckpoints } from './schema/calls.ts';
import { contentOpener, contentSealer } from './sealed-content.ts';
import { storableJson } from './storable.ts';

/** Where the checkpoint of a call stands. */
export const checkpointPlace = (callId: string) => ({
  table: 'call_checkpoints',
  owner: callId,
  part: 'data',
});

/**
 * Keeps a checkpoint of a live call in place of an earlier one, unless another process owns the call by now. What it holds
 * may change once this has returned its promise.
 */
export async function keepCheckpoint(
  db: Db,
  params: {
    readonly teamId: string;
    readonly callId: string;
    readonly epoch: number;
    readonly checkpoint: Checkpoint;
  },
): Promise<void> {
  const { callId, epoch, checkpoint } = params;
  const { last, engineVersion } = checkpoint;
  const text = storableJson(checkpoint);
  const seal = await contentSealer(db, params);
  const data = seal.seals ? storableJson(seal.text(text, checkpointPlace(callId))) : text;
  await db.execute(sql`
    insert into call_checkpoints (call_id, seq, engine_version, data)
    select id, ${last.seq}::integer, ${engineVersion}, ${data}::json from calls
    where id = ${callId} and epoch = ${epoch} and end_at is null
    for key share
    on conflict (call_id) do update set
      seq = excluded.seq, engine_version = excluded.engine_version, data = excluded.data
    where call_checkpoints.seq < excluded.seq`);
}

/** The checkpoint of a call, if this version of the engine made it. Throws UnreadableError. */
export async function findCheckpoint(
  db: Db,
  { callId, engineVersion }: { readonly callId: string; readonly engineVersion: string },
): Promise<Checkpoint | undefined> {
  const [row] = await db.select().from(callCheckpoints).where(eq(callCheckpoints.callId, callId));
  if (row?.engineVersion !== engineVersion) return undefined;
  const open = await contentOpener(db, [row.data]);
  return open.json(row.data, checkpointPlace(callId));
}

/** Deletes the checkpoints of calls, which nobody goes on with. */
export async function deleteCheckpoints(tx: Db, callIds: readonly string[]): Promise<void> {
  if (callIds.length === 0) return;
  await tx.execute(sql`delete from call_checkpoints
    where call_id in (select json_array_elements_text(${JSON.stringify(callIds)}::json))`);
}
