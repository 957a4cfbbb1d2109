/** A line of a page with its position. */
export interface PageLine {
  readonly text: string;
  /** Distance from the bottom of the page. */
  readonly y: number;
}

/** Headers and footers have at most so many lines. */
const EDGE_LINES = 2;
/** A longer line counts as text even if it is repeated. */
const MAX_CHARS = 120;

/** Headers and footers: the lines at the edges of a page that another page has there too, numbers aside. */
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
  return new Set([...repeats(top, otherTop), ...repeats(bottom, otherBottom)]);
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
