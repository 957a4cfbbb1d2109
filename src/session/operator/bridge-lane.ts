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

/** Kept back before the first frame, so that a late one leaves no gap. */
const START_MS = 40;
const LEAD_MS = 60;
/** Waiting and sent together are never more than 200 ms ahead; what is too much is cut down to this. */
const MAX_WAITING_MS = 140;
const SHRUNK_MS = 60;
const MAX_WAITING_KEYS = 32;

/** One party's sound on its way to the other: brought to their rate, smoothed, paced. */
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
  /** Keys still to be heard, in place of the voice. */
  #keys: Int16Array[] = [];

  constructor({ clock, ticker, fromHz, to, tap }: Deps) {
    this.#clock = clock;
    this.#to = to;
    this.#tap = tap;
    this.#resampler = createResampler(fromHz, to.sampleRateHz);
    this.#frameSamples = (to.sampleRateHz * TICK_MS) / 1000;
    this.#unsubscribe = ticker.subscribe((now) => this.#flow(now));
  }

  /** What came in a burst too long to be heard in time. */
  get droppedMs(): number {
    return this.#toMs(this.#droppedSamples);
  }

  /** Audio at the speaker's rate; the array may be reused afterwards. */
  hear(pcm: Int16Array): void {
    const own = this.#resampler.process(pcm);
    this.#waiting.push(own === pcm ? pcm.slice() : own);
    this.#waitingSamples += own.length;
    if (this.#toMs(this.#waitingSamples) > MAX_WAITING_MS) this.#shrink();
    this.#flow(this.#clock.now());
  }

  /** Keys as sound. They take the place of as much speech: behind it, the far end would be late ever after. */
  press(keys: string): void {
    const room = MAX_WAITING_KEYS - this.#keys.length;
    for (const key of keys.slice(0, Math.max(0, room)))
      this.#keys.push(dtmfTone(key, this.#to.sampleRateHz));
  }

  close(): void {
    this.#unsubscribe();
    this.#resampler.close();
    this.#waiting = [];
    this.#waitingSamples = 0;
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
    // The line ran dry: gather a little again before going on.
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
