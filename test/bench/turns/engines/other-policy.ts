/** A pause as another engine sees it. */
export interface Pause {
  readonly now: number;
  /** End of the caller's voice. */
  readonly speechEndAt: number;
  /** When voice activity said so. */
  readonly stoppedAt: number;
  /** The last change of the text. */
  readonly textAt: number;
  readonly text: string;
  /** All of it is final. */
  readonly isFinal: boolean;
  /** The predictor's probability that the caller goes on, once it has come. */
  readonly p: number | undefined;
  readonly sttP99Ms: number;
}

/** How another engine takes turns, by what it publishes of itself. */
export interface OtherPolicy {
  /** Asks the predictor at every pause. */
  readonly predicts: boolean;
  /** When the turn counts as over, as far as can be told now. */
  readonly endsAt: (pause: Pause) => number | undefined;
  /** Voice that takes the assistant's floor. */
  readonly voiceMs: number;
  /** The reply is only paused by it, and goes on so long after the voice if no text has come. */
  readonly resumeMs?: number;
  /** After an interruption nothing is said for so long. */
  readonly backoffMs?: number;
  /** From the end of the turn to the first audio, at least. */
  readonly floorMs?: number;
  /** Asks the model as soon as a final text has come. */
  readonly preemptive?: boolean;
}

/** The predictor's two classes, split in the middle. */
const COMPLETE_BELOW = 0.5;

/**
 * LiveKit: a short wait where the turn detector takes the turn for complete, else a long one; a final text
 * must have come.
 */
const livekit = (minMs: number, maxMs: number): OtherPolicy => ({
  predicts: true,
  endsAt: ({ speechEndAt, text, isFinal, p, now }) => {
    if (text === '' || !isFinal || p === undefined) return undefined;
    return Math.max(now, speechEndAt + (p < COMPLETE_BELOW ? minMs : maxMs));
  },
  voiceMs: 500,
  resumeMs: 2000,
  preemptive: true,
});

const transcriptBy = ({ isFinal, textAt, speechEndAt, sttP99Ms }: Pause) =>
  isFinal ? textAt : speechEndAt + sttP99Ms;

/** Pipecat's default: smart turn at the stop of the voice, three seconds of silence where it says no. */
const pipecatSmartTurn = (by: number): OtherPolicy => ({
  predicts: true,
  endsAt: (pause) => {
    if (pause.text === '' || pause.p === undefined) return undefined;
    const overAt = pause.p < COMPLETE_BELOW ? pause.stoppedAt : pause.speechEndAt + 3000 * by;
    return Math.max(overAt, transcriptBy(pause));
  },
  voiceMs: 200,
});

/** Pipecat's speech timeout: 0.6 s after the stop of the voice, and the transcript. */
const pipecatTimer = (by: number): OtherPolicy => ({
  predicts: false,
  endsAt: (pause) =>
    pause.text === '' ? undefined : Math.max(pause.stoppedAt + 600 * by, transcriptBy(pause)),
  voiceMs: 200,
});

const ENDS_IN_NUMBER = /\d[.,!?]*$/;
const ENDS_IN_PUNCTUATION = /[.!?]$/;

function vapiWaitMs(text: string): number {
  if (ENDS_IN_NUMBER.test(text)) return 500;
  return ENDS_IN_PUNCTUATION.test(text) ? 100 : 1500;
}

const vapiSpeaking = { voiceMs: 200, backoffMs: 1000, floorMs: 400 } as const;

/** Vapi's transcription endpointing with its defaults. */
const vapiRules = (by: number): OtherPolicy => ({
  predicts: false,
  endsAt: ({ text, stoppedAt, textAt }) =>
    text === '' ? undefined : Math.max(stoppedAt, textAt) + by * vapiWaitMs(text),
  ...vapiSpeaking,
});

/** Vapi's smart endpointing with a documented wait function. */
const vapiFunction = (by: number): OtherPolicy => ({
  predicts: true,
  endsAt: ({ text, stoppedAt, textAt, p }) =>
    text === '' || p === undefined
      ? undefined
      : Math.max(stoppedAt + by * (200 + 8000 * p), textAt),
  ...vapiSpeaking,
});

/** All of them, their waits stretched by a factor. */
export const policiesOf = (by: number): Readonly<Record<string, OtherPolicy>> => ({
  'LK 0.5/3.0': livekit(500 * by, 3000 * by),
  'LK 0.3/2.5': livekit(300 * by, 2500 * by),
  'Pipecat smart turn': pipecatSmartTurn(by),
  'Pipecat 0.6': pipecatTimer(by),
  'Vapi rules': vapiRules(by),
  'Vapi 200+8000x': vapiFunction(by),
});
