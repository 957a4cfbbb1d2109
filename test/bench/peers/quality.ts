import { tail } from '../calls/summary.ts';
import type { Point } from './measure.ts';

/**
 * What a core's calls may lose of a few calls' quality: so many more of a hundred may fare worse. More are held against them
 * only if chance makes as many in less than one of twenty windows: a few calls have so few turns that one of them would decide.
 */
export const QUALITY = { lateReplyMs: 100, percent: 1, chance: 0.05 } as const;

type Judged = Pick<
  Point,
  'replies' | 'turns' | 'lateFramesPercent' | 'unansweredPercent' | 'lost' | 'refused'
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
  return (
    isWhole &&
    point.lateFramesPercent <= few.lateFramesPercent + QUALITY.percent &&
    isByChance(latePercent(point, few), latePercent(few, few), addedMs(point, few).length) &&
    isByChance(point.unansweredPercent, few.unansweredPercent, point.turns)
  );
}

/** Whether as many percent of so many come about by chance where usually `usual` and what is allowed besides do. */
function isByChance(percent: number, usual: number, of: number): boolean {
  const count = Math.round((percent * of) / 100);
  const share = Math.min(0.99, (usual + QUALITY.percent) / 100);
  return chanceOf(count, of, share) >= QUALITY.chance;
}

/** The chance that `count` or more of so many have what each has with the probability `share`: binomial. */
export function chanceOf(count: number, of: number, share: number): number {
  let exactly = (1 - share) ** of;
  let fewer = 0;
  for (let k = 0; k < count; k++) {
    fewer += exactly;
    exactly *= ((of - k) / (k + 1)) * (share / (1 - share));
  }
  return 1 - fewer;
}
