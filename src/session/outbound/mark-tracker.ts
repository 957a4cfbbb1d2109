/** A point of playback that the far end was asked to report. */
export interface MarkPoint {
  readonly uttId: number;
  readonly playedMs: number;
  /** The utterance ends here. */
  readonly end: boolean;
}

/** About one word. Between two marks the clock estimates the position. */
export const MARK_EVERY_MS = 400;
const MAX_OPEN = 256;

/** Names marks and remembers what each stands for until it is answered or dropped. */
export class MarkTracker {
  /** True once the far end has answered a mark: from then on the position comes from marks, not from the clock. */
  answered = false;
  #next = 1;
  #last: MarkPoint | undefined;
  readonly #open = new Map<string, MarkPoint>();

  due(uttId: number, playedMs: number): boolean {
    return this.#last?.uttId !== uttId || playedMs - this.#last.playedMs >= MARK_EVERY_MS;
  }

  add(uttId: number, playedMs: number, end: boolean): string {
    const name = `m${this.#next++}`;
    this.#last = { uttId, playedMs, end };
    this.#open.set(name, this.#last);
    if (this.#open.size > MAX_OPEN) this.#open.delete(this.#open.keys().next().value as string);
    return name;
  }

  /** The point that the mark stands for; undefined if it is unknown or was dropped by a clear. */
  reached(name: string): MarkPoint | undefined {
    const point = this.#open.get(name);
    if (!point) return undefined;
    this.answered = true;
    this.#open.delete(name);
    return point;
  }

  /** The far end's buffer is gone, and the open marks with it. */
  reset(): void {
    this.#open.clear();
    this.#last = undefined;
  }
}
