import type { CallerData } from '../contract/privacy.ts';
import type { JobSender } from '../jobs/job-sender.ts';
import { countCallerData, countOptOuts, deleteBesidesCalls } from '../store/caller-data.ts';
import type { Db } from '../store/db.ts';
import { countDeletable, deleteCalls, matchingCalls } from '../store/delete-calls.ts';
import { isDoNotCall } from '../store/do-not-call.ts';
import { findNumberHold } from '../store/holds.ts';
import { numberForms } from '../store/number-forms.ts';
import { queueFileRemoval } from './remove-call-files.ts';

interface Caller {
  readonly teamId: string;
  /** E.164. */
  readonly number: string;
}

const SLICE = 100;

/** What is kept about a caller, and what of it a deletion leaves. */
export async function findCallerData(db: Db, caller: Caller): Promise<CallerData> {
  const { number } = caller;
  return {
    number,
    found: { ...(await countCallerData(db, caller)) },
    kept: await listKept(db, caller),
  };
}

/** Deletes what is kept about a caller, and reports what there was and what is left. */
export async function deleteCallerData(
  { db, jobs, now }: { readonly db: Db; readonly jobs: JobSender; readonly now: () => number },
  caller: Caller,
): Promise<CallerData> {
  const { teamId, number } = caller;
  const found = await countCallerData(db, caller);
  if (!(await findNumberHold(db, caller))) {
    const matching = matchingCalls({ teamId, userNumbers: numberForms(number) });
    const afterwards = queueFileRemoval(jobs, { teamId });
    for (;;) {
      const slice = { teamId, matching, limit: SLICE, now: new Date(now()), afterwards };
      const ids = await deleteCalls(db, { ...slice, cause: 'caller' });
      if (ids.length < SLICE) break;
    }
    await db.transaction((tx) => deleteBesidesCalls(tx, caller));
  }
  const left = await countCallerData(db, caller);
  const deleted = Object.fromEntries(
    Object.entries(found).map(([place, before]) => [
      place,
      Math.max(0, before - left[place as keyof typeof left]),
    ]),
  ) as NonNullable<CallerData['deleted']>;
  return { number, found: { ...found }, deleted, kept: await listKept(db, caller) };
}

async function listKept(db: Db, caller: Caller): Promise<CallerData['kept']> {
  const { teamId, number } = caller;
  const matching = matchingCalls({ teamId, userNumbers: numberForms(number) });
  const { held, live } = await countDeletable(db, matching);
  const hold = await findNumberHold(db, caller);
  const kept = [
    { what: 'calls', count: held, reason: hold ? `on hold: ${hold.reason}` : 'on hold' },
    { what: 'calls', count: live, reason: 'they have not ended' },
    {
      what: 'textOptOuts',
      count: await countOptOuts(db, caller),
      reason: 'so that nobody sends a text again',
    },
    {
      what: 'doNotCall',
      count: (await isDoNotCall(db, caller)) ? 1 : 0,
      reason: 'so that nobody calls again',
    },
  ];
  return kept.filter(({ count }) => count > 0);
}
