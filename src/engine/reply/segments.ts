/** A stretch of recognised speech, as far as its text is known. */
export interface Segment {
  text: string;
  final: boolean;
  /** Words before it, of the same stretch, that an earlier turn has. */
  skipped?: number;
}

/** The words of a turn's segments, in order. */
export const textOf = (segments: ReadonlyMap<string, Segment>) =>
  [...segments.values()]
    .map((segment) => segment.text.trim())
    .filter((text) => text !== '')
    .join(' ');

/** How many words of a stretch are taken with a segment of it. */
export const wordsTaken = ({ text, skipped = 0 }: Segment) =>
  skipped + text.split(/\s+/).filter((word) => word !== '').length;

/** What a growing segment says beyond its first words. */
export const wordsFrom = (text: string, count: number) =>
  count === 0 ? text : text.trim().split(/\s+/).slice(count).join(' ');
