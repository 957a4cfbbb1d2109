import type { Clock } from '../../src/ports/clock.ts';
import type { LegNotice, MediaLeg } from '../../src/ports/media.ts';

interface Options {
  readonly clock: Clock;
  readonly sampleRateHz?: number;
  /** Answers marks and clears as a real far end does. @defaultValue true */
  readonly answers?: boolean;
  readonly onMark?: (name: string) => void;
  readonly onCleared?: (playedMs: number) => void;
}

/** A far end in memory: plays what it is sent in its own time, answers marks and clears, remembers it all. */
export class MemoryLeg implements MediaLeg {
  readonly sampleRateHz: number;
  readonly bufferedBytes = 0;
  readonly notices: LegNotice[] = [];
  readonly sent: { readonly at: number; readonly pcm: Int16Array }[] = [];
  readonly clears: number[] = [];
  endedWith: string | undefined;
  hasMoved = false;
  maxLeadMs = 0;
  onMark: (name: string) => void;
  onCleared: (playedMs: number) => void;
  readonly #clock: Clock;
  readonly #answers: boolean;
  #marks: { readonly timer: unknown }[] = [];
  #playedUntil = 0;
  #streamMs = 0;

  constructor({ clock, sampleRateHz = 16_000, answers = true, onMark, onCleared }: Options) {
    this.#clock = clock;
    this.sampleRateHz = sampleRateHz;
    this.#answers = answers;
    this.onMark = onMark ?? (() => undefined);
    this.onCleared = onCleared ?? (() => undefined);
  }

  /** Audio that is in the far end's buffer or sounding now. */
  get soundingMs(): number {
    return Math.max(0, this.#playedUntil - this.#clock.now());
  }

  send(pcm: Int16Array): void {
    const now = this.#clock.now();
    const durationMs = (pcm.length * 1000) / this.sampleRateHz;
    this.sent.push({ at: now, pcm });
    this.#playedUntil = Math.max(this.#playedUntil, now) + durationMs;
    this.#streamMs += durationMs;
    this.maxLeadMs = Math.max(this.maxLeadMs, this.#playedUntil - now);
  }

  mark(name: string): void {
    if (!this.#answers) return;
    const timer = this.#clock.setTimeout(() => this.onMark(name), this.soundingMs);
    this.#marks.push({ timer });
  }

  clear(): void {
    const now = this.#clock.now();
    this.clears.push(now);
    const playedMs = this.#streamMs - this.soundingMs;
    for (const { timer } of this.#marks) this.#clock.clearTimeout(timer);
    this.#marks = [];
    this.#playedUntil = now;
    this.#streamMs = 0;
    if (this.#answers) this.#clock.setTimeout(() => this.onCleared(playedMs), 1);
  }

  /** The connection breaks: what was not played is gone, and no mark comes. */
  break(): void {
    for (const { timer } of this.#marks) this.#clock.clearTimeout(timer);
    this.#marks = [];
    this.#playedUntil = this.#clock.now();
    this.#streamMs = 0;
  }

  notify(notice: LegNotice): void {
    this.notices.push(notice);
  }

  end(reason: string): void {
    this.endedWith ??= reason;
  }

  moved(): void {
    this.hasMoved = true;
  }
}
