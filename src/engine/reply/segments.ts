import type { Segment } from '../state/user-turn.ts';

export const findSegment = (segments: readonly Segment[] | undefined, segId: string) =>
  segments?.find((segment) => segment.segId === segId);

/** Adds a segment, or replaces it in its place. */
export function setSegment(segments: Segment[], segment: Segment): void {
  const index = segments.findIndex(({ segId }) => segId === segment.segId);
  if (index < 0) segments.push(segment);
  else segments[index] = segment;
}

/** The text of a turn. */
export const textOf = (segments: readonly Segment[]) =>
  segments
    .map((segment) => segment.text.trim())
    .filter((text) => text !== '')
    .join(' ');

/** How many words of the recogniser's segment belong to turns so far. */
export const wordsTaken = ({ text, skipped }: Segment) =>
  skipped + text.split(/\s+/).filter((word) => word !== '').length;

/** The text after the first `count` words. */
export const wordsFrom = (text: string, count: number) =>
  count === 0 ? text : text.trim().split(/\s+/).slice(count).join(' ');
