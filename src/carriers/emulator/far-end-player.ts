import { Track } from '../../audio/track.ts';
import type { Clock, Timer } from '../../ports/clock.ts';

interface PlayerOptions {
  readonly clock: Clock;
  readonly sampleRateHz: number;
  /** The clock instant of sample 0. */
  readonly startedAtMs: number;
  /** Delay of audio that arrives in an empty buffer, as in a real player. */
  readonly bufferMs: number;
  readonly onMark: (mark: string) => void;
}

interface OpenMark {
  readonly name: string;
  readonly atSample: number;
}

/**
 * The caller's loudspeaker: plays audio in real time on a sample clock that never stops. No timer runs while it plays;
 * each piece gets its place on the clock when it arrives.
 */
export class FarEndPlayer {
  readonly track = new Track();
  readonly #options: PlayerOptions;
  /** The end of the audio queued so far. */
  #queuedTo = 0;
  /** Samples received since the last clear, plus the silences between them. */
  #takenSamples = 0;
  readonly #marks: OpenMark[] = [];
  #timer: Timer | undefined;

  constructor(options: PlayerOptions) {
    this.#options = options;
  }

  /** The end of the queued audio on the sample clock. */
  get queuedToMs(): number {
    return (this.#queuedTo * 1000) / this.#options.sampleRateHz;
  }

  add(pcm: Int16Array): void {
    const now = this.#nowSample();
    if (this.#queuedTo <= now) {
      this.#queuedTo =
        now + Math.round((this.#options.bufferMs * this.#options.sampleRateHz) / 1000);
    }
    this.track.write(pcm, this.#queuedTo);
    this.#queuedTo += pcm.length;
    this.#takenSamples += pcm.length;
  }

  /** Answers the mark when the audio queued before it was played. */
  mark(name: string): void {
    this.#marks.push({ name, atSample: this.#queuedTo });
    if (this.#marks.length === 1) this.#schedule();
  }

  /** Drops the audio not yet played. Returns how much was played since the last clear. */
  clear(): number {
    const now = this.#nowSample();
    const unplayed = Math.min(this.#takenSamples, Math.max(0, this.#queuedTo - now));
    const playedMs = ((this.#takenSamples - unplayed) * 1000) / this.#options.sampleRateHz;
    this.track.truncate(now);
    this.#queuedTo = Math.min(this.#queuedTo, now);
    this.#takenSamples = 0;
    this.#dropMarks();
    return playedMs;
  }

  /** Forgets the marks, and counts from now on what `clear` returns. Returns how much is still to be played, ms. */
  recount(): number {
    this.#takenSamples = Math.max(0, this.#queuedTo - this.#nowSample());
    this.#dropMarks();
    return (this.#takenSamples * 1000) / this.#options.sampleRateHz;
  }

  close(): void {
    this.clear();
  }

  #schedule(): void {
    const next = this.#marks[0];
    if (!next) return;
    const { clock, startedAtMs, sampleRateHz } = this.#options;
    const dueMs = startedAtMs + (next.atSample * 1000) / sampleRateHz;
    this.#timer = clock.setTimeout(() => this.#answer(), Math.max(0, dueMs - clock.now()));
  }

  #answer(): void {
    const now = this.#nowSample();
    for (let mark = this.#marks[0]; mark && mark.atSample <= now; mark = this.#marks[0]) {
      this.#marks.shift();
      this.#options.onMark(mark.name);
    }
    this.#schedule();
  }

  #dropMarks(): void {
    this.#marks.length = 0;
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #nowSample(): number {
    const { clock, startedAtMs, sampleRateHz } = this.#options;
    return Math.round(((clock.now() - startedAtMs) * sampleRateHz) / 1000);
  }
}
