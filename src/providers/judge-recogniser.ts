import { createResampler } from '../audio/resampler.ts';
import { wordErrors } from '../lib/word-errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Stt } from '../ports/stt.ts';

/** A recording and its transcript. */
export interface SpokenSample {
  readonly name: string;
  readonly text: string;
  /** Mono. */
  readonly pcm: Int16Array;
  readonly sampleRateHz: number;
}

export interface RecogniserJudgement {
  readonly heard: readonly { readonly name: string; readonly text: string }[];
  /** 0 is perfect; inserted words also count, so the rate may exceed 1. */
  readonly wordErrorRate: number;
  /** Seconds of speech recognised per second; 0 when nothing was recognised. */
  readonly timesRealTime: number;
}

const FRAME_MS = 20;
/** After this time the text counts as missing: the model recognised no words. */
const DEADLINE_MS = 10_000;

/**
 * Feeds recordings to a local recogniser, one at a time and as fast as it accepts them. Rejects with the recogniser's
 * error.
 */
export async function judgeRecogniser(
  stt: Stt,
  samples: readonly SpokenSample[],
  clock: Clock,
): Promise<RecogniserJudgement> {
  const heard: { name: string; text: string }[] = [];
  let errors = 0;
  let words = 0;
  let audioMs = 0;
  let tookMs = 0;
  for (const sample of samples) {
    const startedAt = clock.now();
    const text = await hear(stt, sample, clock);
    if (text !== '') {
      tookMs += clock.now() - startedAt;
      audioMs += (sample.pcm.length * 1000) / sample.sampleRateHz;
    }
    const counted = wordErrors(sample.text, text);
    errors += counted.errors;
    words += counted.words;
    heard.push({ name: sample.name, text });
  }
  return {
    heard,
    wordErrorRate: words === 0 ? 0 : errors / words,
    timesRealTime: tookMs === 0 ? 0 : audioMs / tookMs,
  };
}

async function hear(stt: Stt, sample: SpokenSample, clock: Clock): Promise<string> {
  const sampleRateHz = stt.inputRatesHz[0] as number;
  const abort = new AbortController();
  const finals: string[] = [];
  const ended = Promise.withResolvers<void>();
  let spoken = false;
  const stream = await stt.open({
    sampleRateHz,
    languages: ['en-US'],
    hints: [],
    phrases: [],
    signal: abort.signal,
    onEvent(event) {
      if (event.type === 'error') ended.reject(event.error);
      if (event.type !== 'final') return;
      finals.push(event.text);
      if (spoken) ended.resolve();
    },
  });
  const timer = clock.setTimeout(() => ended.resolve(), DEADLINE_MS);
  const resampler = createResampler(sample.sampleRateHz, sampleRateHz);
  try {
    stream.speechStarted();
    const step = (sample.sampleRateHz * FRAME_MS) / 1000;
    for (let at = 0; at < sample.pcm.length; at += step)
      stream.write(resampler.process(sample.pcm.subarray(at, at + step)));
    spoken = true;
    stream.speechEnded();
    await ended.promise;
    return finals.join(' ');
  } finally {
    clock.clearTimeout(timer);
    resampler.close();
    stream.close();
    abort.abort();
  }
}
