import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../contract/errors.ts';
import type { JobSender } from '../jobs/job-sender.ts';
import type { CallControl } from '../ports/call-control.ts';
import { findCall } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import {
  type CallFilter,
  countDeletable,
  type DeletedCall,
  deleteCalls,
  findDeletedCall,
  matchingCalls,
} from '../store/delete-calls.ts';
import { HeldError, NotFoundError } from '../store/errors.ts';
import { endWaitingCall } from '../store/suspended-calls.ts';
import { queueFileRemoval } from './remove-call-files.ts';

interface Deps {
  readonly db: Db;
  readonly jobs: JobSender;
  readonly control: CallControl;
  readonly now: () => number;
}

interface One {
  readonly teamId: string;
  readonly id: string;
}

const END_MS = 10_000;
const LOOK_MS = 100;
const SLICE = 100;
const MAX_AT_ONCE = 1000;

/** Deletes a call; one that was deleted before is no error. `end`: ends it first if it is live. */
export async function deleteCall(
  deps: Deps,
  params: One & { readonly end: boolean },
): Promise<DeletedCall> {
  const { db, jobs, now } = deps;
  const { teamId, id, end } = params;
  const call = await findCall(db, { teamId, id });
  if (call) {
    if (!call.endAt && !end)
      throw new Problem({
        kind: 'not-live',
        message: 'The call is live: end it first, or delete it with end=true',
      });
    if (!call.endAt) await endCall(deps, { teamId, id });
    const matching = matchingCalls({ teamId, ids: [id] });
    const afterwards = queueFileRemoval(jobs, { teamId });
    const slice = { teamId, matching, limit: 1, now: new Date(now()), afterwards };
    await deleteCalls(db, { ...slice, cause: 'request' });
  }
  const deleted = await findDeletedCall(db, { teamId, id });
  if (!deleted && call) throw new HeldError('The call is on hold: release it first');
  if (!deleted) throw new NotFoundError('call', id);
  return deleted;
}

/** Deletes ended calls that match a filter, at most 1000. Dry run: only counts. */
export async function deleteMatchingCalls(
  { db, jobs, now }: Pick<Deps, 'db' | 'jobs' | 'now'>,
  params: { readonly teamId: string; readonly filter: CallFilter; readonly dryRun: boolean },
): Promise<{
  readonly deleted: number;
  readonly held: number;
  readonly live: number;
  readonly remaining: number;
}> {
  const { teamId, filter, dryRun } = params;
  const matching = matchingCalls({ ...filter, teamId });
  const afterwards = queueFileRemoval(jobs, { teamId });
  let deleted = 0;
  while (!dryRun && deleted < MAX_AT_ONCE) {
    const slice = { teamId, matching, limit: SLICE, now: new Date(now()), afterwards };
    const ids = await deleteCalls(db, { ...slice, cause: 'request' });
    deleted += ids.length;
    if (ids.length < SLICE) break;
  }
  const { free: remaining, held, live } = await countDeletable(db, matching);
  return { deleted, held, live, remaining };
}

/** Ends a live call and waits for its end. */
async function endCall({ db, control, now }: Deps, { teamId, id }: One): Promise<void> {
  await endWaitingCall(db, { teamId, id, endReason: 'ended-by-control', now: new Date(now()) });
  const signal = AbortSignal.timeout(END_MS);
  while (!signal.aborted) {
    const call = await findCall(db, { teamId, id });
    if (!call || call.endAt) return;
    await control.command(id, { type: 'control.end' });
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  throw new Problem({
    kind: 'not-live',
    message: 'The call does not end: try again in some seconds',
  });
}
