import { AUDIBLE_WINDOW_MS, AudibleVoice } from './audible.ts';

/** Silences shorter than this are part of speech. */
const GAP_MS = 250;

/** What a caller said, and when; times are on the caller's sample clock. */
export interface SpokenTurn {
  readonly name: string;
  /** Start of anything audible, including noise in the recording: the assistant may stop for it. */
  readonly soundFromMs: number;
  /** Start of the words. */
  readonly speechFromMs: number;
  readonly speechToMs: number;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Latencies of one turn, measured on the caller's own recording of both directions. */
export interface TurnLatency {
  readonly name: string;
  /** From the end of the caller's speech to the first audible sample of the answer; negative if the answer cut in. */
  readonly answerMs?: number;
  /** For a turn that barged in: how long the interrupted answer stayed audible. */
  readonly bargeInStopMs?: number;
}

/** Measures each turn on the recorded audio. */
export function measureTurns(
  turns: readonly SpokenTurn[],
  speaker: Int16Array,
  sampleRateHz: number,
): readonly TurnLatency[] {
  const spans = audibleSpans(speaker, sampleRateHz);
  return turns.map((turn, index) => {
    const untilMs = turns[index + 1]?.soundFromMs ?? Number.POSITIVE_INFINITY;
    const over = spans.find((s) => s.fromMs < turn.soundFromMs && s.toMs > turn.soundFromMs);
    const answer = spans.find((s) => s.fromMs >= turn.soundFromMs && s.fromMs < untilMs);
    return {
      name: turn.name,
      ...(answer ? { answerMs: Math.round(answer.fromMs - turn.speechToMs) } : {}),
      ...(over ? { bargeInStopMs: Math.round(over.toMs - turn.speechFromMs) } : {}),
    };
  });
}

/** Spans in which a voice is heard; short silences are bridged. */
function audibleSpans(pcm: Int16Array, sampleRateHz: number): readonly Span[] {
  const window = Math.round((sampleRateHz * AUDIBLE_WINDOW_MS) / 1000);
  const voice = new AudibleVoice();
  const spans: { fromMs: number; toMs: number }[] = [];
  for (let i = 0; i < pcm.length; i += window) {
    if (!voice.judge(pcm.subarray(i, i + window))) continue;
    const fromMs = (i * 1000) / sampleRateHz;
    const last = spans.at(-1);
    if (last && fromMs - last.toMs < GAP_MS) last.toMs = fromMs + AUDIBLE_WINDOW_MS;
    else spans.push({ fromMs, toMs: fromMs + AUDIBLE_WINDOW_MS });
  }
  return spans;
}
