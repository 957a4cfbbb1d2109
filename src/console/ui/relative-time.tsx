import { useEffect, useState } from 'preact/hooks';

const WORDS = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const EVERY_MS = 30_000;

/** A time relative to now; hovering shows the exact time. */
export function RelativeTime({ at }: { readonly at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={EXACT.format(new Date(at))}>
      {relative(Date.parse(at), now)}
    </time>
  );
}

function relative(atMs: number, nowMs: number): string {
  const seconds = (atMs - nowMs) / 1000;
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 60];
  return unit === 'second' ? WORDS.format(0, unit) : WORDS.format(Math.trunc(seconds / size), unit);
}
