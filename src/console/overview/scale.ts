/** Upper end of an axis and its ticks: round numbers, at least one. */
export function axisOf(
  largest: number,
  steps = 4,
): { readonly top: number; readonly ticks: number[] } {
  const rough = Math.max(largest, steps) / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const count = Math.max(1, Math.ceil(largest / step));
  return {
    top: count * step,
    ticks: Array.from({ length: count + 1 }, (_, index) => index * step),
  };
}
