/** When a run of voiced frames counts as speech, and a run of unvoiced ones as its end. */
export interface SpeechEdgesOptions {
  /** Length of a frame. @defaultValue 20 */
  readonly frameMs?: number;
  /** During silence, a frame with at least this probability is voiced. @defaultValue 0.5 */
  readonly startProbability?: number;
  /** During speech, a frame with at least this probability is voiced (hysteresis). @defaultValue 0.35 */
  readonly stopProbability?: number;
  /** During silence, a frame with at least this probability may begin speech. @defaultValue 0.25 */
  readonly maybeProbability?: number;
  /** Voiced time within {@link SpeechEdgesOptions.startWindowMs} that starts speech. @defaultValue 60 */
  readonly startMs?: number;
  /** @defaultValue 100 */
  readonly startWindowMs?: number;
  /** Silence that ends speech: `vadStop` of the turn-taking rules. @defaultValue 200 */
  readonly stopMs?: number;
  /** Silence that may become the end of speech; shorter than {@link SpeechEdgesOptions.stopMs}. @defaultValue 120 */
  readonly lullMs?: number;
  /**
   * Speech shorter than this is a blip and ends sooner, so that the assistant need not stop for it. @defaultValue 60
   */
  readonly blipMs?: number;
  /** Silence that ends a blip. @defaultValue 80 */
  readonly blipStopMs?: number;
  /** Interval of `speech-alive` while speech goes on. @defaultValue 500 */
  readonly aliveMs?: number;
}

export const speechEdgesDefaults = {
  frameMs: 20,
  startProbability: 0.5,
  stopProbability: 0.35,
  maybeProbability: 0.25,
  startMs: 60,
  startWindowMs: 100,
  stopMs: 200,
  lullMs: 120,
  blipMs: 60,
  blipStopMs: 80,
  aliveMs: 500,
} as const satisfies Required<SpeechEdgesOptions>;

/** Times are milliseconds of audio since the first frame. */
export type SpeechEdge =
  /** `onsetMs`: when the voice began, which is before the start could be detected. */
  | { readonly type: 'speech-started'; readonly onsetMs: number }
  | { readonly type: 'speech-alive' }
  /** A silence that may become the end; the voice may also go on, which is `speech-resumed`. */
  | { readonly type: 'speech-lulled' }
  | { readonly type: 'speech-resumed' }
  /** `speechEndMs`: the end of the last voiced frame. */
  | { readonly type: 'speech-ended'; readonly speechEndMs: number };

/** Turns the speech probability of each frame into the few events that the call machine sees. */
export interface SpeechEdges {
  /** True from a start to its end. */
  readonly speaking: boolean;
  /** The last frame may begin speech, and none within the start window before it could. */
  readonly mayBegin: boolean;
  /** Takes the probability of the next frame; returns at most one edge. */
  push(probability: number): SpeechEdge | undefined;
  /** Ends the audio; if speech is going on, returns its end. */
  end(): SpeechEdge | undefined;
}

export function createSpeechEdges(options: SpeechEdgesOptions = {}): SpeechEdges {
  return new EdgeDetector({ ...speechEdgesDefaults, ...options });
}

class EdgeDetector implements SpeechEdges {
  readonly #options: Required<SpeechEdgesOptions>;
  // `#recent` holds the frames of the start window as bits, the newest in bit 0.
  readonly #windowMask: number;
  readonly #startFrames: number;
  #recent = 0;
  #maybe = 0;
  #frames = 0;
  #speaking = false;
  #lulled = false;
  #onsetMs = 0;
  #voicedUntilMs = 0;
  #aliveAtMs = 0;

  constructor(options: Required<SpeechEdgesOptions>) {
    const windowFrames = Math.round(options.startWindowMs / options.frameMs);
    this.#startFrames = Math.max(1, Math.round(options.startMs / options.frameMs));
    if (windowFrames < this.#startFrames || windowFrames > 31) {
      throw new RangeError(
        `startWindowMs ${options.startWindowMs} must hold startMs ${options.startMs} in 31 frames at most`,
      );
    }
    this.#options = options;
    this.#windowMask = 2 ** windowFrames - 1;
  }

  get speaking(): boolean {
    return this.#speaking;
  }

  get mayBegin(): boolean {
    return !this.#speaking && this.#maybe === 1;
  }

  push(probability: number): SpeechEdge | undefined {
    this.#frames++;
    return this.#speaking ? this.#whileSpeaking(probability) : this.#whileSilent(probability);
  }

  end(): SpeechEdge | undefined {
    return this.#speaking ? this.#stop() : undefined;
  }

  #whileSilent(probability: number): SpeechEdge | undefined {
    const maybe = probability >= this.#options.maybeProbability;
    this.#maybe = ((this.#maybe << 1) | (maybe ? 1 : 0)) & this.#windowMask;
    const voiced = probability >= this.#options.startProbability;
    this.#recent = ((this.#recent << 1) | (voiced ? 1 : 0)) & this.#windowMask;
    if (!voiced || countBits(this.#recent) < this.#startFrames) return undefined;
    const oldest = 31 - Math.clz32(this.#recent);
    const nowMs = this.#frames * this.#options.frameMs;
    this.#speaking = true;
    this.#lulled = false;
    this.#recent = 0;
    this.#voicedUntilMs = nowMs;
    this.#aliveAtMs = nowMs + this.#options.aliveMs;
    this.#onsetMs = nowMs - (oldest + 1) * this.#options.frameMs;
    return { type: 'speech-started', onsetMs: this.#onsetMs };
  }

  #whileSpeaking(probability: number): SpeechEdge | undefined {
    const nowMs = this.#frames * this.#options.frameMs;
    const { stopProbability, stopMs, lullMs, blipMs, blipStopMs } = this.#options;
    if (probability >= stopProbability) {
      this.#voicedUntilMs = nowMs;
      if (this.#lulled) {
        this.#lulled = false;
        return { type: 'speech-resumed' };
      }
    }
    const isBlip = this.#voicedUntilMs - this.#onsetMs < blipMs;
    const silentMs = nowMs - this.#voicedUntilMs;
    if (silentMs >= (isBlip ? blipStopMs : stopMs)) return this.#stop();
    if (silentMs >= lullMs && !this.#lulled) {
      this.#lulled = true;
      return { type: 'speech-lulled' };
    }
    if (nowMs < this.#aliveAtMs) return undefined;
    this.#aliveAtMs = nowMs + this.#options.aliveMs;
    return { type: 'speech-alive' };
  }

  #stop(): SpeechEdge {
    this.#speaking = false;
    return { type: 'speech-ended', speechEndMs: this.#voicedUntilMs };
  }
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
