import { rmsDb } from '../audio/level.ts';
import type { SpokenTurn } from './conversation.ts';

const WINDOW_MS = 5;
const AUDIBLE_DB = -50;
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
  const window = Math.round((sampleRateHz * WINDOW_MS) / 1000);
  const spans: { fromMs: number; toMs: number }[] = [];
  for (let i = 0; i < pcm.length; i += window) {
    if (rmsDb(pcm.subarray(i, i + window)) <= AUDIBLE_DB) continue;
    const fromMs = (i * 1000) / sampleRateHz;
    const last = spans.at(-1);
    if (last && fromMs - last.toMs < GAP_MS) last.toMs = fromMs + WINDOW_MS;
    else spans.push({ fromMs, toMs: fromMs + WINDOW_MS });
  }
  return spans;
}
