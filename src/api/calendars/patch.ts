import { CalendarConfigSchema } from '../../contract/calendar.ts';
import { invalid } from '../../contract/errors.ts';
import { applyMergePatch } from '../../contract/merge-patch.ts';
import { validate } from '../../contract/validation.ts';
import { type CalendarRecord, getCalendar, updateCalendar } from '../../store/calendars.ts';
import type { Db } from '../../store/db.ts';
import { refuseIfChanged } from '../entity-tag.ts';
import { retryRaces } from '../retry-races.ts';
import { presentCalendar } from './present.ts';

interface Patch {
  readonly teamId: string;
  readonly id: string;
  readonly patch: Readonly<Record<string, unknown>>;
  readonly ifMatch: string | undefined;
  readonly baseUrl: string;
}

/** Merges a patch into a calendar. */
export function patchCalendar(db: Db, params: Patch): Promise<CalendarRecord> {
  const { teamId, id, patch, ifMatch, baseUrl } = params;
  return retryRaces(async () => {
    const current = await getCalendar(db, { teamId, id });
    refuseIfChanged(ifMatch, presentCalendar(current, baseUrl));
    const merged = validate(CalendarConfigSchema, applyMergePatch(current.config, patch));
    if (!merged.ok) throw invalid(merged.faults);
    return updateCalendar(db, {
      teamId,
      id,
      config: merged.value,
      expectedVersion: current.version,
    });
  });
}
