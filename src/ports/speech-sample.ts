/** A short piece of speech. */
export interface SpeechSample {
  readonly pcm: Int16Array;
  readonly sampleRateHz: number;
}
