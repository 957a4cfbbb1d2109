import { ENGINE_VERSION } from '../engine/machine/call.ts';
import {
  type Checkpoint,
  ReplayError,
  type RestoredCall,
  restoreCall,
  restoreFrom,
} from '../engine/machine/replay.ts';
import { finishInTurns } from '../lib/in-turns.ts';
import { TeamQueue } from '../lib/team-queue.ts';
import type { JournalLine } from '../ports/journal.ts';
import { findCheckpoint } from '../store/call-checkpoints.ts';
import { readCallEvents } from '../store/call-events.ts';
import { readOriginalEvents } from '../store/call-originals.ts';
import type { CallRecord } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { UnreadableError } from '../store/sealed-content.ts';

const AT_ONCE = 4;

/**
 * All calls of a dead process come back at the same time. Side by side each would be back when the last one is; so they
 * are set up a few at a time, teams by turns. Each has a place in its process, which bounds how many wait.
 */
export const takeOverQueue = (): TeamQueue =>
  new TeamQueue({
    concurrency: AT_ONCE,
    maxPerTeam: () => AT_ONCE,
    maxWaiting: Number.POSITIVE_INFINITY,
  });

/**
 * The call as its journal leaves it; undefined if it had not begun. Throws ReplayError if another version of the service
 * recorded it.
 */
export async function restoreRecorded(
  db: Db,
  {
    teamId,
    id: callId,
    lostAt,
  }: Pick<CallRecord, 'teamId' | 'id'> & Partial<Pick<CallRecord, 'lostAt'>>,
): Promise<RestoredCall | undefined> {
  const [checkpoint, originals] = await Promise.all([
    checkpointOf(db, callId),
    readOriginalEvents(db, { teamId, callId }),
  ]);
  const restored =
    (checkpoint && (await restoreAfter(db, callId, checkpoint))) ??
    (await restoreWhole(originals ?? readCallEvents(db, { callId })));
  return restored && lostAt ? { ...restored, lostAtMs: lostAt.getTime() } : restored;
}

async function restoreWhole(journal: AsyncIterable<JournalLine>) {
  const lines = await collect(journal);
  return lines.length > 0 ? finishInTurns(restoreCall(lines)) : undefined;
}

/** Undefined also if it cannot be read. */
async function checkpointOf(db: Db, callId: string): Promise<Checkpoint | undefined> {
  try {
    return await findCheckpoint(db, { callId, engineVersion: ENGINE_VERSION });
  } catch (error) {
    if (error instanceof UnreadableError) return undefined;
    throw error;
  }
}

/** The same without the lines before a checkpoint; undefined if the journal does not bear it out. */
async function restoreAfter(
  db: Db,
  callId: string,
  checkpoint: Checkpoint,
): Promise<RestoredCall | undefined> {
  try {
    const lines = await collect(readCallEvents(db, { callId, afterSeq: checkpoint.last.seq - 1 }));
    return await finishInTurns(restoreFrom(checkpoint, lines));
  } catch (error) {
    // The journal is the truth: what is wrong with it is found when all of it is run.
    if (error instanceof ReplayError || error instanceof UnreadableError) return undefined;
    throw error;
  }
}

async function collect(lines: AsyncIterable<JournalLine>): Promise<readonly JournalLine[]> {
  const all: JournalLine[] = [];
  for await (const line of lines) all.push(line);
  return all;
}
