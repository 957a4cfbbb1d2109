const WINDOW_MS = 5;
// 44 dB below the utterance's peak, but never below the noise of a quiet line.
const RELATIVE_FLOOR = 0.006;
const ABSOLUTE_FLOOR = 48;

export interface TrimmedRange {
  readonly startSample: number;
  readonly endSample: number;
}

function peakOf(pcm: Int16Array, from: number, to: number): number {
  let peak = 0;
  for (let i = from; i < to; i++) peak = Math.max(peak, Math.abs(pcm[i] as number));
  return peak;
}

/** The audible part of an utterance, with this much silence kept around it; empty when all is silent. */
export function audibleRange(
  pcm: Int16Array,
  sampleRateHz: number,
  keepBeforeMs: number,
  keepAfterMs: number,
): TrimmedRange {
  const window = Math.round((WINDOW_MS * sampleRateHz) / 1000);
  const floor = Math.max(ABSOLUTE_FLOOR, RELATIVE_FLOOR * peakOf(pcm, 0, pcm.length));
  let first = 0;
  while (first < pcm.length && peakOf(pcm, first, Math.min(first + window, pcm.length)) < floor)
    first += window;
  if (first >= pcm.length) return { startSample: 0, endSample: 0 };
  let last = pcm.length;
  while (last > first && peakOf(pcm, Math.max(last - window, 0), last) < floor) last -= window;
  const samples = (ms: number): number => Math.round((ms * sampleRateHz) / 1000);
  return {
    startSample: Math.max(0, first - samples(keepBeforeMs)),
    endSample: Math.min(pcm.length, last + samples(keepAfterMs)),
  };
}
