import { signal } from '@preact/signals';

/** Plays a recording and reports its position. Without a recording it only holds a position on the timeline. */
export class Player {
  readonly positionMs = signal(0);
  readonly playing = signal(false);
  readonly rate = signal(1);
  readonly ready = signal(false);
  readonly #audio = new Audio();
  #durationMs = 0;
  #frame = 0;

  constructor() {
    const audio = this.#audio;
    audio.preservesPitch = true;
    audio.onplay = () => {
      this.playing.value = true;
      this.#follow();
    };
    audio.onpause = () => this.#rest();
    audio.onended = () => this.#rest();
    audio.onerror = () => this.#rest();
  }

  set durationMs(durationMs: number) {
    this.#durationMs = durationMs;
  }

  /** Loads a recording; from now on there is sound to play. */
  load(address: string): void {
    this.#audio.src = address;
    this.#audio.currentTime = this.positionMs.value / 1000;
    this.ready.value = true;
  }

  toggle(): void {
    if (!this.ready.value) return;
    if (!this.#audio.paused) {
      this.#audio.pause();
      return;
    }
    if (this.positionMs.value >= this.#durationMs - 50) this.seek(0);
    // Rejected only if paused at once or not playable; `onerror` reports the latter.
    this.#audio.play().catch(() => this.#rest());
  }

  seek(atMs: number): void {
    const to = Math.min(Math.max(0, atMs), this.#durationMs);
    this.positionMs.value = to;
    if (this.ready.value) this.#audio.currentTime = to / 1000;
  }

  setRate(rate: number): void {
    this.rate.value = rate;
    this.#audio.playbackRate = rate;
    this.#audio.defaultPlaybackRate = rate;
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#audio.onpause = null;
    this.#audio.pause();
    this.#audio.removeAttribute('src');
  }

  #follow(): void {
    cancelAnimationFrame(this.#frame);
    const frame = (): void => {
      this.positionMs.value = this.#audio.currentTime * 1000;
      if (!this.#audio.paused) this.#frame = requestAnimationFrame(frame);
    };
    frame();
  }

  #rest(): void {
    cancelAnimationFrame(this.#frame);
    if (this.ready.value) this.positionMs.value = this.#audio.currentTime * 1000;
    this.playing.value = false;
  }
}
