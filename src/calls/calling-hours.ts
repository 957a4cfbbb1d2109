import { DateTime } from 'luxon';
import type { CallingHours } from '../contract/do-not-call.ts';

/** The IANA time zones in which a telephone number may be; none if its plan does not tell. */
export async function timeZonesOf(number: string): Promise<readonly string[]> {
  const [{ default: geo }, { default: parsePhoneNumber }] = await Promise.all([
    import('libphonenumber-geo-carrier'),
    import('libphonenumber-js/max'),
  ]);
  const zones = (await geo.timezones(parsePhoneNumber(number))) ?? [];
  return zones.filter((zone) => DateTime.local({ zone }).isValid);
}

/** True if it is within the hours in a time zone. `atMs`: epoch ms. */
function isWithin({ days, from, to }: CallingHours, zone: string, atMs: number): boolean {
  const there = DateTime.fromMillis(atMs, { zone, locale: 'en' });
  const day = (there.weekdayLong ?? '').toLowerCase();
  const time = there.toFormat('HH:mm');
  return days.some((one) => one === day) && time >= from && time < to;
}

/** Whether somebody may be called now by an assistant's hours. `zones`: those in which the called number may be. */
export function judgeHours(
  hours: CallingHours,
  { zones, atMs }: { readonly zones: readonly string[]; readonly atMs: number },
): 'open' | 'outside-calling-hours' | 'unknown-time-zone' {
  if (!hours.enabled) return 'open';
  const relevant = hours.timeZone ? [hours.timeZone] : zones;
  if (relevant.length === 0) return 'unknown-time-zone';
  return relevant.every((zone) => isWithin(hours, zone, atMs)) ? 'open' : 'outside-calling-hours';
}
