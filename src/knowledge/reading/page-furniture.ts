/** A line of a page, as the page shows it. */
export interface PageLine {
  readonly text: string;
  /** Distance from the foot of the page. */
  readonly y: number;
}

/** Headers and footers take no more lines than these, at either end. */
const EDGE_LINES = 2;
/** Beyond it a line is text, however often it is said. */
const MAX_CHARS = 120;

/** The lines at the edges of a page that another page has there as well, but for numbers: its headers and footers. */
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
  // A page of so few lines has no text between its edges that would tell them apart.
  if (lines.length <= 2 * EDGE_LINES) return [[], []];
  const fromTop = [...lines].sort((a, b) => b.y - a.y);
  return [fromTop.slice(0, EDGE_LINES), fromTop.slice(-EDGE_LINES)];
}

function withoutNumbers({ text }: PageLine): string {
  return text.replace(/\p{N}+/gu, '#').toLowerCase();
}
