export interface Tried {
  readonly calls: number;
  readonly isGood: boolean;
}

const GROWTH = 1.4;
/** The last number that is good and the first that is not lie so near. */
const NEAR = 1.15;

/** The most calls that were good. */
export const mostOf = (tried: readonly Tried[]): number =>
  Math.max(0, ...tried.filter(({ isGood }) => isGood).map(({ calls }) => calls));

/** How many calls to try next in a search for the most that are good; undefined: it is over. */
export function nextCalls(tried: readonly Tried[]): number | undefined {
  const most = mostOf(tried);
  const bad = tried.filter(({ calls, isGood }) => !isGood && calls > most);
  if (bad.length === 0) return Math.ceil(most * GROWTH);
  const least = Math.min(...bad.map(({ calls }) => calls));
  if (least - most <= 1 || (most > 0 && least / most <= NEAR)) return undefined;
  return most === 0 ? Math.max(1, Math.floor(least / GROWTH)) : Math.round((most + least) / 2);
}
