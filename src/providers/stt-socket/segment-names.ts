interface OpenSegment {
  readonly id: string;
  readonly startMs: number;
}

/**
 * Names the segments of a stream across its connections: a segment left unfinished by a broken connection keeps its
 * name on the next one, so its words are replaced instead of repeated.
 */
export class SegmentNames {
  readonly #open = new Map<string, OpenSegment>();
  #unfinished: OpenSegment[] = [];
  #count = 0;

  /** Start of the earliest segment without a final text. */
  get openFromMs(): number | undefined {
    const starts = [...this.#open.values(), ...this.#unfinished].map(({ startMs }) => startMs);
    return starts.length > 0 ? Math.min(...starts) : undefined;
  }

  nameOf(segment: string, startMs: number): string {
    const known = this.#open.get(segment);
    if (known) return known.id;
    const id = this.#unfinished.shift()?.id ?? `s${++this.#count}`;
    this.#open.set(segment, { id, startMs });
    return id;
  }

  finish(segment: string): void {
    this.#open.delete(segment);
  }

  /** The vendor's segment names end with its connection. */
  disconnected(): void {
    this.#unfinished = [...this.#unfinished, ...this.#open.values()];
    this.#open.clear();
  }
}
