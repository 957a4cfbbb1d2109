/** The stretch of a call's time line that is looked at. */
export interface TimeView {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Closer than this there is nothing to see. */
const SHORTEST_MS = 2000;
const STEPS_MS = [
  100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  1_800_000, 3_600_000,
] as const;
const LEAST_STEP_PX = 64;

/** Where an instant stands, 0–1 within the view. */
export function placeOf({ fromMs, toMs }: TimeView, atMs: number): number {
  return (atMs - fromMs) / Math.max(1, toMs - fromMs);
}

/** The instant at a place of the view. */
export function instantAt({ fromMs, toMs }: TimeView, place: number): number {
  return fromMs + place * (toMs - fromMs);
}

/** Looks closer or from further away; what is at `atMs` stays where it is as far as the call's ends allow. */
export function zoomed(
  view: TimeView,
  { factor, atMs, durationMs }: { factor: number; atMs: number; durationMs: number },
): TimeView {
  const longest = Math.max(SHORTEST_MS, durationMs);
  const span = clamp((view.toMs - view.fromMs) / factor, SHORTEST_MS, longest);
  const fromMs = atMs - placeOf(view, atMs) * span;
  return within({ fromMs, toMs: fromMs + span }, durationMs);
}

/** Moves the view no more than is needed to see the instant; a page on, when it has left at the end. */
export function showing(view: TimeView, atMs: number, durationMs: number): TimeView {
  if (atMs >= view.fromMs && atMs <= view.toMs) return view;
  const span = view.toMs - view.fromMs;
  const fromMs = atMs - span * 0.1;
  return within({ fromMs, toMs: fromMs + span }, durationMs);
}

/** The same stretch, moved so that it lies within the call. */
export function within({ fromMs, toMs }: TimeView, durationMs: number): TimeView {
  const span = toMs - fromMs;
  const from = clamp(fromMs, 0, Math.max(0, durationMs - span));
  return { fromMs: from, toMs: from + span };
}

/** Round instants to be marked on an axis of this width, not too close to each other. */
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
