/** The visible part of a call's timeline. */
export interface TimeView {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Limit of zooming in; a shorter view shows no more detail. */
const SHORTEST_MS = 2000;
const STEPS_MS = [
  100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  1_800_000, 3_600_000,
] as const;
const LEAST_STEP_PX = 64;

/** Position of a time in the view, 0 to 1 if visible. */
export function placeOf({ fromMs, toMs }: TimeView, atMs: number): number {
  return (atMs - fromMs) / Math.max(1, toMs - fromMs);
}

/** The time at a position in the view. */
export function instantAt({ fromMs, toMs }: TimeView, place: number): number {
  return fromMs + place * (toMs - fromMs);
}

/** Zooms in or out around `atMs`, which keeps its position unless an end of the call prevents it. */
export function zoomed(
  view: TimeView,
  { factor, atMs, durationMs }: { factor: number; atMs: number; durationMs: number },
): TimeView {
  const longest = Math.max(SHORTEST_MS, durationMs);
  const span = clamp((view.toMs - view.fromMs) / factor, SHORTEST_MS, longest);
  const fromMs = atMs - placeOf(view, atMs) * span;
  return within({ fromMs, toMs: fromMs + span }, durationMs);
}

/** Moves the view as little as needed to show a time; turns a whole page if playback left it at the end. */
export function showing(view: TimeView, atMs: number, durationMs: number): TimeView {
  if (atMs >= view.fromMs && atMs <= view.toMs) return view;
  const span = view.toMs - view.fromMs;
  const fromMs = atMs - span * 0.1;
  return within({ fromMs, toMs: fromMs + span }, durationMs);
}

/** The view, moved to lie within the call. */
export function within({ fromMs, toMs }: TimeView, durationMs: number): TimeView {
  const span = toMs - fromMs;
  const from = clamp(fromMs, 0, Math.max(0, durationMs - span));
  return { fromMs: from, toMs: from + span };
}

/** Round times for the ticks of an axis of this width, not too close together. */
export function ticksOf({ fromMs, toMs }: TimeView, widthPx: number): readonly number[] {
  const least = ((toMs - fromMs) / Math.max(1, widthPx)) * LEAST_STEP_PX;
  const step = STEPS_MS.find((each) => each >= least) ?? 3_600_000;
  const first = Math.ceil(fromMs / step);
  const count = Math.max(0, Math.floor(toMs / step) - first + 1);
  return Array.from({ length: count }, (_, i) => (first + i) * step);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
