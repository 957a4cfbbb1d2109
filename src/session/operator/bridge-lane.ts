import { dtmfTone } from '../../audio/dtmf-tones.ts';
import { createResampler, type Resampler } from '../../audio/resampler.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MediaLeg } from '../../ports/media.ts';
import { TICK_MS, type Ticker } from '../ticker.ts';

interface Deps {
  readonly clock: Clock;
  readonly ticker: Ticker;
  readonly fromHz: number;
  readonly to: MediaLeg;
  /** Gets what is sent, with the clock instant at which its first sample is heard. */
  readonly tap?: (pcm: Int16Array, atMs: number) => void;
}

/** Audio collected before the first frame is sent, so that a late frame leaves no gap. */
const START_MS = 40;
const LEAD_MS = 60;
/** With `LEAD_MS`, keeps the delay at 200 ms at most. What exceeds it is cut down to `SHRUNK_MS`. */
const MAX_WAITING_MS = 140;
const SHRUNK_MS = 60;
const MAX_WAITING_KEYS = 32;

/** Carries one party's audio to the other: resamples it, buffers against jitter, and paces it. */
export class BridgeLane {
  readonly #clock: Clock;
  readonly #to: MediaLeg;
  readonly #tap: Deps['tap'];
  readonly #resampler: Resampler;
  readonly #unsubscribe: () => void;
  readonly #frameSamples: number;
  #waiting: Int16Array[] = [];
  #waitingSamples = 0;
  #flowing = false;
  #endAt = 0;
  #droppedSamples = 0;
  /** Tones still to be sent, in place of the voice. */
  #keys: Int16Array[] = [];

  constructor({ clock, ticker, fromHz, to, tap }: Deps) {
    this.#clock = clock;
    this.#to = to;
    this.#tap = tap;
    this.#resampler = createResampler(fromHz, to.sampleRateHz);
    this.#frameSamples = (to.sampleRateHz * TICK_MS) / 1000;
    this.#unsubscribe = ticker.subscribe((now) => this.#flow(now));
  }

  /** Length of the audio dropped because it came in too long a burst. */
  get droppedMs(): number {
    return this.#toMs(this.#droppedSamples);
  }

  /** Audio at the speaker's rate; the array may be reused afterwards. */
  write(pcm: Int16Array): void {
    const own = this.#resampler.process(pcm);
    this.#waiting.push(own === pcm ? pcm.slice() : own);
    this.#waitingSamples += own.length;
    if (this.#toMs(this.#waitingSamples) > MAX_WAITING_MS) this.#shrink();
    this.#flow(this.#clock.now());
  }

  /** Sends keys as tones. They replace speech; inserted, they would delay all speech after them. */
  press(keys: string): void {
    const room = MAX_WAITING_KEYS - this.#keys.length;
    for (const key of keys.slice(0, room)) this.#keys.push(dtmfTone(key, this.#to.sampleRateHz));
  }

  close(): void {
    this.#unsubscribe();
    this.#resampler.close();
  }

  #flow(now: number): void {
    if (!this.#flowing && this.#toMs(this.#waitingSamples) < START_MS) return;
    this.#flowing = true;
    while (this.#waitingSamples >= this.#frameSamples && this.#endAt - now < LEAD_MS) {
      const frame = this.#take(this.#frameSamples);
      this.#sound(frame);
      const playAt = Math.max(now, this.#endAt);
      this.#endAt = playAt + TICK_MS;
      this.#tap?.(frame, playAt);
      this.#to.send(frame);
    }
    // The buffer ran dry: collects START_MS again.
    if (this.#endAt <= now) this.#flowing = false;
  }

  #take(samples: number): Int16Array {
    const out = new Int16Array(samples);
    for (let filled = 0; filled < samples; ) {
      const head = this.#waiting[0] as Int16Array;
      const part = head.subarray(0, samples - filled);
      out.set(part, filled);
      filled += part.length;
      if (part.length === head.length) this.#waiting.shift();
      else this.#waiting[0] = head.subarray(part.length);
    }
    this.#waitingSamples -= samples;
    return out;
  }

  #sound(frame: Int16Array): void {
    const [key] = this.#keys;
    if (!key) return;
    frame.set(key.subarray(0, frame.length));
    if (key.length <= frame.length) this.#keys.shift();
    else this.#keys[0] = key.subarray(frame.length);
  }

  #shrink(): void {
    const kept = Math.round((SHRUNK_MS * this.#to.sampleRateHz) / 1000);
    const dropped = this.#waitingSamples - kept;
    this.#take(dropped);
    this.#droppedSamples += dropped;
  }

  #toMs(samples: number): number {
    return (samples * 1000) / this.#to.sampleRateHz;
  }
}
