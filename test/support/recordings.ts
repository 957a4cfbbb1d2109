import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { downmix } from '../../src/audio/downmix.ts';
import { mulaw } from '../../src/audio/g711.ts';
import { parseWav } from '../../src/audio/parse-wav.ts';
import { createResampler } from '../../src/audio/resampler.ts';

const FOLDER = resolve(import.meta.dirname, '../../fixtures/audio');

/** One line of `fixtures/audio/recordings.json`. */
export interface Recording {
  readonly file: string;
  readonly speaker: string;
  readonly text: string;
  readonly speechStartMs: number;
  /** The first vowel, where a consonant without voice comes before it. */
  readonly voiceStartMs?: number;
  readonly speechEndMs: number;
  readonly pausesMs?: readonly (readonly [number, number])[];
}

export const recordings = JSON.parse(
  readFileSync(join(FOLDER, 'recordings.json'), 'utf8'),
) as readonly Recording[];

/** A recording's samples at any rate. */
export function readRecording(file: string, sampleRateHz: number): Int16Array {
  const audio = parseWav(readFileSync(join(FOLDER, file)));
  const resampler = createResampler(audio.sampleRateHz, sampleRateHz);
  const pcm = resampler.process(downmix(audio.channels));
  const tail = resampler.flush();
  resampler.close();
  const whole = new Int16Array(pcm.length + tail.length);
  whole.set(pcm);
  whole.set(tail, pcm.length);
  return whole;
}

/** As a telephone hands it over: 8 kHz through µ-law. */
export function readTelephoneRecording(file: string): Int16Array {
  return mulaw.decode(mulaw.encode(readRecording(file, 8000)));
}
