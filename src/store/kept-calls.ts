import { inArray } from 'drizzle-orm';
import type { Db } from './db.ts';
import { calls } from './schema/calls.ts';

/** What is known of a call whose files lie on this disk. */
export interface CallWithFiles {
  readonly id: string;
  /** Its record is complete: nobody writes to its files any more. */
  readonly isSettled: boolean;
  /** Bytes of the complete recording; undefined if there is none, or a rule has removed it. */
  readonly recordingBytes: number | undefined;
}

/** Those calls of any team that are not deleted. */
export async function findCallsWithFiles(
  db: Db,
  { ids }: { readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, CallWithFiles>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ id: calls.id, wrapUp: calls.wrapUp, recording: calls.recording })
    .from(calls)
    .where(inArray(calls.id, [...ids]));
  return new Map(
    found.map(({ id, wrapUp, recording }) => [
      id,
      { id, isSettled: wrapUp !== null, recordingBytes: recording?.bytes },
    ]),
  );
}
