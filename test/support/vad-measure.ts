import { mulaw } from '../../src/audio/g711.ts';
import { meanSquare } from '../../src/audio/room-noise.ts';
import { createSpeechEdges, type SpeechEdgesOptions } from '../../src/audio/speech-edges.ts';
import type { Vad } from '../../src/ports/vad.ts';
import { type NoiseKind, noise, underNoise } from './noises.ts';
import { type Recording, readRecording } from './recordings.ts';

const RATE_HZ = 8000;
const LEAD_MS = 1000;
/** The labels are no better than this: frames so near an edge count for nothing. */
const COLLAR_MS = 50;

/** What the line adds to a recording. */
export interface Disturbance {
  readonly kind: NoiseKind | 'clean';
  readonly snrDb: number;
}

/** One recording on a line, as a telephone hands it over, with a second of the line before and after. */
export interface LabelledLine {
  readonly pcm: Int16Array;
  readonly recording: Recording;
}

/** A judgement of one frame, at its middle on the recording's clock. */
interface Judged {
  readonly ms: number;
  readonly probability: number;
}

function isSpeech(recording: Recording, ms: number): boolean {
  const { speechStartMs, speechEndMs, pausesMs = [] } = recording;
  const paused = pausesMs.some(([from, to]) => ms >= from && ms < to);
  return ms >= speechStartMs && ms < speechEndMs && !paused;
}

export function onTheLine(recording: Recording, noiseOf: Disturbance, seed: number): LabelledLine {
  const speech = readRecording(recording.file, RATE_HZ);
  const lead = (LEAD_MS * RATE_HZ) / 1000;
  const quiet = new Int16Array(speech.length + 2 * lead);
  quiet.set(speech, lead);
  const { kind, snrDb } = noiseOf;
  if (kind === 'clean') return { pcm: mulaw.decode(mulaw.encode(quiet)), recording };
  const voiced = speech.filter((_, i) => isSpeech(recording, (i * 1000) / RATE_HZ));
  const sound = noise(kind, { samples: quiet.length, sampleRateHz: RATE_HZ, seed });
  const noisy = underNoise(quiet, meanSquare(voiced), snrDb, sound);
  return { pcm: mulaw.decode(mulaw.encode(noisy)), recording };
}

/** What a judge makes of a line: every frame's probability, and when its edges were told. */
export interface Heard {
  readonly frames: readonly Judged[];
  readonly starts: readonly { readonly atMs: number; readonly onsetMs: number }[];
  readonly ends: readonly { readonly atMs: number; readonly speechEndMs: number }[];
}

/** Plays a line into a judge that answers at once; all times on the recording's clock. */
export function hear(vad: Vad, line: LabelledLine): Heard {
  const options: SpeechEdgesOptions = vad.startMs === undefined ? {} : { startMs: vad.startMs };
  const edges = createSpeechEdges(options);
  const frames: Judged[] = [];
  const starts: { atMs: number; onsetMs: number }[] = [];
  const ends: { atMs: number; speechEndMs: number }[] = [];
  let written = 0;
  const stream = vad.open((probability, index) => {
    frames.push({ ms: index * 20 + 10 - LEAD_MS, probability });
    const edge = edges.push(probability);
    const atMs = (written * 1000) / RATE_HZ - LEAD_MS;
    if (edge?.type === 'speech-started') starts.push({ atMs, onsetMs: edge.onsetMs - LEAD_MS });
    if (edge?.type === 'speech-ended') ends.push({ atMs, speechEndMs: edge.speechEndMs - LEAD_MS });
  });
  for (let i = 0; i + 160 <= line.pcm.length; i += 160) {
    written = i + 160;
    stream.write(line.pcm.subarray(i, written));
  }
  stream.close();
  return { frames, starts, ends };
}

/** Probabilities of frames that are speech, and of those that are not. */
export function byTruth(line: LabelledLine, heard: Heard): { speech: number[]; other: number[] } {
  const { speechStartMs, speechEndMs, pausesMs = [] } = line.recording;
  const edges = [speechStartMs, speechEndMs, ...pausesMs.flat()];
  const found = { speech: [] as number[], other: [] as number[] };
  for (const { ms, probability } of heard.frames) {
    if (edges.some((edge) => Math.abs(ms - edge) < COLLAR_MS)) continue;
    found[isSpeech(line.recording, ms) ? 'speech' : 'other'].push(probability);
  }
  return found;
}

/** How often a frame of speech gets more than one of none: 0.5 is chance, 1 is perfect. */
export function areaUnderCurve(speech: readonly number[], other: readonly number[]): number {
  const all = [...speech.map((p) => ({ p, n: 1 })), ...other.map((p) => ({ p, n: 0 }))];
  all.sort((a, b) => a.p - b.p);
  let ranks = 0;
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to < all.length && all[to]?.p === all[from]?.p) to++;
    // Equals share their ranks.
    const rank = (from + 1 + to) / 2;
    for (; from < to; from++) ranks += rank * (all[from]?.n ?? 0);
  }
  const least = (speech.length * (speech.length + 1)) / 2;
  return (ranks - least) / (speech.length * other.length);
}
