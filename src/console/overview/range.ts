/** Periods that the overview can show. */
export const RANGES = {
  '24h': { label: '24 hours', interval: 'hour', hours: 24 },
  '7d': { label: '7 days', interval: 'day', days: 7 },
  '30d': { label: '30 days', interval: 'day', days: 30 },
} as const;

export type RangeName = keyof typeof RANGES;

export function rangeNamed(name: string | null): RangeName {
  return name !== null && name in RANGES ? (name as RangeName) : '7d';
}

/** Query for a period: whole hours or days in the reader's time zone, the current one included. */
export function rangeQuery(name: RangeName, now: Date) {
  const range = RANGES[name];
  const start = new Date(now);
  if ('hours' in range) start.setHours(start.getHours() - range.hours + 1, 0, 0, 0);
  else {
    start.setDate(start.getDate() - range.days + 1);
    start.setHours(0, 0, 0, 0);
  }
  return {
    startDate: start.toISOString(),
    interval: range.interval,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

const HOUR = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** Axis label of an hour or a day. */
export function intervalLabel(startAt: string, interval: 'hour' | 'day'): string {
  return (interval === 'hour' ? HOUR : DAY).format(new Date(startAt));
}
