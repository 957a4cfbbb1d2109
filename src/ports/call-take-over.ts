/** What a person brings who speaks with a caller: their sound comes by `write`, and this is what they get. */
export interface Microphone {
  /** Of their sound, and of what they hear. */
  readonly sampleRateHz: number;
  /** The caller's sound, PCM16. The array may be reused afterwards. */
  audio(pcm: Int16Array): void;
  /** They do not speak with the caller any more; nothing follows. */
  over(reason: string): void;
}

/** A call that a person has taken over. */
export interface TakenOver {
  /** Their sound, PCM16; the array may be reused afterwards. */
  write(pcm: Int16Array): void;
  /** The assistant goes on. Idempotent. */
  giveBack(): void;
}

export interface TakeOverRefusal {
  /** For people. */
  readonly refusal: string;
}

/** Takes live calls over from their assistants. */
export interface CallTakeOver {
  /** `by`: the name of the person. */
  takeOver(
    callId: string,
    microphone: Microphone,
    by: string,
  ): Promise<TakenOver | TakeOverRefusal>;
}
