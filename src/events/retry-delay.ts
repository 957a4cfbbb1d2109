const FIRST_MS = 1_000;
const LONGEST_MS = 15 * 60_000;

/** The delay after this many failed attempts: it doubles up to 15 minutes; random jitter takes off up to half. */
export function retryDelayMs(failures: number, random: () => number): number {
  const fullMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return fullMs * (0.5 + random() / 2);
}
