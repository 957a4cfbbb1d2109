import type { CallEvent } from '../engine/machine/events.ts';
import type { WordTiming } from '../ports/tts.ts';

interface Playing {
  readonly uttId: number;
  readonly totalMs: number;
  /** How much of it a stalled voice gave. */
  readonly givenMs: number;
  playedMs: number;
}

/** What the caller's ear gets: intervals of assistant audio, per utterance. */
export interface Heard {
  readonly uttId: number;
  readonly from: number;
  to: number;
  /** Where in the utterance it begins. */
  readonly fromMs: number;
}

/** What plays, waits and is held at an instant. */
export interface PlayoutState {
  /** `playedMs` of it had been played at `sinceAt`. */
  readonly playing?: {
    readonly uttId: number;
    readonly playedMs: number;
    readonly sinceAt: number;
  };
  readonly queue: readonly number[];
  readonly held: boolean;
}

type Schedule = (at: number, event: CallEvent, valid: () => boolean) => void;

const MARK_MS = 400;
/** As the real playout: a hold waits this long for a word to end, and a shorter word than that is said again. */
const WORD_END_MS = 40;
const REPEAT_MS = 600;

/** A playout without sound: plays utterances in order, marks, holds and clears as the real one does. */
export class SimulatedPlayout {
  readonly heard: Heard[] = [];
  readonly #schedule: Schedule;
  readonly #lengthOf: (uttId: number) => number;
  readonly #givenMs: (uttId: number) => number;
  readonly #wordsOf: (uttId: number) => readonly WordTiming[];
  readonly #queue: number[] = [];
  #playing: Playing | undefined;
  #since = 0;
  #held = false;
  #heldAt = 0;
  #run = 0;

  /** With word times it holds between words and goes on with the word it held in. */
  constructor(
    schedule: Schedule,
    lengthOf: (uttId: number) => number,
    wordsOf: (uttId: number) => readonly WordTiming[] = () => [],
    givenMs: (uttId: number) => number = () => Number.POSITIVE_INFINITY,
  ) {
    this.#givenMs = givenMs;
    this.#schedule = schedule;
    this.#lengthOf = lengthOf;
    this.#wordsOf = wordsOf;
  }

  /** Whether the ear gets sound. */
  soundsAt(at: number): boolean {
    return this.#playing !== undefined && (!this.#held || at < this.#heldAt);
  }

  /** Since when the ear gets nothing; undefined while something sounds, is held or waits. 0: nothing ever did. */
  quietSince(): number | undefined {
    return this.busy ? undefined : (this.heard.at(-1)?.to ?? 0);
  }

  /** Something sounds, is held or waits to sound. */
  get busy(): boolean {
    return this.#playing !== undefined || this.#queue.length > 0;
  }

  /** Goes on with what was under way elsewhere. */
  goOn({ playing, queue, held }: PlayoutState, at: number): void {
    this.#queue.push(...queue);
    this.#held = held;
    this.#heldAt = at;
    if (!playing) {
      if (!held) this.#next(at);
      return;
    }
    const { uttId, playedMs, sinceAt } = playing;
    const sounds = held ? 0 : Math.max(0, at - sinceAt);
    const [totalMs, givenMs] = [this.#lengthOf(uttId), this.#givenMs(uttId)];
    this.#playing = { uttId, totalMs, givenMs, playedMs: Math.min(totalMs, playedMs + sounds) };
    if (!held) this.#play(at);
  }

  start(uttId: number, at: number): void {
    this.#queue.push(uttId);
    if (!this.#playing && !this.#held) this.#next(at);
  }

  hold(at: number): void {
    if (this.#held) return;
    this.#heldAt = at + this.#wordLeftMs(at);
    this.#stop(this.#heldAt);
    this.#held = true;
    if (!this.#playing) return;
    const { uttId, playedMs } = this.#playing;
    this.#schedule(this.#heldAt, { type: 'play.held', uttId, playedMs }, () => true);
  }

  release(at: number): void {
    if (!this.#held) return;
    this.#held = false;
    if (!this.#playing) {
      this.#next(at);
      return;
    }
    const { uttId, playedMs } = this.#playing;
    const cut = this.#wordsOf(uttId).find(
      ({ startMs, endMs }) => startMs < playedMs && playedMs < endMs,
    );
    if (cut && playedMs - cut.startMs <= REPEAT_MS) this.#playing.playedMs = cut.startMs;
    this.#play(Math.max(at, this.#heldAt));
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

  /** From now on it neither plays nor marks anything. */
  freeze(): void {
    this.#run++;
  }

  /** The engine has been told that an utterance is over. */
  finished(at: number): void {
    this.#stop(at);
    this.#playing = undefined;
    this.#next(at);
  }

  #wordLeftMs(at: number): number {
    if (!this.#playing) return 0;
    const { uttId, playedMs } = this.#playing;
    const now = playedMs + at - this.#since;
    const word = this.#wordsOf(uttId).find(({ startMs, endMs }) => startMs < now && now < endMs);
    const leftMs = word ? word.endMs - now : 0;
    return leftMs <= WORD_END_MS ? leftMs : 0;
  }

  #next(at: number): void {
    const uttId = this.#queue.shift();
    if (uttId === undefined) return;
    this.#playing = {
      uttId,
      totalMs: this.#lengthOf(uttId),
      givenMs: this.#givenMs(uttId),
      playedMs: 0,
    };
    this.#schedule(at, { type: 'play.started', uttId }, () => true);
    this.#play(at);
  }

  #play(at: number): void {
    const playing = this.#playing as Playing;
    const { uttId, totalMs, givenMs } = playing;
    const run = ++this.#run;
    const from = playing.playedMs;
    this.#since = at;
    this.heard.push({ uttId, from: at, to: at, fromMs: from });
    const valid = () => run === this.#run;
    for (
      let playedMs = from + MARK_MS;
      playedMs < Math.min(totalMs, givenMs);
      playedMs += MARK_MS
    ) {
      this.#schedule(at + playedMs - from, { type: 'play.mark', uttId, playedMs }, valid);
    }
    if (givenMs >= totalMs)
      this.#schedule(at + totalMs - from, { type: 'play.finished', uttId }, valid);
  }

  #stop(at: number): void {
    if (!this.#playing || this.#held) return;
    this.#run++;
    this.#playing.playedMs = Math.min(
      this.#playing.totalMs,
      this.#playing.givenMs,
      this.#playing.playedMs + at - this.#since,
    );
    const last = this.heard.at(-1);
    if (last) last.to = at;
  }
}
