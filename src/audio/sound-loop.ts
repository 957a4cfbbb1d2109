import { peakDb, rmsDb, SILENCE_DB } from './level.ts';
import { applyGain, gainFromDb } from './mix.ts';
import { createResampler } from './resampler.ts';

/** A sound made to repeat without a seam: its end runs into its beginning. */
export interface SoundLoop {
  readonly sampleRateHz: number;
  readonly pcm: Int16Array;
}

/** Every loop is normalised to this level, so that a volume means the same for all of them. */
export const LOOP_RMS_DB = -24;
const PEAK_DB = -1;
/** Limit on amplification, because a very quiet sound may be meant to be quiet. */
const MAX_BOOST_DB = 24;
const SEAM_MS = 60;
/** Audio around the seam that the resampler gets, so that its filter does not start from silence. */
const CONTEXT_MS = 20;

/**
 * Makes a loop of any sound: crossfades its end into its beginning and levels it to {@link LOOP_RMS_DB}. Undefined if
 * the sound is silent or shorter than 240 ms.
 */
export function loopOf(pcm: Int16Array, sampleRateHz: number): SoundLoop | undefined {
  if (pcm.length < (4 * SEAM_MS * sampleRateHz) / 1000) return undefined;
  const loop = joined(pcm, Math.round((SEAM_MS * sampleRateHz) / 1000));
  const level = rmsDb(loop);
  if (level === SILENCE_DB) return undefined;
  applyGain(loop, gainFromDb(Math.min(LOOP_RMS_DB - level, MAX_BOOST_DB, PEAK_DB - peakDb(loop))));
  return { sampleRateHz, pcm: loop };
}

/** Resamples a loop without breaking its seam. */
export function resampleLoop({ pcm, sampleRateHz }: SoundLoop, toHz: number): SoundLoop {
  if (sampleRateHz === toHz) return { pcm, sampleRateHz };
  const context = Math.min(pcm.length, Math.round((CONTEXT_MS * sampleRateHz) / 1000));
  const around = new Int16Array(pcm.length + 2 * context);
  around.set(pcm.subarray(pcm.length - context));
  around.set(pcm, context);
  around.set(pcm.subarray(0, context), context + pcm.length);
  const resampler = createResampler(sampleRateHz, toHz);
  const out = resampler.process(around);
  resampler.close();
  const from = Math.round((context * toHz) / sampleRateHz);
  const length = Math.round((pcm.length * toHz) / sampleRateHz);
  return { sampleRateHz: toHz, pcm: out.slice(from, from + length) };
}

// Crossfades the tail into the beginning with equal power; the loop gets shorter by the tail.
function joined(pcm: Int16Array, seam: number): Int16Array {
  const loop = pcm.slice(0, pcm.length - seam);
  const tail = pcm.subarray(pcm.length - seam);
  for (let i = 0; i < seam; i++) {
    const phase = ((i + 0.5) / seam) * (Math.PI / 2);
    const sample = (tail[i] as number) * Math.cos(phase) + (loop[i] as number) * Math.sin(phase);
    loop[i] = Math.max(-32768, Math.min(32767, Math.round(sample)));
  }
  return loop;
}
