import { Concealer } from './concealer.ts';
import { Lateness } from './lateness.ts';
import { SampleRing } from './sample-ring.ts';
import { type PauseChange, SoundReader } from './sound-reader.ts';

/** What the listener heard of the audio that was sent, counted since the start. */
export interface PlayoutStats {
  /** Received audio that was played. */
  readonly playedMs: number;
  /** Gaps within speech because audio came late; concealed briefly, then silent. */
  readonly concealedMs: number;
  readonly concealments: number;
  /** Time added to pauses and removed from them to change the playout delay. */
  readonly stretchedMs: number;
  readonly cutMs: number;
  /** Current target of the playout delay. */
  readonly delayMs: number;
}

export interface PlayoutOptions {
  /** Sample rate of input and output. */
  readonly sampleRateHz: number;
  /** Audio buffered at the start of speech on a good line. @defaultValue 60 */
  readonly minDelayMs?: number;
  /** Largest playout delay on a bad line. @defaultValue 400 */
  readonly maxDelayMs?: number;
  /** Audio that the buffer holds at most. @defaultValue 20 */
  readonly capacitySeconds?: number;
}

const defaults = {
  minDelayMs: 60,
  maxDelayMs: 400,
  capacitySeconds: 20,
} as const satisfies Partial<PlayoutOptions>;

/** Added to the worst lateness remembered. */
const MARGIN_MS = 20;
/** A stall this long exceeds any delay we allow, so it does not raise the delay. */
const HOPELESS_MS = 800;
/** An excess of delay smaller than this is left alone. */
const TOLERANCE_MS = 40;
/** Only a sender with a faster clock than ours makes the buffer exceed the largest delay by this much. */
const SURPLUS_MS = 300;
/** Audio to collect after a gap before playback continues. */
const REFILL_MS = 40;
const FADE_IN_MS = 5;
/** A gap this long means that speech has ended. */
const END_MS = 2000;
/** The same for a sender that never marks the end of speech. */
const UNMARKED_END_MS = 500;
/** Played audio kept for concealment. */
const PAST_MS = 100;

/** One run of speech: when it began to arrive and where it starts in the stream. */
interface Spurt {
  readonly firstAt: number;
  readonly from: number;
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'filling'; readonly spurt: Spurt }
  | { readonly kind: 'playing'; readonly spurt: Spurt }
  | {
      readonly kind: 'dry';
      readonly spurt: Spurt;
      readonly since: number;
      readonly concealer: Concealer;
      /** When audio began to arrive again. */
      readonly refillingSince?: number;
    };

interface Mark {
  readonly name: string;
  readonly at: number;
  readonly ends: boolean;
}

/**
 * A playout buffer that adapts to jitter: it delays speech as much as the jitter requires, changes the delay within
 * pauses instead of words, conceals gaps, and counts all of this. Pure: the samples pulled are its clock.
 */
export class AdaptivePlayout {
  readonly #rateHz: number;
  readonly #minDelay: number;
  readonly #maxDelay: number;
  readonly #ring: SampleRing;
  readonly #reader: SoundReader;
  readonly #lateness: Lateness;
  #state: State = { kind: 'idle' };
  #now = 0;
  #clearedAt = 0;
  #concealed = 0;
  #concealments = 0;
  #fading: { readonly concealer: Concealer; left: number } | undefined;
  #marks: Mark[] = [];
  /** True once the sender has marked an end of speech. */
  #endsAreMarked = false;
  /** Samples dropped because the buffer was full. */
  dropped = 0;

  constructor(options: PlayoutOptions) {
    const { sampleRateHz, minDelayMs, maxDelayMs, capacitySeconds } = { ...defaults, ...options };
    this.#rateHz = sampleRateHz;
    this.#minDelay = this.#samples(minDelayMs);
    this.#maxDelay = this.#samples(maxDelayMs);
    this.#ring = new SampleRing(Math.round(capacitySeconds * sampleRateHz));
    this.#reader = new SoundReader(this.#ring, sampleRateHz);
    this.#lateness = new Lateness(sampleRateHz);
  }

  /** Samples received and not yet played. */
  get waiting(): number {
    return this.#reader.waiting;
  }

  get stats(): PlayoutStats {
    const { position, stretched, cut } = this.#reader;
    return {
      playedMs: this.#ms(position - cut),
      concealedMs: this.#ms(this.#concealed),
      concealments: this.#concealments,
      stretchedMs: this.#ms(stretched),
      cutMs: this.#ms(cut),
      delayMs: this.#ms(Math.max(this.#minDelay, this.#wantedDelay)),
    };
  }

  /** Takes samples that have just arrived. */
  push(samples: Float32Array): void {
    if (samples.length === 0) return;
    this.#judgeArrival(samples.length);
    const room = this.#ring.capacity - this.#samples(PAST_MS) - this.waiting;
    // No service of ours sends this far ahead; if one does, the newest samples are dropped.
    const count = Math.max(0, Math.min(room, samples.length));
    this.dropped += samples.length - count;
    this.#ring.push(samples.subarray(0, count));
  }

  /** Sets a mark after the samples pushed so far; `ends` says that speech pauses or ends here. */
  mark(name: string, ends = false): void {
    this.#marks.push({ name, at: this.#ring.written, ends });
    this.#endsAreMarked ||= ends;
  }

  /** Counts anew and forgets marks and, unless it keeps them, waiting samples; returns those played since the last time. */
  clear({ keeps = false } = {}): number {
    const { position } = this.#reader;
    const playedSince = position - this.#clearedAt;
    this.#clearedAt = position;
    this.#marks = [];
    if (keeps) return playedSince;
    if (this.#state.kind === 'dry' && this.#endsAreMarked) this.#countGap(this.#state.since);
    this.#ring.truncate(position);
    this.#rest();
    return playedSince;
  }

  /** Fills one block of output; calls `onMark` for each mark that is reached. */
  pull(output: Float32Array, onMark: (name: string) => void): void {
    for (let i = 0; i < output.length; i++) {
      output[i] = this.#sample();
      this.#now++;
      this.#passMarks(onMark);
    }
  }

  /** Delay that would have hidden all the lateness remembered, in samples. */
  get #neededDelay(): number {
    const { worst } = this.#lateness;
    return worst === undefined ? 0 : Math.max(0, worst + this.#samples(MARGIN_MS));
  }

  /** The needed delay, limited to the largest one allowed. */
  get #wantedDelay(): number {
    return Math.min(this.#maxDelay, this.#neededDelay);
  }

  #judgeArrival(count: number): void {
    const state = this.#state;
    if (state.kind === 'idle') {
      this.#begin();
      return;
    }
    if (state.kind === 'dry' && state.refillingSince === undefined) {
      const gap = this.#now - state.since;
      if (!this.#endsAreMarked && gap > this.#samples(UNMARKED_END_MS)) {
        this.#begin();
        return;
      }
      this.#state = { ...state, refillingSince: this.#now };
    }
    const { firstAt, from } = state.spurt;
    const needed = this.#now - firstAt - (this.#ring.written - from);
    if (needed < this.#samples(HOPELESS_MS)) this.#lateness.add(needed, count);
  }

  #begin(): void {
    this.#rest();
    const spurt = { firstAt: this.#now, from: this.#ring.written };
    this.#state = { kind: 'filling', spurt };
  }

  #rest(): void {
    this.#state = { kind: 'idle' };
    this.#reader.reset();
    this.#fading = undefined;
  }

  #sample(): number {
    const state = this.#state;
    switch (state.kind) {
      case 'idle':
        return 0;
      case 'filling':
        if (!this.#isFilled(state.spurt)) return 0;
        this.#state = { kind: 'playing', spurt: state.spurt };
        return this.#play(state.spurt);
      case 'playing':
        return this.#play(state.spurt);
      case 'dry':
        if (!this.#isRefilled(state.refillingSince))
          return this.#bridge(state.since, state.concealer);
        this.#countGap(state.since);
        this.#fading = { concealer: state.concealer, left: this.#samples(FADE_IN_MS) };
        this.#state = { kind: 'playing', spurt: state.spurt };
        return this.#play(state.spurt);
    }
  }

  #isFilled({ firstAt }: Spurt): boolean {
    // The whole utterance has arrived; it may be shorter than the delay.
    if (this.#marks.some(({ ends, at }) => ends && at === this.#ring.written)) return true;
    const elapsed = this.#now - firstAt;
    const least = this.#minDelay;
    return elapsed >= this.#wantedDelay && (this.waiting >= least || elapsed >= least);
  }

  #isRefilled(since: number | undefined): boolean {
    if (since === undefined) return false;
    const least = this.#samples(REFILL_MS);
    return this.waiting >= least || this.#now - since >= least;
  }

  #bridge(since: number, concealer: Concealer): number {
    if (this.waiting > 0 || this.#now - since < this.#samples(END_MS)) return concealer.next();
    if (this.#endsAreMarked) this.#countGap(since);
    this.#rest();
    return 0;
  }

  #countGap(since: number): void {
    this.#concealed += this.#now - since;
    this.#concealments++;
  }

  #play(spurt: Spurt): number {
    const sample = this.#reader.read(() => this.#pauseChange(spurt));
    if (sample !== undefined) return this.#fadeIn(sample);
    const concealer = new Concealer(this.#ring, this.#reader.position, this.#rateHz);
    this.#state = { kind: 'dry', spurt, since: this.#now, concealer };
    return concealer.next();
  }

  #pauseChange({ firstAt, from }: Spurt): PauseChange {
    const delay = this.#now - firstAt - (this.#reader.position - from);
    if (delay < this.#wantedDelay) return 'stretch';
    // Gaps can push the delay beyond its maximum. While the line needs that much, removing it would cause a new gap.
    const limit = Math.max(this.#neededDelay, this.#minDelay) + this.#samples(TOLERANCE_MS);
    const surplus = this.waiting > this.#maxDelay + this.#samples(SURPLUS_MS);
    return delay > limit || surplus ? 'cut' : 'keep';
  }

  #fadeIn(sample: number): number {
    const fading = this.#fading;
    if (!fading) return sample;
    const share = fading.left / this.#samples(FADE_IN_MS);
    fading.left--;
    if (fading.left === 0) this.#fading = undefined;
    return sample * (1 - share) + fading.concealer.next() * share;
  }

  #passMarks(onMark: (name: string) => void): void {
    for (let mark = this.#marks[0]; mark; mark = this.#marks[0]) {
      if (mark.at > this.#reader.position) return;
      this.#marks.shift();
      onMark(mark.name);
      if (mark.ends && this.waiting === 0) this.#rest();
    }
  }

  #samples(ms: number): number {
    return Math.round((ms * this.#rateHz) / 1000);
  }

  #ms(samples: number): number {
    return Math.round((samples * 1000) / this.#rateHz);
  }
}
