import { AUDIBLE_WINDOW_MS, AudibleVoice } from './audible.ts';
import type { SpokenTurn } from './conversation.ts';

/** A shorter silence is within what is being said. */
const GAP_MS = 250;

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a turn took, by ear: from the caller's own recording of both directions. */
export interface TurnLatency {
  readonly name: string;
  /** End of the caller's speech to the first audible sample of the answer; negative when it cut in. */
  readonly answerMs?: number;
  /** For a turn that began over an answer: how long that answer still sounded. */
  readonly bargeInStopMs?: number;
}

/** Measures each turn on the audio that was said and heard. */
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

/** Where something is heard, silences within speech left out. */
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
