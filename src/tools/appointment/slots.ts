import { DateTime } from 'luxon';
import { type CalendarConfig, WEEKDAYS } from '../../contract/calendar.ts';

/** A span of time, Unix ms. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

export interface Slot extends Span {
  /** How many bookings the slot still accepts. */
  readonly left: number;
}

/** The free slots of a calendar for a number of days from a local day: open, between lead time and horizon, not full. */
export function freeSlots(
  calendar: CalendarConfig,
  booked: readonly Span[],
  range: { readonly nowMs: number; readonly fromDate: string; readonly days: number },
): readonly Slot[] {
  const { timezone: zone, leadMinutes, horizonDays } = calendar;
  const now = DateTime.fromMillis(range.nowMs, { zone });
  const earliestMs = range.nowMs + leadMinutes * 60_000;
  const lastDay = now.startOf('day').plus({ days: horizonDays });
  const takenDuring = overlapCounter(booked);
  const slots: Slot[] = [];
  for (let offset = 0; offset < range.days; offset++) {
    const day = DateTime.fromISO(range.fromDate, { zone }).plus({ days: offset });
    if (!day.isValid || day > lastDay) break;
    for (const span of openSpans(calendar, day)) {
      const left = calendar.capacity - takenDuring(span);
      if (left > 0 && span.startMs >= earliestMs) slots.push({ ...span, left });
    }
  }
  return slots;
}

/** The slots within a day's opening hours, back to back from the opening time. */
function openSpans(calendar: CalendarConfig, day: DateTime): readonly Span[] {
  if (calendar.closedDates.includes(day.toISODate() ?? '')) return [];
  const lengthMs = calendar.slotMinutes * 60_000;
  const hours = calendar.openingHours[WEEKDAYS[day.weekday - 1] as (typeof WEEKDAYS)[number]];
  return hours.flatMap(({ from, to }) => {
    const endMs = at(day, to);
    const spans: Span[] = [];
    for (let startMs = at(day, from); startMs + lengthMs <= endMs; startMs += lengthMs) {
      spans.push({ startMs, endMs: startMs + lengthMs });
    }
    return spans;
  });
}

// Local wall-clock time: a day on which clocks change is shorter or longer than 24 hours.
function at(day: DateTime, time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const midnight = day.startOf('day');
  return hour === 24
    ? midnight.plus({ days: 1 }).toMillis()
    : midnight.set({ hour, minute }).toMillis();
}

/** Counts the spans that overlap another one: those that began before its end, minus those that ended by its start. */
function overlapCounter(spans: readonly Span[]): (span: Span) => number {
  const starts = Float64Array.from(spans, ({ startMs }) => startMs).sort();
  const ends = Float64Array.from(spans, ({ endMs }) => endMs).sort();
  return ({ startMs, endMs }) => countBelow(starts, endMs) - countBelow(ends, startMs + 1);
}

/** Counts the sorted values below the bound. */
function countBelow(sorted: Float64Array, bound: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] as number) < bound) from = middle + 1;
    else to = middle;
  }
  return from;
}
