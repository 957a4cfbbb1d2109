import { mulaw } from '../../../src/audio/g711.ts';
import { readRecording, recordings } from '../../support/recordings.ts';

export type Wire = 'carrier' | 'web';

export const FRAME_MS = 20;
/** A caller's turn comes round so often; every second time round, the caller also speaks into the reply. */
export const TURN_MS = 10_000;
const BARGE_IN_AT_MS = 4500;
/** A line is never digitally silent. */
const NOISE_LEVEL = 12;

/** When and with what a caller speaks, ms from the start of the script. */
interface Spoken {
  readonly atMs: number;
  readonly file: string;
}

const SCRIPT: readonly Spoken[] = [
  { atMs: 0, file: 'ask-what-you-can-do.wav' },
  { atMs: 2170, file: 'what-your-country-can-do.wav' },
  { atMs: TURN_MS, file: 'reading-ill-disposed.wav' },
  { atMs: TURN_MS + BARGE_IN_AT_MS, file: 'five-five.wav' },
];

export const SCRIPT_MS = 2 * TURN_MS;

/** What a caller says, cut to the speech, over a quiet line: 20 s that are said again and again. */
function scriptAudio(sampleRateHz: number): Int16Array {
  const samplesPerMs = sampleRateHz / 1000;
  const pcm = new Int16Array(SCRIPT_MS * samplesPerMs);
  let seed = 1;
  for (let i = 0; i < pcm.length; i++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    pcm[i] = (seed % (2 * NOISE_LEVEL)) - NOISE_LEVEL;
  }
  for (const { atMs, file } of SCRIPT) {
    const recording = recordings.find((candidate) => candidate.file === file);
    if (!recording) throw new Error(`${file} is not among the recordings`);
    const speech = readRecording(file, sampleRateHz).subarray(
      recording.speechStartMs * samplesPerMs,
      recording.speechEndMs * samplesPerMs,
    );
    pcm.set(speech, atMs * samplesPerMs);
  }
  return pcm;
}

/** When the caller speaks, ms from the start of the script. */
export const acts = (): readonly { readonly fromMs: number; readonly toMs: number }[] =>
  SCRIPT.flatMap(({ atMs, file }) => {
    const recording = recordings.find((candidate) => candidate.file === file);
    if (!recording) return [];
    return [{ fromMs: atMs, toMs: atMs + recording.speechEndMs - recording.speechStartMs }];
  });

/** Share of the script in which the caller speaks. */
export const activity = (): number =>
  acts().reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) / SCRIPT_MS;

/** The frames of the telephone's callers, one behind the other: µ-law at 8 kHz. */
export const carrierFrames = (): Uint8Array => mulaw.encode(scriptAudio(8000));

const WEB_RATE_HZ = 16_000;

/** The same for callers of the web: PCM16 at 16 kHz. */
export const webFrames = (): Uint8Array => new Uint8Array(scriptAudio(WEB_RATE_HZ).buffer);
