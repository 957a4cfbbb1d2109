/** A line of a page with its position. */
export interface PageLine {
  readonly text: string;
  /** Distance from the bottom of the page. */
  readonly y: number;
  /** Height of its type. */
  readonly height: number;
}

/** Headers and footers have at most so many lines. */
const EDGE_LINES = 2;
/** A longer line counts as text even if it is repeated. */
const MAX_CHARS = 120;
/** So much two lines at the same height may differ, in points. */
const SAME_PLACE = 1.5;
/** A page with fewer lines has no usual distance between them. */
const MIN_TEXT_LINES = 6;
/** A line stands apart if it is this many usual distances away. */
const APART = 1.4;
/** Larger type is a title, as slides have it at the same place. */
const LARGER = 1.1;
/** A longer line counts as text. */
const MAX_HEAD_CHARS = 90;

/**
 * Headers and footers: the lines at the edges of a page that another page has there too, numbers aside; and a first or
 * last line that stands apart at the same height on both, as the heads do that name the section.
 */
export function repeatedEdges<Line extends PageLine>(
  page: readonly Line[],
  other: readonly PageLine[],
): ReadonlySet<Line> {
  const [top, bottom] = edgesOf(page);
  const [otherTop, otherBottom] = edgesOf(other);
  const repeats = (own: readonly Line[], theirs: readonly PageLine[]) => {
    const known = new Set(theirs.map(withoutNumbers));
    return own.filter((line) => line.text.length <= MAX_CHARS && known.has(withoutNumbers(line)));
  };
  return new Set([
    ...repeats(top, otherTop),
    ...repeats(bottom, otherBottom),
    ...apartInBoth(page, other, 'first'),
    ...apartInBoth(page, other, 'last'),
  ]);
}

type Edge = 'first' | 'last';

/** The outermost line of a page, if the other page has one at the same height, both apart from the text. */
function apartInBoth<Line extends PageLine>(
  page: readonly Line[],
  other: readonly PageLine[],
  edge: Edge,
): readonly Line[] {
  const [own, theirs] = [lineApart(page, edge), lineApart(other, edge)];
  return own && theirs && Math.abs(own.y - theirs.y) <= SAME_PLACE ? [own] : [];
}

/** The outermost line if it is short, no larger than the text, and further from it than its lines from each other. */
function lineApart<Line extends PageLine>(lines: readonly Line[], edge: Edge): Line | undefined {
  if (lines.length < MIN_TEXT_LINES) return undefined;
  const fromTop = [...lines].sort((a, b) => b.y - a.y);
  const inwards = edge === 'first' ? fromTop : fromTop.reverse();
  const gaps = inwards.slice(1).map(({ y }, i) => Math.abs((inwards[i] as Line).y - y));
  const [first = 0, ...others] = gaps;
  const usual = middleOf(others.filter((gap) => gap > SAME_PLACE));
  const [line] = inwards;
  const textHeight = middleOf(lines.map(({ height }) => height));
  const isApart = usual > 0 && first > APART * usual;
  const isSmall = line !== undefined && line.height <= LARGER * textHeight;
  return isApart && isSmall && line.text.length <= MAX_HEAD_CHARS ? line : undefined;
}

function middleOf(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

function edgesOf<Line extends PageLine>(lines: readonly Line[]): readonly [Line[], Line[]] {
  // On so short a page, text can't be told from headers and footers.
  if (lines.length <= 2 * EDGE_LINES) return [[], []];
  const fromTop = [...lines].sort((a, b) => b.y - a.y);
  return [fromTop.slice(0, EDGE_LINES), fromTop.slice(-EDGE_LINES)];
}

function withoutNumbers({ text }: PageLine): string {
  return text.replace(/\p{N}+/gu, '#').toLowerCase();
}
