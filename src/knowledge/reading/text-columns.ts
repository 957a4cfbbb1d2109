/** A piece of a page with its place; `y` grows upwards. */
interface Placed {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/** Where a gutter may be, as a share of the page's text. */
const MIDDLE = [0.3, 0.7] as const;
const STEPS = 40;
/** Lines of two columns that a heading or a picture's text may cross. */
const MAX_CROSSING = 0.25;
const MIN_LINES = 6;
/** Least part of half the page that a column's lines fill, in the middle; the cells of a table fill less. */
const LEAST_FILL = 0.6;
/** A page with more is no page of text. */
const MAX_PIECES = 10_000;

/**
 * The pieces in the order in which they are read: of two columns the left one first, from top to bottom, between pieces
 * that go across. A page with one column, or a table, stays as it is.
 */
export function readInColumns<Piece extends Placed>(pieces: readonly Piece[]): readonly Piece[] {
  const gutter = gutterOf(pieces);
  if (gutter === undefined) return pieces;
  const isAcross = ({ left, right }: Placed) => left < gutter && right > gutter;
  const across = pieces.filter(isAcross).sort((a, b) => b.y - a.y);
  const others = pieces.filter((piece) => !isAcross(piece));
  const ordered: Piece[] = [];
  let above = Number.POSITIVE_INFINITY;
  const takeDownTo = (y: number) => {
    const between = others
      .filter((piece) => piece.y < above && piece.y >= y)
      .sort((a, b) => b.y - a.y || a.left - b.left);
    ordered.push(...between.filter(({ right }) => right <= gutter));
    ordered.push(...between.filter(({ left }) => left >= gutter));
    above = y;
  };
  for (const piece of across) {
    takeDownTo(piece.y);
    ordered.push(piece);
  }
  takeDownTo(Number.NEGATIVE_INFINITY);
  return ordered;
}

/** The middle of the space between two columns; undefined if there are not two. */
function gutterOf(pieces: readonly Placed[]): number | undefined {
  if (pieces.length > MAX_PIECES) return undefined;
  const left = Math.min(...pieces.map((piece) => piece.left));
  const right = Math.max(...pieces.map((piece) => piece.right));
  const places = Array.from(
    { length: STEPS + 1 },
    (_, i) => left + (right - left) * (MIDDLE[0] + ((MIDDLE[1] - MIDDLE[0]) * i) / STEPS),
  );
  const crossing = places.map(
    (x) => pieces.filter((piece) => piece.left < x && piece.right > x).length,
  );
  const least = Math.min(...crossing);
  const free = places.filter((_, i) => crossing[i] === least);
  const gutter = free[free.length >> 1];
  if (gutter === undefined || least > MAX_CROSSING * pieces.length) return undefined;
  const columns = [
    pieces.filter((piece) => piece.right <= gutter),
    pieces.filter((piece) => piece.left >= gutter),
  ];
  return columns.every((column) => isColumn(column, (right - left) / 2)) ? gutter : undefined;
}

function isColumn(pieces: readonly Placed[], half: number): boolean {
  const lines = new Map<number, number>();
  for (const piece of pieces) {
    const y = Math.round(piece.y);
    lines.set(y, (lines.get(y) ?? 0) + piece.right - piece.left);
  }
  const filled = [...lines.values()].sort((a, b) => a - b);
  const middle = filled[filled.length >> 1] ?? 0;
  return filled.length >= MIN_LINES && middle >= LEAST_FILL * half;
}
