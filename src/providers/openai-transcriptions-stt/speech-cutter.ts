/** A piece of the written audio that contains speech. */
export interface SpeechCut {
  readonly pcm: Int16Array;
  readonly startMs: number;
  readonly endMs: number;
}

export interface SpeechCutterOptions {
  readonly sampleRateHz: number;
  /** Audio kept from before VAD reported the start. */
  readonly prerollMs: number;
  readonly maxCutMs: number;
  /** Less speech than this is noise. */
  readonly minVoiceMs: number;
}

/** How much later than the actual start and end of speech VAD reports them. */
const START_LATENCY_MS = 100;
const STOP_LATENCY_MS = 200;

/** Cuts the written audio into utterances at the VAD edges. */
export class SpeechCutter {
  readonly #options: SpeechCutterOptions;
  readonly #buffer: Int16Array;
  readonly #prerollSamples: number;
  #filled = 0;
  #samples = 0;
  #voiceFromMs: number | undefined;

  constructor(options: SpeechCutterOptions) {
    this.#options = options;
    this.#buffer = new Int16Array((options.sampleRateHz * options.maxCutMs) / 1000);
    this.#prerollSamples = Math.round((options.sampleRateHz * options.prerollMs) / 1000);
  }

  /** Copies the samples. Returns cuts that are too long to wait for their end. */
  write(pcm: Int16Array): SpeechCut[] {
    const cuts: SpeechCut[] = [];
    for (let at = 0; at < pcm.length; ) {
      if (this.#filled === this.#buffer.length) {
        if (this.#voiceFromMs === undefined) this.#keepPreroll();
        else cuts.push(this.#cut(this.#writtenMs));
      }
      const part = pcm.subarray(at, at + this.#buffer.length - this.#filled);
      this.#buffer.set(part, this.#filled);
      this.#filled += part.length;
      this.#samples += part.length;
      at += part.length;
    }
    return cuts;
  }

  started(): void {
    if (this.#voiceFromMs !== undefined) return;
    this.#keepPreroll();
    this.#voiceFromMs = Math.max(0, this.#writtenMs - START_LATENCY_MS);
  }

  ended(): SpeechCut | undefined {
    const fromMs = this.#voiceFromMs;
    if (fromMs === undefined) return undefined;
    const endMs = Math.max(fromMs, this.#writtenMs - STOP_LATENCY_MS);
    const cut = this.#cut(endMs);
    this.#voiceFromMs = undefined;
    return endMs - fromMs >= this.#options.minVoiceMs ? cut : undefined;
  }

  get #writtenMs(): number {
    return (this.#samples * 1000) / this.#options.sampleRateHz;
  }

  #cut(endMs: number): SpeechCut {
    const cut = {
      pcm: this.#buffer.slice(0, this.#filled),
      startMs: this.#voiceFromMs ?? endMs,
      endMs,
    };
    this.#filled = 0;
    this.#voiceFromMs = endMs;
    return cut;
  }

  #keepPreroll(): void {
    const from = Math.max(0, this.#filled - this.#prerollSamples);
    this.#buffer.copyWithin(0, from, this.#filled);
    this.#filled -= from;
  }
}
