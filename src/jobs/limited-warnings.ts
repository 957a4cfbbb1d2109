import type { Log } from '../ports/log.ts';

const EVERY_MS = 30_000;

/** Logs a warning that may come in floods, for example while the database is down, at most twice a minute. */
export function limitedWarnings(log: Log): (message: string, error: unknown) => void {
  let silentUntil = 0;
  let unsaid = 0;
  return (message, error) => {
    const now = performance.now();
    if (now < silentUntil) {
      unsaid++;
      return;
    }
    log.warn({ err: error, ...(unsaid > 0 ? { unsaid } : {}) }, message);
    silentUntil = now + EVERY_MS;
    unsaid = 0;
  };
}
