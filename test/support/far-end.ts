import type { CallEvent } from '../../src/call/events.ts';

interface Playing {
  readonly uttId: number;
  readonly totalMs: number;
  playedMs: number;
}

/** What the caller's ear gets: intervals of assistant audio, per utterance. */
export interface Heard {
  readonly uttId: number;
  readonly from: number;
  to: number;
}

type Schedule = (at: number, event: CallEvent, valid: () => boolean) => void;

const MARK_MS = 200;

/** A playout without sound: plays utterances in order, marks, holds and clears as the real one does. */
export class FarEnd {
  readonly heard: Heard[] = [];
  readonly #schedule: Schedule;
  readonly #lengthOf: (uttId: number) => number;
  readonly #queue: number[] = [];
  #playing: Playing | undefined;
  #since = 0;
  #held = false;
  #run = 0;

  constructor(schedule: Schedule, lengthOf: (uttId: number) => number) {
    this.#schedule = schedule;
    this.#lengthOf = lengthOf;
  }

  start(uttId: number, at: number): void {
    this.#queue.push(uttId);
    if (!this.#playing && !this.#held) this.#next(at);
  }

  hold(at: number): void {
    if (this.#held) return;
    this.#stop(at);
    this.#held = true;
    if (!this.#playing) return;
    const { uttId, playedMs } = this.#playing;
    this.#schedule(at, { type: 'play.held', uttId, playedMs }, () => true);
  }

  release(at: number): void {
    if (!this.#held) return;
    this.#held = false;
    if (this.#playing) this.#play(at);
    else this.#next(at);
  }

  clear(at: number): void {
    this.#stop(at);
    const playing = this.#playing;
    this.#playing = undefined;
    this.#queue.length = 0;
    this.#held = false;
    if (!playing) return;
    const { uttId, playedMs } = playing;
    this.#schedule(at + 20, { type: 'play.cleared', uttId, playedMs }, () => true);
  }

  /** The harness delivered the end of an utterance. */
  finished(at: number): void {
    this.#stop(at);
    this.#playing = undefined;
    this.#next(at);
  }

  #next(at: number): void {
    const uttId = this.#queue.shift();
    if (uttId === undefined) return;
    this.#playing = { uttId, totalMs: this.#lengthOf(uttId), playedMs: 0 };
    this.#schedule(at, { type: 'play.started', uttId }, () => true);
    this.#play(at);
  }

  #play(at: number): void {
    const playing = this.#playing as Playing;
    const { uttId, totalMs } = playing;
    const run = ++this.#run;
    const from = playing.playedMs;
    this.#since = at;
    this.heard.push({ uttId, from: at, to: at });
    const valid = () => run === this.#run;
    for (let playedMs = from + MARK_MS; playedMs < totalMs; playedMs += MARK_MS) {
      this.#schedule(at + playedMs - from, { type: 'play.mark', uttId, playedMs }, valid);
    }
    this.#schedule(at + totalMs - from, { type: 'play.finished', uttId }, valid);
  }

  #stop(at: number): void {
    if (!this.#playing || this.#held) return;
    this.#run++;
    this.#playing.playedMs = Math.min(
      this.#playing.totalMs,
      this.#playing.playedMs + at - this.#since,
    );
    const last = this.heard.at(-1);
    if (last) last.to = at;
  }
}
