import type { Segment } from '../state/user-turn.ts';

export const findSegment = (segments: readonly Segment[] | undefined, segId: string) =>
  segments?.find((segment) => segment.segId === segId);

/** A segment keeps its place when its text changes. */
export function setSegment(segments: Segment[], segment: Segment): void {
  const index = segments.findIndex(({ segId }) => segId === segment.segId);
  if (index < 0) segments.push(segment);
  else segments[index] = segment;
}

/** The words of a turn's segments, in order. */
export const textOf = (segments: readonly Segment[]) =>
  segments
    .map((segment) => segment.text.trim())
    .filter((text) => text !== '')
    .join(' ');

/** How many words of a stretch are taken with a segment of it. */
export const wordsTaken = ({ text, skipped }: Segment) =>
  skipped + text.split(/\s+/).filter((word) => word !== '').length;

/** What a growing segment says beyond its first words. */
export const wordsFrom = (text: string, count: number) =>
  count === 0 ? text : text.trim().split(/\s+/).slice(count).join(' ');
