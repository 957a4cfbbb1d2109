import type { CallListener, Listening } from '../ports/call-monitor.ts';
import type { Clock } from '../ports/clock.ts';
import type { JournalLine } from '../ports/journal.ts';
import type { PlayoutTap } from './outbound/far-end.ts';
import { StereoCapture } from './record/stereo-capture.ts';

const FLUSH_MS = 100;
const MAX_LISTENERS = 10;

/** Streams one call's audio and events to those who listen in. Keeps nothing while nobody does. */
export class Monitor implements PlayoutTap {
  readonly #clock: Clock;
  readonly #legRateHz: number;
  readonly #listeners = new Set<CallListener>();
  #capture: StereoCapture | undefined;

  constructor({ clock, legRateHz }: { readonly clock: Clock; readonly legRateHz: number }) {
    this.#clock = clock;
    this.#legRateHz = legRateHz;
  }

  /** Adds a listener, which gets audio and events from now on. */
  listen(listener: CallListener): Listening | 'full' {
    if (this.#listeners.size >= MAX_LISTENERS) return 'full';
    this.#capture ??= new StereoCapture({
      clock: this.#clock,
      legRateHz: this.#legRateHz,
      flushMs: FLUSH_MS,
      onAudio: (pcm) => {
        for (const each of this.#listeners) each.audio(pcm);
      },
    });
    this.#listeners.add(listener);
    const { sampleRateHz } = this.#capture;
    return { sampleRateHz, stop: () => this.#remove(listener) };
  }

  /** The caller's audio that ended at this clock instant. */
  writeCaller(pcm: Int16Array, endedAt: number): void {
    this.#capture?.writeCaller(pcm, endedAt);
  }

  write(pcm: Int16Array, atMs: number): void {
    this.#capture?.write(pcm, atMs);
  }

  erase(fromMs: number): void {
    this.#capture?.erase(fromMs);
  }

  event(line: JournalLine): void {
    for (const listener of this.#listeners) listener.event(line);
  }

  /** The call is over. */
  end(reason: string): void {
    this.#capture?.close();
    this.#capture = undefined;
    for (const listener of this.#listeners) listener.ended(reason);
    this.#listeners.clear();
  }

  #remove(listener: CallListener): void {
    // Closing the capture calls listeners once more; one that then stops must not close it again.
    if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
    this.#capture?.close();
    this.#capture = undefined;
  }
}
