/**
 * Tracks marks at a far end that echoes flushed marks too: after a clear, their echoes do not mean that the audio was
 * heard. Pure.
 */
export class PendingMarks {
  #pending: string[] = [];
  readonly #flushed: string[] = [];

  sent(name: string): void {
    this.#pending.push(name);
  }

  cleared(): void {
    this.#flushed.push(...this.#pending);
    this.#pending = [];
  }

  /** True if the echo of a mark means that playback has reached it. */
  echoed(name: string): boolean {
    const flushed = this.#flushed.indexOf(name);
    // Echoes come in order: earlier flushed marks will not be echoed any more.
    if (flushed >= 0) {
      this.#flushed.splice(0, flushed + 1);
      return false;
    }
    const reached = this.#pending.indexOf(name);
    if (reached < 0) return false;
    this.#flushed.length = 0;
    this.#pending.splice(0, reached + 1);
    return true;
  }
}
