import type { Curve, Refusals } from './questions.ts';

/** What the defaults of the service promise of replies, of 99 in 100: this much is added, at most, ms. */
export const PROMISED_MS = 25;
/** And to the replies of the calls that are taken, when half as many again are asked for as there is time for. */
export const PROMISED_UNDER_OVERLOAD_MS = 50;

/** The last of rows, in the order of their growth, before one breaks the promise. */
function lastKept<Row>(rows: readonly Row[], isKept: (row: Row) => boolean): Row | undefined {
  const broken = rows.findIndex((row) => !isKept(row));
  return rows[(broken < 0 ? rows.length : broken) - 1];
}

/** Calls on a core, and a lag, up to which the promise is kept, as a sentence that {@link promisedBy} reads. */
export function keptTo(curve: readonly Curve[], refusals: readonly Refusals[]): string {
  const tails = ({ measured, simulated }: Curve) =>
    Math.max(measured?.replyOwnMs.p99 ?? 0, simulated.p99);
  const calls = lastKept(curve, (one) => tails(one) <= PROMISED_MS)?.calls ?? 0;
  const onSlowHost = lastKept(curve, (one) => one.onSlowHost.p99 <= PROMISED_MS)?.calls ?? 0;
  const kept = lastKept(refusals, ({ asIs }) => asIs.replyMs.p99 <= PROMISED_UNDER_OVERLOAD_MS);
  return [
    `Added to a reply, in 99 of 100: at most ${PROMISED_MS} ms with up to ${calls} calls on a core,`,
    `and up to ${onSlowHost} on a host half as fast; at most ${PROMISED_UNDER_OVERLOAD_MS} ms under overload`,
    kept ? `with a \`MAX_LAG_MS\` of up to ${kept.maxLagMs}.` : 'with no `MAX_LAG_MS` of these.',
  ].join(' ');
}

/** What the page says of that; undefined: it was not measured yet. `lagMs` is absent where none keeps the promise. */
export function promisedBy(page: string) {
  const found =
    /with up to (\d+) calls on a core, and up to \d+ on a host half as fast; .* (?:of up to (\d+)|of these)\./.exec(
      page,
    );
  if (!found) return undefined;
  return { calls: Number(found[1]), ...(found[2] ? { lagMs: Number(found[2]) } : {}) };
}
