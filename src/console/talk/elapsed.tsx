import { useEffect, useState } from 'preact/hooks';
import { clockText } from '../ui/duration.tsx';

const EVERY_MS = 500;

interface ElapsedProps {
  /** On the `performance.now()` clock. */
  readonly since: number | undefined;
  readonly running: boolean;
}

/** Duration of a call; stops when the call ends. */
export function Elapsed({ since, running }: ElapsedProps) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (since === undefined) setSeconds(0);
    if (since === undefined || !running) return;
    const tick = (): void => setSeconds((performance.now() - since) / 1000);
    tick();
    const timer = setInterval(tick, EVERY_MS);
    return () => clearInterval(timer);
  }, [since, running]);
  return (
    <span id="duration" class="duration">
      {clockText(seconds)}
    </span>
  );
}
