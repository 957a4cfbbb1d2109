/** A stretch of one utterance on its way to the caller. Instants are clock ms, offsets ms of audio. */
interface Segment {
  readonly uttId: number;
  /** Offset of the stretch in its utterance. */
  readonly fromMs: number;
  readonly durationMs: number;
  /** When its first sample is heard, if the far end plays what it gets at once. */
  readonly playAt: number;
  /** Audio sent before it since the last clear. */
  readonly streamMs: number;
}

export interface PlayPosition {
  readonly uttId: number;
  readonly playedMs: number;
}

/** What was sent since the last clear and when each stretch of it is heard. Pure bookkeeping. */
export class SentTimeline {
  #segments: Segment[] = [];
  #endAt = 0;
  #streamMs = 0;

  /** When everything sent so far will have been played. */
  get endAt(): number {
    return this.#endAt;
  }

  /** Audio sent since the last clear. */
  get streamMs(): number {
    return this.#streamMs;
  }

  get isEmpty(): boolean {
    return this.#segments.length === 0;
  }

  /** How far what was sent is ahead of real time. */
  leadMs(now: number): number {
    return Math.max(0, this.#endAt - now);
  }

  /** Notes a sent stretch; returns the instant at which it is heard. */
  push(uttId: number, fromMs: number, durationMs: number, now: number): number {
    const playAt = Math.max(now, this.#endAt);
    this.#segments.push({ uttId, fromMs, durationMs, playAt, streamMs: this.#streamMs });
    this.#endAt = playAt + durationMs;
    this.#streamMs += durationMs;
    if (this.#segments.length > 64) this.#forget(now);
    return playAt;
  }

  /** What is being heard at `now`; past the end it is the end of the last stretch. */
  positionAt(now: number): PlayPosition | undefined {
    let found: Segment | undefined;
    for (const segment of this.#segments) {
      if (segment.playAt > now) break;
      found = segment;
    }
    if (!found) return undefined;
    return {
      uttId: found.uttId,
      playedMs: found.fromMs + Math.min(found.durationMs, now - found.playAt),
    };
  }

  /** What was being heard when the far end had played `streamMs` of what was sent since the last clear. */
  positionInStream(streamMs: number): PlayPosition | undefined {
    let found: Segment | undefined;
    for (const segment of this.#segments) {
      if (segment.streamMs > streamMs) break;
      found = segment;
    }
    if (!found) return undefined;
    const into = Math.min(found.durationMs, streamMs - found.streamMs);
    return { uttId: found.uttId, playedMs: found.fromMs + Math.max(0, into) };
  }

  /** Audio the far end should have played by `now`, by the clock. */
  playedStreamMs(now: number): number {
    let played = 0;
    for (const segment of this.#segments) {
      if (segment.playAt > now) break;
      played = segment.streamMs + Math.min(segment.durationMs, now - segment.playAt);
    }
    return played;
  }

  // Long replies would grow the list; two seconds of history are enough for every question asked of it.
  #forget(now: number): void {
    this.#segments = this.#segments.filter(
      (segment) => segment.playAt + segment.durationMs > now - 2000,
    );
  }
}
