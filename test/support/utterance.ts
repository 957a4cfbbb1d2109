import { readRecording, recordings } from './recordings.ts';
import type { ToneWord } from './tone-words.ts';

/** Something a caller says: its sound, and its words with their times in it. */
export interface Utterance {
  readonly pcm: Int16Array;
  readonly speechFromMs: number;
  readonly speechToMs: number;
  readonly words: readonly ToneWord[];
}

/**
 * A recording of a person. Its words are spread by their length over its speech, or over each stretch of it
 * between two pauses where the phrases are given.
 */
export function recorded(
  file: string,
  sampleRateHz: number,
  phrases?: readonly string[],
): Utterance {
  const recording = recordings.find((it) => it.file === file);
  if (!recording) throw new Error(`there is no recording ${file}`);
  const { text, speechStartMs, voiceStartMs = speechStartMs, speechEndMs } = recording;
  const pauses = phrases ? (recording.pausesMs ?? []) : [];
  const spoken = [...pauses, [speechEndMs, speechEndMs] as const].map(
    ([toMs], n) => [pauses[n - 1]?.[1] ?? speechStartMs, toMs] as const,
  );
  return {
    pcm: readRecording(file, sampleRateHz),
    speechFromMs: voiceStartMs,
    speechToMs: speechEndMs,
    words: (phrases ?? [text]).flatMap((phrase, n) =>
      spread(phrase.split(' '), spoken[n] as readonly [number, number]),
    ),
  };
}

/** A sound of another kind, with the words a recogniser makes of it. */
export function sound(pcm: Int16Array, sampleRateHz: number, text = ''): Utterance {
  const toMs = (pcm.length * 1000) / sampleRateHz;
  const words = text === '' ? [] : spread(text.split(' '), [0, toMs]);
  return { pcm, speechFromMs: 0, speechToMs: toMs, words };
}

/** The same with silence between: one after the other. */
export function inARow(
  parts: readonly Utterance[],
  gapMs: number,
  sampleRateHz: number,
): Utterance {
  const gap = Math.round((gapMs * sampleRateHz) / 1000);
  const length = parts.reduce((sum, { pcm }) => sum + pcm.length + gap, -gap);
  const pcm = new Int16Array(length);
  const words: ToneWord[] = [];
  let at = 0;
  let speechToMs = 0;
  for (const part of parts) {
    const offsetMs = (at * 1000) / sampleRateHz;
    pcm.set(part.pcm, at);
    for (const { text, startMs, endMs } of part.words)
      words.push({ text, startMs: startMs + offsetMs, endMs: endMs + offsetMs });
    speechToMs = offsetMs + part.speechToMs;
    at += part.pcm.length + gap;
  }
  return { pcm, speechFromMs: parts[0]?.speechFromMs ?? 0, speechToMs, words };
}

/** The part of an utterance between two instants; words belong to where they begin. */
export function cut(whole: Utterance, fromMs: number, toMs: number, rateHz: number): Utterance {
  const at = (ms: number) => Math.round((ms * rateHz) / 1000);
  return {
    pcm: whole.pcm.slice(at(fromMs), at(toMs)),
    speechFromMs: Math.max(0, whole.speechFromMs - fromMs),
    speechToMs: Math.min(toMs, whole.speechToMs) - fromMs,
    words: whole.words
      .filter(({ startMs }) => startMs >= fromMs && startMs < toMs)
      .map(({ text, startMs, endMs }) => ({
        text,
        startMs: startMs - fromMs,
        endMs: endMs - fromMs,
      })),
  };
}

function spread(words: readonly string[], [fromMs, toMs]: readonly [number, number]): ToneWord[] {
  const chars = words.reduce((sum, word) => sum + word.length, 0);
  const place = (said: number) => fromMs + (said / chars) * (toMs - fromMs);
  let said = 0;
  return words.map((text) => {
    const startMs = place(said);
    said += text.length;
    return { text, startMs, endMs: place(said) };
  });
}
