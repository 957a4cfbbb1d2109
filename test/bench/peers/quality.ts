import { tail } from '../calls/summary.ts';
import type { Point } from './measure.ts';

/** What a core's calls may lose of a few calls' quality: so many more of a hundred may fare worse. */
export const QUALITY = { lateReplyMs: 100, percent: 1 } as const;

type Judged = Pick<
  Point,
  'replies' | 'lateFramesPercent' | 'unansweredPercent' | 'lost' | 'refused'
>;

/**
 * How much later each reply came than half of the replies to the same turn with a few calls, ms. What an engine waits for
 * by its own rules is in both, and drops out.
 */
export function addedMs({ replies }: Pick<Judged, 'replies'>, few: Pick<Judged, 'replies'>) {
  const usual = new Map(
    [...Map.groupBy(few.replies, ({ turn }) => turn)].map(([turn, same]) => [
      turn,
      tail(same.map(({ ms }) => ms)).p50,
    ]),
  );
  return replies.flatMap(({ turn, ms }) => {
    const usualMs = usual.get(turn);
    return usualMs === undefined ? [] : [Math.max(0, ms - usualMs)];
  });
}

/** Replies of a hundred that came late. */
function latePercent(point: Judged, few: Judged): number {
  const added = addedMs(point, few);
  return (100 * added.filter((ms) => ms > QUALITY.lateReplyMs).length) / Math.max(1, added.length);
}

/** Whether all callers fare as well as a few. */
export function isGood(point: Judged, few: Judged): boolean {
  const isWhole = [point.lost, point.refused].every((one) => Object.keys(one).length === 0);
  const faults = (one: Judged) => [
    latePercent(one, few),
    one.lateFramesPercent,
    one.unansweredPercent,
  ];
  const usual = faults(few);
  return isWhole && faults(point).every((share, n) => share <= (usual[n] ?? 0) + QUALITY.percent);
}
