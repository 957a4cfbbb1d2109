/** A stretch of recognised speech, as far as its text is known. */
export interface Segment {
  text: string;
  final: boolean;
}

/** The words of a turn's segments, in order. */
export const textOf = (segments: ReadonlyMap<string, Segment>) =>
  [...segments.values()]
    .map((segment) => segment.text.trim())
    .filter((text) => text !== '')
    .join(' ');

/** What a growing segment says beyond its former words. */
export function wordsAfter(before: string, after: string): string {
  const count = before.trim().split(/\s+/).length;
  return after.trim().split(/\s+/).slice(count).join(' ');
}
