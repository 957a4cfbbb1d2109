import type { CallListener, Listening } from '../ports/call-monitor.ts';
import type { Clock } from '../ports/clock.ts';
import type { JournalLine } from '../ports/journal.ts';
import type { PlayoutTap } from './outbound/far-end.ts';
import { StereoCapture } from './record/stereo-capture.ts';

const FLUSH_MS = 100;
const MAX_LISTENERS = 10;

/** Who listens to one call. Without anybody, audio and events pass it by and nothing is kept. */
export class Monitor implements PlayoutTap {
  readonly #clock: Clock;
  readonly #legRateHz: number;
  readonly #listeners = new Set<CallListener>();
  #tape: StereoCapture | undefined;

  constructor({ clock, legRateHz }: { readonly clock: Clock; readonly legRateHz: number }) {
    this.#clock = clock;
    this.#legRateHz = legRateHz;
  }

  /** From now on; what was said before is not told. */
  listen(listener: CallListener): Listening | 'full' {
    if (this.#listeners.size >= MAX_LISTENERS) return 'full';
    this.#tape ??= new StereoCapture({
      clock: this.#clock,
      legRateHz: this.#legRateHz,
      flushMs: FLUSH_MS,
      onAudio: (pcm) => {
        for (const each of this.#listeners) each.audio(pcm);
      },
    });
    this.#listeners.add(listener);
    const { sampleRateHz } = this.#tape;
    return { sampleRateHz, stop: () => this.#remove(listener) };
  }

  /** The caller's audio that ended at this clock instant. */
  heard(pcm: Int16Array, endedAt: number): void {
    this.#tape?.heard(pcm, endedAt);
  }

  write(pcm: Int16Array, atMs: number): void {
    this.#tape?.write(pcm, atMs);
  }

  erase(fromMs: number): void {
    this.#tape?.erase(fromMs);
  }

  event(line: JournalLine): void {
    for (const listener of this.#listeners) listener.event(line);
  }

  /** The call is over. */
  end(reason: string): void {
    this.#tape?.close();
    this.#tape = undefined;
    for (const listener of this.#listeners) listener.ended(reason);
    this.#listeners.clear();
  }

  #remove(listener: CallListener): void {
    // Whoever stops while it is handed the rest is not handed it again.
    if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
    this.#tape?.close();
    this.#tape = undefined;
  }
}
