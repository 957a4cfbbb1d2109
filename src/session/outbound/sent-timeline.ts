/** A stretch of one utterance on its way to the caller. Instants are clock ms, offsets ms of audio. */
interface Segment {
  /** Absent for background sound in a pause. */
  readonly uttId?: number;
  /** Offset of the stretch in its utterance. */
  readonly fromMs: number;
  readonly durationMs: number;
  /** When its first sample is heard, if the far end plays without delay. */
  readonly playAt: number;
  /** Audio sent before it since the last clear. */
  readonly streamMs: number;
}

export interface PlayPosition {
  readonly uttId: number;
  readonly playedMs: number;
}

/** Tracks the audio sent since the last clear and when each stretch of it is heard. */
export class SentTimeline {
  #segments: Segment[] = [];
  #endAt = 0;
  #speechEndAt = 0;
  #streamMs = 0;

  /** Clock instant at which everything sent so far will have been played. */
  get endAt(): number {
    return this.#endAt;
  }

  /** Clock instant at which all speech sent so far will have been played. */
  get speechEndAt(): number {
    return this.#speechEndAt;
  }

  /** Length of the audio sent since the last clear. */
  get streamMs(): number {
    return this.#streamMs;
  }

  get isEmpty(): boolean {
    return this.#segments.length === 0;
  }

  /** How far the sent audio is ahead of real time. */
  leadMs(now: number): number {
    return Math.max(0, this.#endAt - now);
  }

  /** Notes a sent stretch; returns the instant at which it is heard. */
  push(uttId: number, fromMs: number, durationMs: number, now: number): number {
    const playAt = this.#append({ uttId, fromMs, durationMs }, now);
    this.#speechEndAt = this.#endAt;
    return playAt;
  }

  /** Notes a stretch that fills a pause. */
  pushFiller(durationMs: number, now: number): void {
    this.#append({ fromMs: 0, durationMs }, now);
  }

  /** Notes speech of an earlier process, which is heard first. */
  pushEarlier(durationMs: number, now: number): void {
    this.pushFiller(durationMs, now);
    this.#speechEndAt = this.#endAt;
  }

  /** All speech was heard: forgets it, and keeps the background sound that follows. */
  forgetSpeech(): void {
    this.#segments = this.#segments.map(({ uttId, ...filler }) => filler);
    this.#speechEndAt = 0;
  }

  /** The position in speech heard at `now`: before the first stretch its beginning, after the last one its end. */
  positionAt(now: number): PlayPosition | undefined {
    let found: Segment | undefined;
    for (const segment of this.#segments) {
      if (segment.playAt > now && found) break;
      if (segment.uttId !== undefined) found = segment;
    }
    if (found?.uttId === undefined) return undefined;
    const playedMs = Math.max(0, Math.min(found.durationMs, now - found.playAt));
    return { uttId: found.uttId, playedMs: found.fromMs + playedMs };
  }

  /** The position in speech at which the far end has played `streamMs` of the audio sent since the last clear. */
  positionInStream(streamMs: number): PlayPosition | undefined {
    let found: Segment | undefined;
    for (const segment of this.#segments) {
      if (segment.streamMs > streamMs) break;
      if (segment.uttId !== undefined) found = segment;
    }
    if (found?.uttId === undefined) return undefined;
    const into = Math.min(found.durationMs, streamMs - found.streamMs);
    return { uttId: found.uttId, playedMs: found.fromMs + Math.max(0, into) };
  }

  /** How much audio the far end should have played by `now`, judged by the clock. */
  playedStreamMs(now: number): number {
    let played = 0;
    for (const segment of this.#segments) {
      if (segment.playAt > now) break;
      played = segment.streamMs + Math.min(segment.durationMs, now - segment.playAt);
    }
    return played;
  }

  #append(stretch: Pick<Segment, 'uttId' | 'fromMs' | 'durationMs'>, now: number): number {
    const playAt = Math.max(now, this.#endAt);
    this.#segments.push({ ...stretch, playAt, streamMs: this.#streamMs });
    this.#endAt = playAt + stretch.durationMs;
    this.#streamMs += stretch.durationMs;
    if (this.#segments.length > 64) this.#forget(now);
    return playAt;
  }

  // Bounds the list in long replies; every caller asks about the last two seconds only.
  #forget(now: number): void {
    this.#segments = this.#segments.filter(
      (segment) => segment.playAt + segment.durationMs > now - 2000,
    );
  }
}
