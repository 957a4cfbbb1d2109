import { rmsDb } from '../../audio/level.ts';

/** Anything quieter cannot be heard. */
const AUDIBLE_DB = -50;

const SPEECH_WINDOW_MS = 10;
/** Speech threshold: this share of the way from the noise level to the level of loud words. */
const SPEECH_SHARE = 0.35;
/** A shorter burst is a click, not a word. */
const MIN_SPEECH_MS = 40;

/** Start and end of speech in a recording, in ms; undefined if there is none. */
export function voicedSpan(
  pcm: Int16Array,
  sampleRateHz: number,
): { readonly fromMs: number; readonly toMs: number } | undefined {
  const levels = windowLevels(
    withoutRumble(pcm),
    Math.round((sampleRateHz * SPEECH_WINDOW_MS) / 1000),
  );
  const sorted = levels.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? AUDIBLE_DB;
  const noise = at(0.1);
  const threshold = Math.max(AUDIBLE_DB, noise + SPEECH_SHARE * (at(0.95) - noise));
  const runs = runsAbove(levels, threshold).filter(
    (run) => (run.to - run.from) * SPEECH_WINDOW_MS >= MIN_SPEECH_MS,
  );
  const first = runs[0];
  const last = runs.at(-1);
  if (!first || !last) return undefined;
  return { fromMs: first.from * SPEECH_WINDOW_MS, toMs: last.to * SPEECH_WINDOW_MS };
}

/** Start of the first audible sound in a recording, background noise included, in ms. */
export function audibleFromMs(pcm: Int16Array, sampleRateHz: number): number {
  const window = Math.round((sampleRateHz * SPEECH_WINDOW_MS) / 1000);
  const first = windowLevels(pcm, window).findIndex((level) => level > AUDIBLE_DB);
  return Math.max(0, first) * SPEECH_WINDOW_MS;
}

// High-pass filter: thumps and hum are not speech.
function withoutRumble(pcm: Int16Array): Int16Array {
  return pcm.map((sample, i) => sample - 0.9 * (pcm[i - 1] ?? sample));
}

function windowLevels(pcm: Int16Array, window: number): number[] {
  const levels: number[] = [];
  for (let i = 0; i < pcm.length; i += window) levels.push(rmsDb(pcm.subarray(i, i + window)));
  return levels;
}

function runsAbove(levels: readonly number[], threshold: number) {
  const runs: { from: number; to: number }[] = [];
  let from = -1;
  for (let i = 0; i <= levels.length; i++) {
    const above = i < levels.length && (levels[i] as number) > threshold;
    if (above && from < 0) from = i;
    if (!above && from >= 0) {
      runs.push({ from, to: i });
      from = -1;
    }
  }
  return runs;
}
